import { openConversation, withoutSurprise } from "../conversation/index.js";
import type { Dialect } from "../dialects/dialect.js";
import { oneLine } from "../json.js";
import { formatTranscript } from "./text.js";

export { formatAnswer } from "./answer.js";
export { formatCall, formatTranscript, type ReportOptions } from "./text.js";

/**
 * Prints a conversation as numbered text, the form every failure message of this package uses.
 *
 * @param value - Messages in any dialect, an object that holds them, or a scripted model.
 * @param dialect - The dialect they are in. Default: told from the messages.
 * @throws {UsageError} when the value holds no messages, or they are in no one dialect.
 */
export function formatConversation(value: unknown, dialect?: Dialect): string {
  const asker = "formatConversation()";
  const { transcript } = openConversation(value, asker, dialect);
  return withoutSurprise(asker, value, () => formatTranscript(transcript));
}

/** {@link formatConversation} for error messages: what cannot be read as a conversation is printed line by line. */
export function formatMessages(value: unknown): string {
  try {
    return formatConversation(value);
  } catch {
    if (!Array.isArray(value)) return `    ${oneLine(value)}`;
    const offset = Math.max(0, value.length - UNREAD_SHOWN);
    const lines = value
      .slice(offset)
      .map((message, index) => `    messages[${offset + index}]  ${oneLine(message, 120)}`);
    return lines.join("\n") || "    (no messages)";
  }
}

/** How many of the last messages are shown when they cannot be read. */
const UNREAD_SHOWN = 6;
