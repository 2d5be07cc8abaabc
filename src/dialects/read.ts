import { UsageError } from "../errors.js";
import { isRecord, oneLine } from "../json.js";
import type { Part, Role, TranscriptMessage } from "../transcript/types.js";
import { type WireList, WireMessage } from "../transcript/wire.js";

/**
 * Reads a list of messages one by one.
 *
 * @param list - How its dialect reads one of them.
 * @throws {UsageError} when it is no list, or at the position of an entry that is no object. What an object lacks to be a
 *   message is for the rules to say.
 */
export function readList(messages: unknown, list: WireList): readonly TranscriptMessage[] {
  const { at } = list;
  if (!Array.isArray(messages)) {
    throw new UsageError(`Cannot read ${at}: expected a list of messages, found ${oneLine(messages, 80)}.`, { at });
  }
  // Array.from visits the holes of a sparse list, which map() would pass over.
  return Array.from(messages, (message: unknown, index) => {
    if (isRecord(message)) return new WireMessage(list, index, message);
    const place = `${at}[${index}]`;
    throw new UsageError(
      `Cannot read ${place}: expected a message, an object with a role, found ${oneLine(message, 80)}.`,
      { at: place },
    );
  });
}

/** The role as the wire has it. */
export function roleOf({ role }: Record<string, unknown>): Role {
  return textOrEmpty(role);
}

/** A string, or `""` where the wire has something else: rules report what is missing, readers only keep going. */
export function textOrEmpty(value: unknown): string {
  return typeof value === "string" ? value : "";
}

/** What a list of parts may hold that no dialect knows. */
export function unknownPart(part: unknown, at: string): Part {
  return { kind: "unknown", type: isRecord(part) ? textOrEmpty(part.type) || "part" : "part", at, wire: part };
}
