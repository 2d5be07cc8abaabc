import { stripVTControlCharacters } from "node:util";

/**
 * Runs an assertion that has to fail and returns what a developer reads: the message without colours.
 *
 * @throws when the assertion passed: a test of a failure message must not pass by not failing.
 */
export function failureOf(assertion: () => unknown): string {
  let result: unknown;
  try {
    result = assertion();
  } catch (error) {
    return stripVTControlCharacters(error instanceof Error ? error.message : String(error));
  }
  throw new Error(
    `Expected the assertion to fail, but it passed${result === undefined ? "" : " (and returned something)"}.`,
  );
}

/** The failure with its `actual` and `expected`, of which Vitest prints the one diff. */
export function diffOf(assertion: () => unknown): { actual: unknown; expected: unknown } {
  try {
    assertion();
  } catch (error) {
    const { actual, expected } = error as { actual: unknown; expected: unknown };
    return { actual, expected };
  }
  throw new Error("Expected the assertion to fail, but it passed.");
}
