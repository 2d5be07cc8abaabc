import { isRecord } from "../json.js";
import type { OfferedTool } from "./rule.js";

/**
 * Reads offered tools from the shapes in use: `{ name, input_schema }`, `{ type: "function", function: { … } }`,
 * `{ name, parameters }`, `{ name, schema }`. What has no name of its own (a provider's built-in tool) goes by its type.
 */
export function readTools(tools: readonly unknown[], at = "tools"): OfferedTool[] {
  return tools.map((tool, index) => readTool(tool, `${at}[${index}]`));
}

function readTool(tool: unknown, at: string): OfferedTool {
  if (!isRecord(tool)) return { name: "", at };
  const inner = isRecord(tool.function) ? tool.function : isRecord(tool.custom) ? tool.custom : tool;
  const name = typeof inner.name === "string" ? inner.name : typeof tool.type === "string" ? tool.type : "";
  const schema = inner.parameters ?? inner.input_schema ?? inner.inputSchema ?? inner.schema;
  return {
    name,
    at,
    ...(typeof inner.description === "string" ? { description: inner.description } : {}),
    ...(schema === undefined ? {} : { schema }),
  };
}
