import type { MatcherState } from "vitest";
import { ArgumentError } from "../errors.js";
import { oneLine } from "../json.js";
import { spokenBy } from "../transcript/spoken.js";

/** What Vitest hands a matcher as `this`. */
export type { MatcherState };

/** What a matcher answers. `actual` and `expected` make Vitest print the one diff; never both and a diff in the message. */
export interface MatcherResult {
  readonly pass: boolean;
  readonly message: () => string;
  readonly actual?: unknown;
  readonly expected?: unknown;
}

/**
 * The type a matcher call has: `void` for `expect(x).m()`, a promise for `.resolves`, `.rejects` and `expect.poll`, and
 * `any` as an asymmetric matcher. Reads it off `toBe`, so it is right on Vitest 4 and 5 alike.
 */
// biome-ignore lint/suspicious/noExplicitAny: an asymmetric matcher stands for any value.
export type MatcherReturn<Self> = Self extends { toBe: (...args: any[]) => infer Result } ? Result : any;

/** Compares with the test's custom testers, and iterables by their items, as `toEqual` does. */
export function isEqual(state: MatcherState, actual: unknown, expected: unknown): boolean {
  return state.equals(actual, expected, [...(state.customTesters ?? []), state.utils.iterableEquality]);
}

/** The first line of a failure message: `expect(messages).not.toHaveCalledTool("search")`. */
export function hintFor(state: MatcherState, matcher: string, subject: unknown, ...args: readonly string[]): string {
  return hintOn(state, matcher, spokenBy(subject) ? "model" : "messages", ...args);
}

/** {@link hintFor}, with a name of its own for the subject. */
export function hintOn(state: MatcherState, matcher: string, subject: string, ...args: readonly string[]): string {
  const [first = "", second] = args;
  return state.utils.matcherHint(matcher, subject, first, {
    isNot: state.isNot ?? false,
    promise: state.promise ?? "",
    ...(second === undefined ? {} : { secondArgument: second }),
  });
}

/** A diff to return with a failure; nothing under `.not`, where it would mislead. */
export function diffOf(
  state: MatcherState,
  actual: unknown,
  expected: unknown,
): { actual?: unknown; expected?: unknown } {
  return state.isNot ? {} : { actual, expected };
}

/** @throws {ArgumentError} when an argument is not what the matcher takes. */
export function requireArgument(holds: boolean, matcher: string, wanted: string, found: unknown): void {
  if (!holds) throw new ArgumentError(`${matcher}() takes ${wanted}, found ${oneLine(found, 80)}.`);
}
