import { UsageError } from "../errors.js";
import { isRecord, oneLine } from "../json.js";
import type { Part, Role, TranscriptMessage } from "../transcript/types.js";
import { type ReadParts, WireMessage } from "../transcript/wire.js";

/**
 * Reads a list of messages one by one.
 *
 * @throws {UsageError} when it is no list, or at the position of an entry that is no object with a `role`.
 */
export function readList(
  messages: unknown,
  at: string,
  readParts: ReadParts,
  roleOf: (role: string) => Role = (role) => role,
): TranscriptMessage[] {
  if (!Array.isArray(messages)) {
    throw new UsageError(`Cannot read ${at}: expected a list of messages, found ${oneLine(messages, 80)}.`, { at });
  }
  const transcript: TranscriptMessage[] = [];
  for (let index = 0; index < messages.length; index++) {
    const message: unknown = messages[index];
    if (!isRecord(message) || typeof message.role !== "string") throw unreadable(message, `${at}[${index}]`);
    transcript.push(new WireMessage(at, index, message, roleOf(message.role), readParts));
  }
  return transcript;
}

function unreadable(message: unknown, at: string): UsageError {
  let found = oneLine(message, 80);
  if (isRecord(message))
    found = "role" in message ? `one with role ${oneLine(message.role, 40)}` : "one without a role";
  return new UsageError(`Cannot read ${at}: expected a message, an object with a role, found ${found}.`, { at });
}

/** @throws {UsageError} at its place when a value is no list. */
export function requireList(value: unknown, { at }: { readonly at: string }, what: string): readonly unknown[] {
  if (Array.isArray(value)) return value;
  throw new UsageError(`Cannot read ${at}: expected ${what}, found ${oneLine(value, 80)}.`, { at });
}

/** A string, or `""` where the wire has something else: rules report what is missing, readers only keep going. */
export function textOrEmpty(value: unknown): string {
  return typeof value === "string" ? value : "";
}

/** What a list of parts may hold that no dialect knows. */
export function unknownPart(part: unknown, at: string): Part {
  return { kind: "unknown", type: isRecord(part) ? textOrEmpty(part.type) || "part" : "part", at, wire: part };
}
