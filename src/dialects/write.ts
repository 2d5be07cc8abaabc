import { isRecord, oneLine } from "../json.js";
import { textOf } from "../transcript/queries.js";
import type { Part, ResultPart } from "../transcript/types.js";
import type { Loss, ToolResult } from "./dialect.js";

/** The keys of a wire value that reading gave a name, in any dialect. All others are its own affair. */
export const READ = {
  message: ["role", "content", "tool_calls", "function_call", "reasoning", "reasoning_content", "refusal"],
  text: ["type", "text"],
  refusal: ["type", "refusal"],
  thinking: ["type", "thinking", "signature", "data"],
  call: ["type", "id", "name", "input", "function", "custom", "arguments"],
  media: ["type", "source", "image_url"],
  result: ["type", "role", "content", "name", "tool_call_id", "tool_use_id", "is_error"],
} as const;

/** One transcript being written: what it is written with, and what finds no place. */
export class Writing {
  /** Whether it is written in the dialect it was read from, so that what only that dialect knows can be kept. */
  readonly own: boolean;
  readonly lost: Loss[] = [];

  constructor(own: boolean) {
    this.own = own;
  }

  lose(at: string, what: string): void {
    this.lost.push({ at, what });
  }

  /**
   * Adds to a written value the fields of the wire value that reading gave no name; in another dialect they are lost.
   * A key that says nothing, such as `refusal: null`, is kept or dropped without a word.
   */
  complete(written: Record<string, unknown>, wire: unknown, at: string, read: readonly string[]): unknown {
    if (!isRecord(wire)) return written;
    for (const [key, value] of Object.entries(wire)) {
      if (this.own) {
        if (!(key in written) && (!read.includes(key) || saysNothing(value))) written[key] = value;
      } else if (!read.includes(key) && !saysNothing(value)) {
        this.lose(at, key);
      }
    }
    return written;
  }
}

function saysNothing(value: unknown): boolean {
  return value === undefined || value === null || value === "" || (Array.isArray(value) && value.length === 0);
}

/** Whether a text stands as a plain string where a list of parts could stand too. */
export function isPlainText(parts: readonly Part[]): boolean {
  return parts.length === 1 && parts[0]!.kind === "text" && parts[0]!.at.endsWith(".content");
}

/** The text a result is sent as where the wire takes only text; what is no text in it is lost. */
export function resultAsText(result: ResultPart, writing: Writing): string {
  const { content, raw } = result;
  if (typeof content === "string") return content;
  if (content === undefined) return raw === undefined || raw === null ? "" : valueAsText({ value: raw });
  for (const part of content) if (part.kind !== "text") writing.lose(part.at, part.kind);
  return textOf({ parts: content });
}

/**
 * What a tool returned, as the text most APIs want: strings as they are, `undefined` as `null`, the rest as JSON. What is
 * no JSON, such as a cycle, is named.
 */
export function valueAsText({ value }: Pick<ToolResult, "value">): string {
  if (typeof value === "string") return value;
  try {
    return JSON.stringify(value) ?? "null";
  } catch {
    return oneLine(value, Number.POSITIVE_INFINITY);
  }
}
