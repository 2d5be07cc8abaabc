import { isRecord } from "../../json.js";
import { detectList, hasForeignKeys } from "../detect.js";
import type { Detection } from "../dialect.js";

const ROLES = new Set(["system", "developer", "user", "assistant", "tool", "function"]);

/** Part types of this API alone. */
const OWN_PARTS = new Set(["image_url", "input_audio", "refusal", "file"]);

/** Part types that other providers and frameworks use where this API has something else. */
const FOREIGN_PARTS =
  /^(tool_use|tool_result|tool-|toolCall|thinking|redacted_thinking|server_tool_use|input_text|output_text)|_tool_result$/;

export function detect(value: unknown): Detection {
  return detectList(value, detectMessage);
}

function detectMessage(message: Record<string, unknown>): Detection {
  const { role, content } = message;
  if (hasForeignKeys(message) || !ROLES.has(role as string)) return "no";
  if (typeof content === "string" && role !== "assistant" && role !== "tool")
    return role === "function" ? "yes" : "maybe";
  if (Array.isArray(content)) {
    for (const part of content) {
      if (!isRecord(part) || typeof part.type !== "string") continue;
      if (FOREIGN_PARTS.test(part.type)) return "no";
      if (OWN_PARTS.has(part.type)) return "yes";
    }
  }
  if (role === "tool") return "tool_call_id" in message ? "yes" : "maybe";
  if (role === "assistant") return detectTurn(message);
  return "maybe";
}

function detectTurn({ tool_calls: calls, function_call: legacyCall }: Record<string, unknown>): Detection {
  if (isRecord(legacyCall)) return "yes";
  if (!Array.isArray(calls)) return "maybe";
  // An empty list is this API's mistake to make: others leave the key out.
  return calls.every((call) => isRecord(call) && ("function" in call || "custom" in call)) ? "yes" : "no";
}
