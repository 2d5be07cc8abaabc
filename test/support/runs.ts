import { z } from "zod";
import { defineTool, type RunToolHandle, runTool } from "../../src/index.js";

export class DatabaseDownError extends Error {
  override readonly name = "DatabaseDownError";
}

/** A tool that does what its input says, writing its progress first. */
const actor = defineTool({
  name: "actor",
  inputSchema: z.object({ does: z.enum(["return", "suspend", "fail", "throw", "hang"]) }),
  suspends: { approve: { inputSchema: z.object({ draft: z.string() }) } },
  execute({ does }, ctx): unknown {
    ctx.data.write("progress", { percent: 10 });
    ctx.data.write("progress", { percent: 100 });
    if (does === "return") return { hits: ["a", "b"] };
    if (does === "suspend") return ctx.suspend("approve", { draft: "d1" });
    if (does === "fail") return ctx.fail({ message: "No record missing.", code: "not_found", retryable: false });
    if (does === "throw") throw new DatabaseDownError("The database is down.");
    return new Promise(() => {});
  },
});

/** One run of each outcome, of a tool called `actor`. */
export async function everyRun(): Promise<Record<RunToolHandle["status"], RunToolHandle>> {
  const controller = new AbortController();
  const cancelled = runTool(actor, { input: { does: "hang" }, signal: controller.signal });
  controller.abort(new Error("The user left."));
  return {
    completed: await runTool(actor, { input: { does: "return" } }),
    suspended: await runTool(actor, { input: { does: "suspend" } }),
    failed: await runTool(actor, { input: { does: "fail" } }),
    threw: await runTool(actor, { input: { does: "throw" } }),
    cancelled: await cancelled,
  };
}

/** A message with stack frames reduced to the fact that they are there. */
export function withoutFrames(message: string): string {
  return message.replace(/(\n\s+at .*)+/g, "\n    at …");
}
