import { isRecord } from "../json.js";
import { textOf } from "../transcript/queries.js";
import type { Part, ResultPart } from "../transcript/types.js";
import type { Loss, ToolResult } from "./dialect.js";

/** Collects what a transcript holds and the dialect it is written in has no place for. */
export class Losses {
  readonly list: Loss[] = [];

  add(at: string, what: string): void {
    this.list.push({ at, what });
  }

  /**
   * The fields of a wire value that reading gave no name: written back in their own dialect, listed as lost in another.
   *
   * @param own - Whether the value is being written in the dialect it was read from.
   */
  extras(wire: unknown, known: readonly string[], own: boolean, at: string): Record<string, unknown> {
    if (!isRecord(wire)) return {};
    const extras = Object.entries(wire).filter(([key]) => !known.includes(key));
    if (own) return Object.fromEntries(extras);
    for (const [key] of extras) this.add(at, key);
    return {};
  }
}

/** Whether a text stands as a plain string where a list of parts could stand too. */
export function isPlainText(parts: readonly Part[]): boolean {
  return parts.length === 1 && parts[0]!.kind === "text" && typeof parts[0]!.wire === "string";
}

/** The text a result is sent as where the wire takes only text; what is no text in it is lost. */
export function resultAsText(result: ResultPart, losses: Losses): string {
  if (result.content === undefined) return "";
  if (typeof result.content === "string") return result.content;
  for (const part of result.content) if (part.kind !== "text") losses.add(part.at, part.kind);
  return textOf({ parts: result.content });
}

/** What a tool returned, as the text most APIs want: strings as they are, `undefined` as `null`, the rest as JSON. */
export function valueAsText({ value }: ToolResult): string {
  return typeof value === "string" ? value : (JSON.stringify(value) ?? "null");
}
