import { cutText, isRecord, oneLine } from "../json.js";
import { spokenBy } from "../transcript/spoken.js";
import type { CallPart } from "../transcript/types.js";
import { callsMadeIn, hasArguments, listCalls, shownArguments } from "./calls.js";
import {
  diffOf,
  hintFor,
  isEqual,
  type MatcherResult,
  type MatcherReturn,
  type MatcherState,
  requireArgument,
} from "./matcher.js";
import { count, word } from "./wording.js";

export interface ToHaveCalledTool {
  /**
   * Passes when some call has this name, and these arguments if they are given.
   *
   * A scripted model counts with all turns it spoke, also those a compaction took out of the messages later.
   *
   * @param args - The arguments as parsed; asymmetric matchers are allowed. Malformed JSON equals nothing.
   * @throws {UsageError} when the subject holds no messages.
   * @example
   * expect(model).toHaveCalledTool("get_weather");
   * expect(model).toHaveCalledTool("get_weather", { city: "Paris" });
   */
  toHaveCalledTool(name: string, args?: unknown): MatcherReturn<this>;
}

const NAME = "toHaveCalledTool";

export function toHaveCalledTool(
  this: MatcherState,
  received: unknown,
  ...expected: [name: string, args?: unknown]
): MatcherResult {
  const [name, args] = expected;
  requireArgument(typeof name === "string", NAME, "the name of a tool as first argument", name);
  // `undefined` is a value to expect; leaving the argument out is not.
  const anyArgs = expected.length === 1;
  const calls = callsMadeIn(received, `${NAME}()`);
  const named = calls.filter((call) => call.name === name);
  const matching = anyArgs ? named : named.filter((call) => hasArguments(this, call, args));
  const hint = hintFor(this, NAME, received, oneLine(name, 80), ...(anyArgs ? [] : ["args"]));
  const call = `call of ${cutText(name, 60)}${anyArgs ? "" : ` with ${oneLine(args, 80)}`}`;

  if (matching.length > 0) {
    const claim = `Expected no ${call}, but found ${matching.length}.`;
    return { pass: true, message: () => word({ hint, claim, evidence: listCalls(calls, matching) }) };
  }
  const among = calls.length > 0 ? ` among ${count(calls.length, "call")}` : "";
  const found = named.length > 0 ? `${named.length} with other arguments` : `none${among}`;
  const claim = `Expected a ${call}, but found ${found}.`;
  const advice = adviseOn(named.length > 0, spokenBy(received) !== undefined);
  const message = () => word({ hint, claim, evidence: listCalls(calls, named), advice });
  const candidate = anyArgs ? undefined : closest(this, named, args);
  return { pass: false, message, ...(candidate && diffOf(this, shownArguments(candidate), args)) };
}

function adviseOn(isCalled: boolean, isScripted: boolean): string {
  if (isCalled)
    return "Look for what changes the arguments on their way (JSON that was cut, or encoded twice), or correct what the test expects.";
  return isScripted
    ? "A scripted model calls what its script says: check that the loop gets as far as that turn."
    : "Check that the loop keeps the turn that makes the call.";
}

/** The call that shares most arguments with what was expected; the first of them. */
function closest(state: MatcherState, calls: readonly CallPart[], args: unknown): CallPart | undefined {
  const shared = (call: CallPart) => {
    const found = shownArguments(call);
    if (!isRecord(found) || !isRecord(args)) return 0;
    return Object.keys(args).filter((key) => key in found && isEqual(state, found[key], args[key])).length;
  };
  return calls.reduce<CallPart | undefined>(
    (best, call) => (best && shared(best) >= shared(call) ? best : call),
    undefined,
  );
}
