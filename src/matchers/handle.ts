import { UsageError } from "../errors.js";
import { isRecord, oneLine } from "../json.js";
import { isRunToolHandle, type RunToolHandle } from "../tool/handle.js";
import { wordOutcome } from "../tool/outcome.js";

/**
 * The subject of a handle matcher.
 *
 * @throws {UsageError} when it is anything else; a promise gets told to be awaited.
 */
export function readHandle(received: unknown, matcher: string): RunToolHandle {
  if (isRunToolHandle(received)) return received;
  throw noHandle(received, matcher, "the handle that runTool() gives");
}

export function noHandle(received: unknown, matcher: string, wanted: string): UsageError {
  const isPromise = isRecord(received) && typeof received.then === "function";
  const found = isPromise
    ? `a promise. Await it first: expect(await runTool(tool, …)).${matcher}(…).`
    : `${oneLine(received, 80)}. Use expect(await runTool(tool, …)).${matcher}(…).`;
  return new UsageError(`${matcher}() needs a run: expected ${wanted}, found ${found}`);
}

/** Hint, claim, and what the tool did: the evidence of every handle matcher. */
export function wordRun(hint: string, claim: string, handle: RunToolHandle): string {
  return [hint, claim, wordOutcome(handle.tool, handle)].join("\n\n");
}
