import { isSchema, readThrough } from "../schema.js";
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

/** Server tools of TanStack AI: `toolDefinition(…).server(execute)`. Their events are recorded as data writes. */
export const readTanStackTool: ReadForeignTool = (tool, options) => {
  if (!("__toolSide" in tool)) return undefined;
  const execute = requireFunction(tool, "execute", "TanStack AI") as (input: unknown, context: object) => unknown;
  const { inputSchema, outputSchema } = tool;
  return foreignTool({
    name: nameOf(tool),
    suspends: APPROVAL,
    readInput: (value) => readThrough(isSchema(inputSchema) ? inputSchema : undefined, value),
    async gate(input, ctx) {
      if (await needsApproval(input, options, tool.needsApproval)) await askApproval(ctx, input);
    },
    execute: (input, ctx) =>
      execute(input, {
        toolCallId: CALL_ID,
        context: ctx.context,
        abortSignal: ctx.signal,
        emitCustomEvent: (name: string, value: unknown) => ctx.data.write(name, value),
      }),
    async readOutput(output) {
      const reading = await readThrough(isSchema(outputSchema) ? outputSchema : undefined, output);
      if (reading.ok) return reading.value;
      // Its loop throws in these words, so the tool has thrown.
      throw new Error(`Output validation failed for tool ${nameOf(tool)}: ${reading.issues}`);
    },
  });
};
