import { isRecord } from "../../json.js";
import { detectList, hasForeignKeys, hasSource } from "../detect.js";
import type { Detection } from "../dialect.js";

/** Part types of this API alone. */
const OWN_PARTS = new Set(["image_url", "input_audio", "refusal", "file"]);

/** Part types that other providers and frameworks use where this API has something else. */
const FOREIGN_PARTS =
  /^(tool_use|tool_result|thinking|redacted_thinking|search_result|container_upload|input_text|output_text)$|^tool-|^toolCall|_tool_(use|result)$/;

export function detect(value: unknown): Detection {
  return detectList(value, detectMessage);
}

function detectMessage(message: Record<string, unknown>): Detection {
  const { role, content } = message;
  if (hasForeignKeys(message)) return "no";
  if (role === "function") return "yes";
  if (role === "assistant") {
    const verdict = detectCalls(message);
    if (verdict !== "maybe") return verdict;
  }
  if (Array.isArray(content)) {
    for (const part of content) {
      if (!isRecord(part) || typeof part.type !== "string") continue;
      if (OWN_PARTS.has(part.type)) return "yes";
      if (FOREIGN_PARTS.test(part.type) || hasSource(part)) return "no";
    }
  }
  return role === "tool" && "tool_call_id" in message ? "yes" : "maybe";
}

function detectCalls({ tool_calls: calls, function_call: legacyCall }: Record<string, unknown>): Detection {
  if (isRecord(legacyCall)) return "yes";
  if (!Array.isArray(calls)) return "maybe";
  // An empty list is this API's mistake to make: others leave the key out.
  if (calls.every(isOwnCall)) return "yes";
  // A call without its wrapper is a mistake too, unless it has the words that other shapes use.
  return calls.some(isForeignCall) ? "no" : "maybe";
}

function isOwnCall(call: unknown): boolean {
  return isRecord(call) && ("function" in call || "custom" in call);
}

function isForeignCall(call: unknown): boolean {
  return isRecord(call) && !isOwnCall(call) && ("args" in call || "input" in call);
}
