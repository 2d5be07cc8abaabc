import { isRecord } from "../json.js";
import type { OfferedTool } from "./types.js";

/**
 * Reads the tools a loop passed to its model function: a list, or a record by name, of objects that hold a name, a
 * description and a schema under one of the usual keys. Undefined when it is neither, or nothing was passed.
 */
export function readOfferedTools(tools: unknown): OfferedTool[] | undefined {
  if (Array.isArray(tools)) return tools.flatMap((tool) => readTool(tool) ?? []);
  if (isRecord(tools)) return Object.entries(tools).flatMap(([name, tool]) => readTool(tool, name) ?? []);
  return undefined;
}

const SCHEMA_KEYS = ["schema", "parameters", "inputSchema", "input_schema"];

function readTool(tool: unknown, key?: string): OfferedTool | undefined {
  if (typeof tool === "string" && key === undefined) return { name: tool };
  if (typeof tool === "function") return { name: key ?? tool.name };
  if (!isRecord(tool)) return undefined;
  if (isRecord(tool.function)) return readTool(tool.function, key);
  const name = typeof tool.name === "string" ? tool.name : key;
  if (name === undefined) return undefined;
  const schemaKey = SCHEMA_KEYS.find((candidate) => tool[candidate] !== undefined);
  return {
    name,
    ...(typeof tool.description === "string" && { description: tool.description }),
    ...(schemaKey !== undefined && { schema: tool[schemaKey] }),
  };
}
