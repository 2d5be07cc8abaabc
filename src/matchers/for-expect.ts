import { withoutSurprise } from "../conversation/index.js";
import { ArgumentError, UsageError } from "../errors.js";
import { spokenBy } from "../transcript/spoken.js";
import type { MatcherResult, MatcherState } from "./matcher.js";

/** A matcher as this package writes them. */
export type Matcher = (this: MatcherState, received: unknown, ...args: readonly unknown[]) => MatcherResult;

/**
 * What holds for every matcher, whatever it judges:
 *
 * - A value that throws while it is read gives a sentence; where only the message reads it, too.
 * - As an asymmetric matcher it is tried on several candidates, and those of a wrong kind are not the one.
 */
export function forExpect(name: string, matcher: Matcher): Matcher {
  return function judge(this: MatcherState, received, ...args) {
    const read = <Result>(what: () => Result) => withoutSurprise(`${name}()`, received, what, args);
    try {
      const { message, ...verdict } = read(() => matcher.call(this, received, ...args));
      return { ...verdict, message: () => read(message) };
    } catch (error) {
      // Under `expect.not` neither: an argument of a wrong kind would do for any.
      if (isAsymmetric(this) && !(error instanceof ArgumentError))
        return { pass: this.isNot === true, message: String };
      throw error;
    }
  };
}

/** Vitest says how a promise is awaited only where there is an `expect(…)` to await it. */
function isAsymmetric(state: MatcherState): boolean {
  return !("promise" in state);
}

/** A matcher that refuses a model nobody called: it keeps whatever is asked of it, and says nothing about the loop. */
export function judgingCalls(name: string, matcher: Matcher): Matcher {
  return function judge(this: MatcherState, received, ...args) {
    if (spokenBy(received)?.requests.length === 0) {
      throw new UsageError(
        `${name}() has nothing to judge: expected a model that was called, found one that never was. ` +
          "Await the loop, and check that it calls this model. If it should not, say expect(model).not.toHaveBeenCalled().",
      );
    }
    return matcher.call(this, received, ...args);
  };
}
