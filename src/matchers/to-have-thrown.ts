import { isError, isPattern, oneLine } from "../json.js";
import { ADVICE, adviseOn, DID, readHandle, toolOf, wordRun } from "./handle.js";
import { hintOn, type MatcherResult, type MatcherReturn, type MatcherState, requireArgument } from "./matcher.js";
import { saysText } from "./says-text.js";

/** A class of errors, as `instanceof` takes it. */
type ErrorClass = abstract new (...args: never[]) => unknown;

export interface ToHaveThrown {
  /**
   * Passes when the tool threw; with a class, an instance of it; with a text, an error whose message contains it; with a
   * pattern, one whose message matches. A failure on purpose is no throw: see `toHaveFailedWith`.
   *
   * @throws {UsageError} when the subject is no handle of `runTool`, or `expected` is none of these.
   * @example
   * expect(run).toHaveThrown(DatabaseDownError);
   */
  toHaveThrown(expected?: ErrorClass | string | RegExp): MatcherReturn<this>;
}

export function toHaveThrown(
  this: MatcherState,
  received: unknown,
  expected?: ErrorClass | string | RegExp,
): MatcherResult {
  requireArgument(
    expected === undefined || typeof expected === "function" || typeof expected === "string" || isPattern(expected),
    "toHaveThrown",
    "a class, a text or a RegExp",
    expected,
  );
  const handle = readHandle(received, "toHaveThrown");
  const wanted = expected === undefined ? [] : [printExpected(expected)];
  const hint = hintOn(this, "toHaveThrown", "run", ...wanted);
  const pass = handle.status === "threw" && fits(handle.error, expected);
  const what = wanted.length === 0 ? "" : ` ${wanted[0]}`;
  const claim = pass
    ? `Expected ${toolOf(handle)} not to throw${what}, but it did.`
    : `Expected ${toolOf(handle)} to throw${what}, but it ${DID[handle.status]}${handle.status === "threw" ? " something else" : ""}.`;
  const advice = handle.status === "threw" ? ADVICE : adviseOn(handle);
  return { pass, message: () => wordRun(hint, claim, handle, pass ? undefined : advice) };
}

function fits(error: unknown, expected: ErrorClass | string | RegExp | undefined): boolean {
  if (expected === undefined) return true;
  if (typeof expected === "function") return error instanceof expected;
  return saysText(isError(error) ? error.message : String(error), expected);
}

function printExpected(expected: ErrorClass | string | RegExp): string {
  if (typeof expected === "function") return expected.name;
  return typeof expected === "string" ? oneLine(expected, 80) : String(expected);
}
