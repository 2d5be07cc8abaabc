import { isRecord } from "../../json.js";
import type { ToolContext } from "../context.js";
import { ToolFailure } from "../failure.js";
import { isSchema } from "../schema.js";
import type { Answered } from "../suspensions.js";
import {
  APPROVAL,
  askApproval,
  CALL_ID,
  foreignTool,
  nameOf,
  needsApproval,
  type ReadForeignTool,
  requireFunction,
} from "./foreign.js";

/** Tools of Mastra: `createTool()`, run as an agent runs them. What they write to their stream is recorded as data. */
export const readMastraTool: ReadForeignTool = (tool, options) => {
  if (!(Symbol.for("mastra.core.tool.Tool") in tool)) return undefined;
  const execute = requireFunction(tool, "execute", "Mastra") as (input: unknown, context: object) => unknown;
  const { suspendSchema, resumeSchema } = tool;
  return foreignTool({
    name: nameOf(tool),
    suspends: {
      ...APPROVAL,
      suspend: {
        ...(isSchema(suspendSchema) ? { inputSchema: suspendSchema } : {}),
        ...(isSchema(resumeSchema) ? { payloadSchema: resumeSchema } : {}),
      },
    },
    takesWire: true,
    async gate(input, ctx) {
      const own = tool.needsApprovalFn ?? tool.requireApproval;
      if (await needsApproval(input, options, own, callContext(ctx, []))) await askApproval(ctx, input);
    },
    async execute(input, ctx, answered) {
      const resumes = answered.filter(({ name }) => name === "suspend");
      // A resumed tool gets its answer handed in and does not ask again.
      for (const _ of resumes) await ctx.suspend("suspend");
      return readOutput(await execute(input, callContext(ctx, resumes)));
    },
  });
};

/** What an agent hands to a tool. */
function callContext(ctx: ToolContext, resumes: readonly Answered[]): object {
  return {
    toolCallId: CALL_ID,
    messages: [],
    agentId: ctx.agentId,
    threadId: ctx.threadId,
    abortSignal: ctx.signal,
    requestContext: requestContext(ctx.context),
    resumeData: resumes.at(-1)?.parsed,
    // Does not throw there either: the tool is expected to return after it.
    suspend: async (payload: unknown) => {
      await ctx.suspend("suspend", payload).catch(() => {});
    },
    writer: {
      write: async (chunk: unknown) => ctx.data.write("writer", chunk),
      custom: async ({ type, data }: { type: string; data?: unknown }) => ctx.data.write(type, data),
    },
  };
}

/** Its request context reads like a Map; a plain object will do. */
function requestContext(context: unknown): unknown {
  return isRecord(context) && typeof context.get !== "function" ? new Map(Object.entries(context)) : context;
}

/** Mastra reports a value that breaks a schema as a result. */
function readOutput(output: unknown): unknown {
  if (!(isRecord(output) && output.error === true && "validationErrors" in output)) return output;
  const message = String(output.message);
  if (message.startsWith("Tool input validation failed")) throw new ToolFailure({ code: "invalid_input", message });
  throw new Error(message);
}
