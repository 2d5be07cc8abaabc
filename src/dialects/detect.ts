import { isRecord } from "../json.js";
import type { Detection } from "./dialect.js";

/**
 * Judges a list of messages by one message at a time.
 *
 * What a model said decides first: results written in the shape of another provider are a bug to report, not another
 * dialect. The first message that settles it is enough, so no two dialects with different words for a call say yes.
 */
export function detectList(value: unknown, detectMessage: (message: Record<string, unknown>) => Detection): Detection {
  try {
    if (!Array.isArray(value)) return "no";
    let rest: Detection = "maybe";
    for (const message of value) {
      if (!isRecord(message)) return "no";
      const verdict = detectMessage(message);
      if (verdict === "maybe") continue;
      if (message.role === "assistant" && saysMoreThanText(message)) return verdict;
      if (rest === "maybe") rest = verdict;
    }
    return rest;
  } catch {
    // A getter that throws, a revoked proxy: no data of any dialect.
    return "no";
  }
}

function saysMoreThanText({ content, tool_calls: calls }: Record<string, unknown>): boolean {
  return Array.isArray(calls) || Array.isArray(content);
}

/** Keys that no message of the JSON chat APIs has: what carries one comes from a framework or from another provider. */
export function hasForeignKeys(message: Record<string, unknown>): boolean {
  return (
    "parts" in message ||
    "toolCalls" in message ||
    "toolCallId" in message ||
    "_getType" in message ||
    typeof message.role !== "string"
  );
}

/** Whether a part is an image or a document of the kind that names its `source`: one API's own way. */
export function hasSource({ type, source }: Record<string, unknown>): boolean {
  return (type === "image" || type === "document") && isRecord(source);
}
