import type { TurnOutcome } from "../transcript/pairing.js";
import { messagesOf } from "../transcript/wire-transcript.js";
import type { RuleContext, Visitor } from "./rule.js";

type Walked = Pick<RuleContext, "transcript" | "pairing">;

/** Once through the conversation, however many rules look at it: a long one is slow to walk through. */
export function walk({ transcript, pairing }: Walked, visitors: readonly Visitor[]): void {
  if (visitors.length === 0) return;
  const ofMessages = visitors.filter(({ message }) => message);
  const ofParts = visitors.filter(({ parts }) => parts);
  const ofTurns = visitors.filter(({ calls }) => calls);
  const ofCalls = visitors.filter(({ call }) => call);
  const messages = messagesOf(transcript);
  let turns = 0;
  let asked: TurnOutcome | undefined;
  // Calls are shown beside their message: so what is read of it, and of the results behind it, is read once.
  for (let index = 0; index < messages.length; index++) {
    const message = messages.glimpse(index);
    const asks = pairing.turns[turns]?.index === index;
    if (asks) asked = pairing.turns[turns++];
    for (const visitor of ofMessages) visitor.message!(message);
    if (ofParts.length > 0) {
      const { parts } = message;
      for (const visitor of ofParts) visitor.parts!(parts, message, asked);
    }
    if (!asks || ofTurns.length + ofCalls.length === 0) continue;
    const { calls } = asked!;
    for (const visitor of ofTurns) visitor.calls!(calls);
    for (const outcome of calls) for (const visitor of ofCalls) visitor.call!(outcome);
  }
}
