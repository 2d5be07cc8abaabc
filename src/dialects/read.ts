import { UsageError } from "../errors.js";
import { isRecord, oneLine } from "../json.js";
import type { Part, Role, Transcript } from "../transcript/types.js";
import type { WireList } from "../transcript/wire.js";
import { WireTranscript } from "../transcript/wire-transcript.js";

/**
 * Reads a list of messages one by one.
 *
 * @param list - How its dialect reads one of them.
 * @throws {UsageError} when it is no list, or at the position of an entry that is no object. What an object lacks to be a
 *   message is for the rules to say.
 */
export function readList(dialect: string, messages: unknown, list: WireList): Transcript {
  const { at } = list;
  if (!Array.isArray(messages)) {
    throw new UsageError(`Cannot read ${at}: expected a list of messages, found ${oneLine(messages, 80)}.`, { at });
  }
  // Counted, because the holes of a sparse list are no messages either.
  for (let index = 0; index < messages.length; index++) {
    if (isRecord(messages[index])) continue;
    const place = `${at}[${index}]`;
    const found = oneLine(messages[index], 80);
    throw new UsageError(`Cannot read ${place}: expected a message, an object with a role, found ${found}.`, {
      at: place,
    });
  }
  return new WireTranscript(dialect, list, messages);
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
