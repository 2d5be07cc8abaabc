import { oneLine } from "../json.js";
import { readHandle, wordRun } from "./handle.js";
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
  const handle = readHandle(received, "toHaveThrown");
  requireArgument(
    expected === undefined ||
      typeof expected === "function" ||
      typeof expected === "string" ||
      expected instanceof RegExp,
    "toHaveThrown",
    "a class, a text or a RegExp",
    expected,
  );
  const wanted = expected === undefined ? [] : [printExpected(expected)];
  const hint = hintOn(this, "toHaveThrown", "run", ...wanted);
  const pass = handle.status === "threw" && fits(handle.error, expected);
  const what = wanted.length === 0 ? "" : ` ${wanted[0]}`;
  const claim = pass
    ? `Expected ${handle.tool} not to throw${what}, but it did.`
    : `Expected ${handle.tool} to throw${what}, but it ${handle.status === "threw" ? "threw something else" : "did not"}.`;
  return { pass, message: () => wordRun(hint, claim, handle) };
}

function fits(error: unknown, expected: ErrorClass | string | RegExp | undefined): boolean {
  if (expected === undefined) return true;
  if (typeof expected === "function") return error instanceof expected;
  return saysText(error instanceof Error ? error.message : String(error), expected);
}

function printExpected(expected: ErrorClass | string | RegExp): string {
  if (typeof expected === "function") return expected.name;
  return typeof expected === "string" ? oneLine(expected, 80) : String(expected);
}
