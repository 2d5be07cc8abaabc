import type { Runnable } from "../runnable.js";
import { readAiSdkTool } from "./ai-sdk.js";
import { readAnthropicTool } from "./anthropic.js";
import type { ForeignOptions, ReadForeignTool } from "./foreign.js";
import { readLangChainTool } from "./langchain.js";
import { readMastraTool } from "./mastra.js";
import { readMcpTool } from "./mcp.js";
import { readOpenAiAgentsTool } from "./openai-agents.js";
import { readTanStackTool } from "./tanstack-ai.js";

/** Those with a mark of their own before those known by their fields. A framework is a file and a line here. */
const READERS: readonly ReadForeignTool[] = [
  readMastraTool,
  readTanStackTool,
  readLangChainTool,
  readOpenAiAgentsTool,
  readAnthropicTool,
  readMcpTool,
  readAiSdkTool,
];

/** The frameworks, for a sentence. */
export const KNOWN_FRAMEWORKS =
  "the AI SDK, Mastra, LangChain, OpenAI Agents, the Anthropic SDK, TanStack AI or mcpTool()";

/** Recognises a framework's tool by its shape; undefined when it is none's. */
export function readForeignTool(tool: unknown, options: ForeignOptions): Runnable | undefined {
  if (typeof tool !== "object" || tool === null) return undefined;
  for (const read of READERS) {
    const runnable = read(tool as Record<string, unknown>, options);
    if (runnable) return runnable;
  }
  return undefined;
}
