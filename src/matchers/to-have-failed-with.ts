import { asSource, isAsymmetricMatcher, isPattern, isRecord, oneLine } from "../json.js";
import { anything, type OptionsShape, requireOptions } from "../options.js";
import type { Failure } from "../tool/failure.js";
import { ADVICE, adviseOn, DID, readHandle, toolOf, wordRun } from "./handle.js";
import {
  diffOf,
  hintOn,
  isEqual,
  type MatcherResult,
  type MatcherReturn,
  type MatcherState,
  requireArgument,
} from "./matcher.js";
import { saysText } from "./says-text.js";

/** What is expected of a failure. What is left out may be anything. */
export interface FailureExpectation {
  readonly code?: string;
  /** The whole message, or a pattern it matches. Asymmetric matchers are allowed. */
  readonly message?: unknown;
  readonly retryable?: boolean;
}

export interface ToHaveFailedWith {
  /**
   * Passes when the tool failed on purpose and its message contains the text, matches the pattern, or its failure has
   * these fields.
   *
   * @throws {UsageError} when the subject is no handle of `runTool`, or nothing is expected of the failure.
   * @example
   * expect(run).toHaveFailedWith("No record");
   * expect(run).toHaveFailedWith({ code: "invalid_input", message: /query/ });
   */
  toHaveFailedWith(expected: string | RegExp | FailureExpectation): MatcherReturn<this>;
}

const NAME = "toHaveFailedWith";
const FIELDS: OptionsShape<FailureExpectation> = { code: anything, message: anything, retryable: anything };

export function toHaveFailedWith(
  this: MatcherState,
  received: unknown,
  expected: string | RegExp | FailureExpectation,
): MatcherResult {
  const isText = typeof expected === "string" || isPattern(expected);
  requireArgument(
    isText || (isRecord(expected) && Object.keys(expected).length > 0),
    NAME,
    "a text, a RegExp or { code?, message?, retryable? }",
    expected,
  );
  const isFields = !isText && !isAsymmetricMatcher(expected);
  if (isFields) requireOptions(expected, FIELDS, `${NAME}()`);
  const handle = readHandle(received, NAME);
  const hint = hintOn(this, NAME, "run", isText ? printText(expected) : "failure");
  if (handle.status !== "failed") {
    const claim = `Expected ${toolOf(handle)} to fail on purpose, but it ${DID[handle.status]}.`;
    return { pass: false, message: () => wordRun(hint, claim, handle, adviseOn(handle)) };
  }
  const { error } = handle;
  const pass = isText
    ? saysText(error.message, expected)
    : isFields
      ? hasFields(this, error, expected)
      : isEqual(this, error, expected);
  const wanted = isText
    ? `a message that ${typeof expected === "string" ? "contains" : "matches"} ${printText(expected)}`
    : asSource(expected, 80);
  const claim = pass
    ? `Expected ${toolOf(handle)} not to fail with ${wanted}, but it did.`
    : `Expected ${toolOf(handle)} to fail with ${wanted}, but it failed with something else.`;
  const diff = pass ? {} : diffOf(this, isText ? error.message : error, expected);
  return { pass, message: () => wordRun(hint, claim, handle, pass ? undefined : ADVICE), ...diff };
}

function hasFields(state: MatcherState, failure: Failure, expected: FailureExpectation): boolean {
  return Object.entries(expected).every(([field, value]) => {
    if (field === "message" && isPattern(value)) return saysText(failure.message, value);
    return isEqual(state, failure[field as keyof Failure], value);
  });
}

function printText(expected: string | RegExp): string {
  return typeof expected === "string" ? oneLine(expected, 80) : String(expected);
}
