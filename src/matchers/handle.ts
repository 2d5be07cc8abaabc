import { UsageError } from "../errors.js";
import { cutText, isRecord, oneLine } from "../json.js";
import { isRunToolHandle, type RunToolHandle } from "../tool/handle.js";
import { wordOutcome } from "../tool/outcome.js";
import { bounded, word } from "./wording.js";

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

/** The name of the tool that ran, for a sentence. */
export function toolOf({ tool }: RunToolHandle): string {
  return cutText(tool, 60);
}

/** Hint, claim, what the tool did, and what to change: the message of every handle matcher. */
export function wordRun(hint: string, claim: string, handle: RunToolHandle, advice?: string): string {
  return word({ hint, claim, evidence: bounded(wordOutcome(toolOf(handle), handle)), advice });
}

/** What a tool did, to follow "but it". */
export const DID: Readonly<Record<RunToolHandle["status"], string>> = {
  completed: "returned",
  suspended: "waits for an answer",
  failed: "failed on purpose",
  threw: "threw",
  cancelled: "was cancelled",
};

/** What to do where a tool ended in another way than expected. */
export function adviseOn({ status }: RunToolHandle): string {
  return `Correct the tool, or expect this with ${EXPECTED_WITH[status]}.`;
}

const EXPECTED_WITH: Readonly<Record<RunToolHandle["status"], string>> = {
  completed: "toHaveOutput(…)",
  suspended: "toBeSuspendedOn(…)",
  failed: "toHaveFailedWith(…)",
  threw: "toHaveThrown(…)",
  cancelled: "toBeCancelled()",
};

/** What to do where a tool ended as expected, with something else. */
export const ADVICE = "Correct the tool, or what the test expects of it.";
