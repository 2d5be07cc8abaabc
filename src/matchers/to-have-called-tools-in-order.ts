import { cutText, oneLine } from "../json.js";
import type { CallPart } from "../transcript/types.js";
import { callsMadeIn, hasArguments, listCalls, shownArguments } from "./calls.js";
import {
  diffOf,
  hintFor,
  type MatcherResult,
  type MatcherReturn,
  type MatcherState,
  requireArgument,
} from "./matcher.js";
import { count, word } from "./wording.js";

/** A call to expect: by its name, or by its name and its parsed arguments. */
export type ExpectedCall = string | readonly [name: string, args: unknown];

export interface ToHaveCalledToolsInOrder {
  /**
   * Passes when the calls are exactly these, in this order: none missing, none more.
   *
   * A scripted model counts with all turns it spoke. Parallel calls count in the order the model asked for them.
   *
   * @param calls - Names, or `[name, args]` with the arguments as parsed; asymmetric matchers are allowed in them.
   * @throws {UsageError} when the subject holds no messages.
   * @example
   * expect(model).toHaveCalledToolsInOrder(["search", ["book", { seat: "12A" }]]);
   */
  toHaveCalledToolsInOrder(calls: readonly ExpectedCall[]): MatcherReturn<this>;
}

const NAME = "toHaveCalledToolsInOrder";

export function toHaveCalledToolsInOrder(
  this: MatcherState,
  received: unknown,
  expected: readonly ExpectedCall[],
): MatcherResult {
  requireArgument(
    Array.isArray(expected) && expected.every(isExpectedCall),
    NAME,
    "a list of names or [name, args] as first argument",
    expected,
  );
  const calls = callsMadeIn(received, `${NAME}()`);
  const hint = hintFor(this, NAME, received, "calls");
  const wrong = calls.findIndex((call, index) => {
    const item = expected[index];
    if (typeof item === "string") return call.name !== item;
    return !item || call.name !== item[0] || !hasArguments(this, call, item[1]);
  });

  if (wrong < 0 && calls.length === expected.length) {
    const claim = `Expected other calls, but exactly ${calls.length === 1 ? "this one was" : "these were"} made, in this order.`;
    return { pass: true, message: () => word({ hint, claim, evidence: listCalls(calls) }) };
  }
  const offender = calls[wrong];
  const found = offender
    ? wrong < expected.length
      ? `${offender.at} is ${nameNot(offender, expected[wrong]!)}`
      : `${offender.at} (${cutText(offender.name, 60)}) is one too many`
    : missing(calls.length, expected[calls.length]!);
  const wanted = expected.length === 0 ? "no calls" : `exactly ${count(expected.length, "call")} in this order`;
  const claim = `Expected ${wanted}, but ${found}.`;
  const advice = "Look for a step that ran twice, too early or not at all; or correct the list of expected calls.";
  const message = () => word({ hint, claim, evidence: listCalls(calls, offender ? [offender] : []), advice });
  // Each call is shown in the form its place was expected in, so that the diff holds nothing but differences.
  const actual = calls.map((call, index) =>
    typeof expected[index] === "string" ? call.name : [call.name, shownArguments(call)],
  );
  return { pass: false, message, ...diffOf(this, actual, expected) };
}

function missing(made: number, next: ExpectedCall): string {
  if (made === 0) return "no call was made";
  return `only ${made} ${made === 1 ? "was" : "were"} made, and ${print(next)} is missing`;
}

/** What a call is instead of the one expected in its place. */
function nameNot({ name }: CallPart, expected: ExpectedCall): string {
  const isOther = name !== (typeof expected === "string" ? expected : expected[0]);
  return isOther
    ? `${cutText(name, 60) || "a call without a name"}, and ${print(expected)} was to come there`
    : `not ${print(expected)}`;
}

function isExpectedCall(item: unknown): boolean {
  return typeof item === "string" || (Array.isArray(item) && item.length === 2 && typeof item[0] === "string");
}

function print(item: ExpectedCall): string {
  return typeof item === "string" ? cutText(item, 60) : `${cutText(item[0], 60)}(${oneLine(item[1], 80)})`;
}
