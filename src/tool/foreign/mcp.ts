import { UsageError } from "../../errors.js";
import { isRecord, oneLine } from "../../json.js";
import { ToolFailure } from "../failure.js";
import { foreignTool, type ReadForeignTool, wordContent } from "./foreign.js";

/** What is used of an MCP client: the official SDK's `Client` fits. */
export interface McpClient {
  callTool(
    params: { name: string; arguments?: Record<string, unknown> },
    resultSchema?: undefined,
    options?: { signal?: AbortSignal },
  ): Promise<unknown>;
}

/** A tool of an MCP server, as `runTool` takes it. */
export interface McpTool {
  readonly client: McpClient;
  readonly name: string;
}

/**
 * A tool of an MCP server, reached through a connected client.
 *
 * Its output is the result as the protocol has it: `{ content, structuredContent? }`. A result with `isError` is `failed`.
 *
 * @example
 * const run = await runTool(mcpTool(client, "search"), { input: { query: "tenancy" } });
 */
export function mcpTool(client: McpClient, name: string): McpTool {
  return { client, name };
}

export const readMcpTool: ReadForeignTool = (tool) => {
  const { client, name } = tool;
  if (!(isRecord(client) && typeof client.callTool === "function" && typeof name === "string")) return undefined;
  return foreignTool({
    name,
    takesWire: true,
    async execute(input, ctx) {
      if (!isRecord(input)) {
        throw new UsageError(`The MCP tool ${name} takes an object as its input, found ${oneLine(input)}.`);
      }
      const call = { name, arguments: input };
      const result = await (client as unknown as McpClient).callTool(call, undefined, { signal: ctx.signal });
      if (isRecord(result) && result.isError === true) throw readError(result);
      return result;
    },
  });
};

function readError({ content }: Record<string, unknown>): ToolFailure {
  const message = Array.isArray(content) ? wordContent(content) : oneLine(content);
  // The server refuses an input with the JSON-RPC code for invalid params, inside of a result.
  return new ToolFailure({ message, code: /^MCP error -32602\b/.test(message) ? "invalid_input" : "tool_failed" });
}
