import { UsageError } from "../errors.js";
import { isRecord, oneLine } from "../json.js";
import type { TranscriptMessage } from "../transcript/types.js";

/**
 * Reads a list of messages one by one.
 *
 * @throws {UsageError} when it is no list, or at the position of an entry that is no message.
 */
export function readList(
  messages: unknown,
  at: string,
  readMessage: (message: unknown, at: string) => TranscriptMessage,
): TranscriptMessage[] {
  if (!Array.isArray(messages)) {
    throw new UsageError(`Cannot read ${at}: expected a list of messages, found ${oneLine(messages, 80)}.`, { at });
  }
  // Array.from visits the holes of a sparse list, which map() would pass over.
  return Array.from(messages, (message, index) => readMessage(message, `${at}[${index}]`));
}

/**
 * Makes sure that an entry of a message list can be read at all.
 *
 * @throws {UsageError} at `at` when it is no object with a `role`.
 */
export function requireMessage(message: unknown, at: string): Record<string, unknown> & { role: string } {
  if (isRecord(message) && typeof message.role === "string")
    return message as Record<string, unknown> & { role: string };
  const found = isRecord(message) ? `one with role ${oneLine(message.role, 40)}` : oneLine(message, 80);
  throw new UsageError(`Cannot read ${at}: expected a message, an object with a role, found ${found}.`, { at });
}

/** @throws {UsageError} at `at` when a value is neither absent nor a list. */
export function requireList(value: unknown, at: string, what: string): readonly unknown[] | undefined {
  if (value === undefined || value === null || Array.isArray(value)) return value ?? undefined;
  throw new UsageError(`Cannot read ${at}: expected ${what}, found ${oneLine(value, 80)}.`, { at });
}

/** A string, or `""` where the wire has something else: rules report what is missing, readers only keep going. */
export function textOrEmpty(value: unknown): string {
  return typeof value === "string" ? value : "";
}
