import { openConversation } from "../conversation/index.js";
import { formatCall } from "../report/index.js";
import { callsOf } from "../transcript/queries.js";
import { spokenBy } from "../transcript/spoken.js";
import type { CallPart } from "../transcript/types.js";
import { WireCall } from "../transcript/wire.js";
import { isEqual, type MatcherState } from "./matcher.js";

/** Longest list of calls printed. */
const SHOWN = 20;

/**
 * The calls a model made, in order: those of all turns a scripted model spoke, else those in the messages.
 *
 * @throws {UsageError} when the subject holds no messages.
 */
export function callsMadeIn(subject: unknown, asker: string): readonly CallPart[] {
  const spoken = spokenBy(subject);
  if (!spoken) return callsOf(openConversation(subject, asker).transcript);
  return spoken.turns.flatMap((turn, index) =>
    turn.kind === "text"
      ? []
      : turn.calls.map(
          (call, each) => new WireCall(`turns[${index}].calls`, each, call, call.id, call.name, call.arguments),
        ),
  );
}

/** Whether a call was made with these arguments, compared as parsed. Malformed ones equal nothing. */
export function hasArguments(state: MatcherState, { parsed }: CallPart, args: unknown): boolean {
  return parsed.ok && isEqual(state, parsed.value, args);
}

/** The arguments to show in a diff: parsed, or the text that does not parse. */
export function shownArguments({ parsed, arguments: text }: CallPart): unknown {
  return parsed.ok ? parsed.value : text;
}

/** The calls as numbered lines, `>` before the marked ones. */
export function listCalls(calls: readonly CallPart[], mark: readonly CallPart[] = []): string {
  if (calls.length === 0) return "    (no calls)";
  const shown = calls.slice(0, SHOWN);
  const width = Math.max(...shown.map(({ at }) => at.length));
  const lines = shown.map((call) => {
    const malformed = call.parsed.ok ? "" : `  malformed arguments: ${call.parsed.reason}`;
    return `  ${mark.includes(call) ? ">" : " "} ${call.at.padEnd(width)}  ${formatCall(call)}${malformed}`;
  });
  if (calls.length > SHOWN) lines.push(`    … ${(calls.length - SHOWN).toLocaleString("en-US")} more …`);
  return lines.join("\n");
}
