import type { TurnOutcome } from "../transcript/pairing.js";
import { messagesOf } from "../transcript/wire-transcript.js";
import type { RuleContext, Visitor } from "./rule.js";

type Walked = Pick<RuleContext, "transcript" | "pairing">;

/**
 * Once through the conversation, however many rules look at it: a long one is slow to walk through. Calls are shown beside
 * their message, so what is read of that, and of the results behind it, is read once.
 */
export function walk({ transcript, pairing }: Walked, visitors: readonly Visitor[]): void {
  const ofMessages = visitors.filter(({ message }) => message);
  const ofParts = visitors.filter(({ parts }) => parts);
  const ofTurns = visitors.filter(({ calls }) => calls);
  const ofCalls = visitors.filter(({ call }) => call);
  const { asking } = pairing;

  if (ofMessages.length + ofParts.length === 0) {
    for (let turn = 0; turn < asking.length && ofTurns.length + ofCalls.length > 0; turn++) {
      showCalls(pairing.turnAt(turn));
    }
    return;
  }
  const messages = messagesOf(transcript);
  let turns = 0;
  let asked: TurnOutcome | undefined;
  for (let index = 0; index < messages.length; index++) {
    const message = messages.glimpse(index);
    const asks = asking[turns] === index;
    if (asks) asked = pairing.turnAt(turns++);
    for (const visitor of ofMessages) visitor.message!(message);
    if (ofParts.length > 0) {
      const { parts } = message;
      for (const visitor of ofParts) visitor.parts!(parts, message, asked);
    }
    if (asks && ofTurns.length + ofCalls.length > 0) showCalls(asked!);
  }

  function showCalls({ calls }: TurnOutcome): void {
    for (const visitor of ofTurns) visitor.calls!(calls);
    for (const outcome of calls) for (const visitor of ofCalls) visitor.call!(outcome);
  }
}
