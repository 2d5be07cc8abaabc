import type { matchers } from "./index.js";
import { MATCHER_NAMES } from "./names.js";

type Matchers = typeof matchers;

/**
 * Matchers that are loaded when the first of them is called. The setup file runs before every test file of a suite, and
 * most of those files call none: they would pay for the rules of all APIs.
 */
export function matchersOnDemand(load: () => Matchers): Matchers {
  let loaded: Matchers | undefined;
  return Object.fromEntries(
    MATCHER_NAMES.map((name) => [
      name,
      function called(this: unknown, ...args: never[]) {
        loaded ??= load();
        try {
          return (loaded[name] as (...args: never[]) => unknown).apply(this, args);
        } catch (error) {
          // It points at the line that used the matcher, not into here.
          if (isUsageError(error)) Error.captureStackTrace?.(error, called);
          throw error;
        }
      },
    ]),
  ) as never;
}

/** By name: what is loaded has a class of its own. */
function isUsageError(error: unknown): error is Error {
  return error instanceof Error && error.name === "UsageError";
}
