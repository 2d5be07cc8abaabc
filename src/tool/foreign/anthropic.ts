import { ToolFailure } from "../failure.js";
import { type Reading, wordParseError } from "../schema.js";
import { CALL_ID, foreignTool, nameOf, type ReadForeignTool, requireFunction, wordContent } from "./foreign.js";

/** Tools of the Anthropic SDK's tool runner: `betaTool`, `betaZodTool`. Its `ToolError` is a failure on purpose. */
export const readAnthropicTool: ReadForeignTool = (tool) => {
  if (!("input_schema" in tool && "parse" in tool)) return undefined;
  const run = requireFunction(tool, "run", "Anthropic") as (input: unknown, context: object) => unknown;
  const parse = requireFunction(tool, "parse", "Anthropic") as (content: unknown) => unknown;
  const name = nameOf(tool);
  return foreignTool({
    name,
    takesWire: true,
    readInput: async (value) => readParsed(() => parse(value)),
    async execute(input, ctx) {
      const toolUse = { type: "tool_use", id: CALL_ID, name, input };
      try {
        return await run(input, { toolUse, toolUseBlock: toolUse, signal: ctx.signal });
      } catch (error) {
        if (isToolError(error)) throw new ToolFailure(wordContent(error.content));
        throw error;
      }
    },
  });
};

function readParsed(parse: () => unknown): Reading {
  try {
    return { ok: true, value: parse() };
  } catch (error) {
    return { ok: false, issues: wordParseError(error) };
  }
}

function isToolError(error: unknown): error is Error & { content: string | readonly unknown[] } {
  if (!(error instanceof Error && "content" in error)) return false;
  return error.constructor.name === "ToolError" && (typeof error.content === "string" || Array.isArray(error.content));
}
