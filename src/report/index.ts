import { oneLine } from "../json.js";

/** A conversation as numbered text, one line a message. Total: it never throws. */
export function formatMessages(value: unknown): string {
  const messages = Array.isArray(value) ? value : [value];
  return messages.map((message, index) => `    messages[${index}]  ${oneLine(message)}`).join("\n");
}
