import { isRecord } from "../../json.js";
import { detectList, hasForeignKeys, hasSource } from "../detect.js";
import type { Detection } from "../dialect.js";

/** Block types of this API alone. */
const OWN_BLOCKS =
  /^(tool_use|tool_result|thinking|redacted_thinking|search_result|container_upload)$|_tool_(use|result)$/;

/** Part types that other providers and frameworks use. */
export const FOREIGN_BLOCKS = /^(image_url|input_audio|refusal|file|input_text|output_text)$|^tool-|^toolCall/;

export function detect(value: unknown): Detection {
  return detectList(value, detectMessage);
}

function detectMessage(message: Record<string, unknown>): Detection {
  const { role, content } = message;
  if (hasForeignKeys(message) || role === "developer" || role === "function") return "no";
  if ("tool_calls" in message || "tool_call_id" in message || "function_call" in message) return "no";
  if (!Array.isArray(content)) return "maybe";
  for (const block of content) {
    if (!isRecord(block) || typeof block.type !== "string") continue;
    if (OWN_BLOCKS.test(block.type)) return "yes";
    if (FOREIGN_BLOCKS.test(block.type)) return "no";
    if (hasSource(block)) return "yes";
  }
  return "maybe";
}
