import { readHandle, wordRun } from "./handle.js";
import { hintOn, type MatcherResult, type MatcherReturn, type MatcherState } from "./matcher.js";

export interface ToBeCancelled {
  /**
   * Passes when the run was cancelled by its signal. A tool that throws an AbortError of its own threw.
   *
   * @throws {UsageError} when the subject is no handle of `runTool`.
   * @example
   * controller.abort();
   * expect(await pending).toBeCancelled();
   */
  toBeCancelled(): MatcherReturn<this>;
}

export function toBeCancelled(this: MatcherState, received: unknown): MatcherResult {
  const handle = readHandle(received, "toBeCancelled");
  const hint = hintOn(this, "toBeCancelled", "run");
  const pass = handle.status === "cancelled";
  const claim = pass
    ? `Expected the run of ${handle.tool} not to be cancelled, but it was.`
    : `Expected the run of ${handle.tool} to be cancelled, but it was not.`;
  return { pass, message: () => wordRun(hint, claim, handle) };
}
