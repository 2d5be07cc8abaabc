import { DID, readHandle, toolOf, wordRun } from "./handle.js";
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
    ? `Expected the run of ${toolOf(handle)} not to be cancelled, but it was.`
    : `Expected the run of ${toolOf(handle)} to be cancelled, but it ${DID[handle.status]}.`;
  const advice = pass
    ? undefined
    : "Abort the signal that runTool(…, { signal }) was given before the tool ends: an abort then beats whatever it does.";
  return { pass, message: () => wordRun(hint, claim, handle, advice) };
}
