import type { StandardSchemaV1 } from "@standard-schema/spec";
import type { ToolContext } from "../context.js";
import { isSchema, type Reading, readThrough } from "../schema.js";
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

/** What the SDK makes of a JSON schema: `jsonSchema(schema, { validate })`. */
interface SdkSchema {
  readonly jsonSchema: unknown;
  readonly validate?: (value: unknown) => SdkVerdict | PromiseLike<SdkVerdict>;
}
type SdkVerdict =
  | { readonly success: true; readonly value: unknown }
  | { readonly success: false; readonly error: Error };

/** Tools of the AI SDK, versions 5 to 7: a plain object with `inputSchema` and `execute`, without a name. */
export const readAiSdkTool: ReadForeignTool = (tool, options) => {
  if (!("inputSchema" in tool) || "__toolSide" in tool || "name" in tool) return undefined;
  const execute = requireFunction(tool, "execute", "AI SDK") as (input: unknown, options: object) => unknown;
  const callOptions = ({ context, signal }: ToolContext) => ({
    toolCallId: CALL_ID,
    messages: [],
    abortSignal: signal,
    context,
    // Its name before version 7.
    experimental_context: context,
  });
  return foreignTool({
    name: nameOf(tool),
    suspends: APPROVAL,
    contextSchema: isSchema(tool.contextSchema) ? tool.contextSchema : undefined,
    readInput: (value) => readInput(tool.inputSchema, value),
    async gate(input, ctx) {
      if (await needsApproval(input, options, tool.needsApproval, callOptions(ctx))) await askApproval(ctx, input);
    },
    execute: async (input, ctx) => lastOf(await execute(input, callOptions(ctx)), ctx),
  });
};

async function readInput(given: unknown, value: unknown): Promise<Reading> {
  const schema = typeof given === "function" && !isSchema(given) ? given() : given;
  if (isSchema(schema)) return readThrough(schema as StandardSchemaV1, value);
  const verdict = await (schema as SdkSchema).validate?.(value);
  // A schema that cannot validate is taken at its word, as the SDK does.
  if (!verdict) return { ok: true, value };
  return verdict.success ? { ok: true, value: verdict.value } : { ok: false, issues: verdict.error.message };
}

/** The last of the results a tool streams is its output; each is recorded as it comes, under `preliminary`. */
async function lastOf(result: unknown, ctx: ToolContext): Promise<unknown> {
  if (!isAsyncIterable(result)) return result;
  let last: unknown;
  for await (const item of result) {
    ctx.signal.throwIfAborted();
    ctx.data.write("preliminary", item);
    last = item;
  }
  return last;
}

function isAsyncIterable(value: unknown): value is AsyncIterable<unknown> {
  return typeof value === "object" && value !== null && Symbol.asyncIterator in value;
}
