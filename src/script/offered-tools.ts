import { isRecord } from "../json.js";
import { readTools } from "../rules/tools.js";
import type { OfferedTool } from "./types.js";

/**
 * Reads the tools a loop passed to its model function: a list of tools or names, or a record of tools by name.
 * Undefined when it is neither, or nothing was passed.
 */
export function readOfferedTools(tools: unknown): OfferedTool[] | undefined {
  const list = Array.isArray(tools) ? tools.map(named) : isRecord(tools) ? Object.entries(tools).map(byKey) : undefined;
  return list && readTools(list).map(({ at: _, ...tool }) => tool);
}

function named(tool: unknown): unknown {
  return typeof tool === "string" ? { name: tool } : tool;
}

function byKey([name, tool]: [string, unknown]): object {
  return { ...(isRecord(tool) && tool), name };
}
