import type { DialectDefinition } from "../dialects/dialect.js";
import { dialects } from "../dialects/index.js";
import { UsageError } from "../errors.js";
import { cutText, isRecord, oneLine } from "../json.js";

/**
 * Tells which dialect messages are in. What several share is read by the first that may be it.
 *
 * @throws {UsageError} at the position where two dialects meet, or where a message fits none.
 */
export function detectDialect(messages: readonly unknown[], at: string): DialectDefinition {
  const candidates = dialects().map((dialect) => ({ dialect, verdict: dialect.detect(messages) }));
  const found =
    candidates.find(({ verdict }) => verdict === "yes") ?? candidates.find(({ verdict }) => verdict === "maybe");
  if (!found) throw unreadable(messages, at);
  if (found.verdict === "yes") requireOneDialect(found.dialect, messages, at);
  return found.dialect;
}

/**
 * Makes sure that no turn in the messages is unmistakably in another dialect. Only turns count: they come from the
 * model, while a result in a foreign shape is a fault to judge.
 *
 * @throws {UsageError} at the first turn of another dialect.
 */
export function requireOneDialect(dialect: DialectDefinition, messages: readonly unknown[], at: string): void {
  messages.forEach((message, index) => {
    if (!isRecord(message) || message.role !== "assistant" || dialect.detect([message]) !== "no") return;
    const other = dialects().find((candidate) => candidate.detect([message]) === "yes");
    if (!other) return;
    const place = `${at}[${index}]`;
    throw new UsageError(
      `Cannot read ${place} as "${dialect.name}": it is a turn in "${other.name}". ` +
        "One conversation has one dialect: convert the messages where they enter the history.",
      { at: place },
    );
  });
}

/** Says why each dialect is out of the question. */
function unreadable(messages: readonly unknown[], at: string): UsageError {
  const names = dialects().map(({ name }) => `"${name}"`);
  const index = messages.findIndex((message) => dialects().every((dialect) => dialect.detect([message]) === "no"));
  if (index >= 0) {
    readThrough(messages[index]);
    const place = `${at}[${index}]`;
    return new UsageError(
      `Cannot tell the dialect of the messages: ${place} has ${shapeOf(messages[index])}, which fits none of ${names.join(", ")}. ` +
        (isSpokenTurn(messages[index])
          ? "It is what a scripted model returned: append it as the API has it, or give the loop speakAs(model, dialect), which returns that."
          : "Name the dialect, or register your own with registerDialect(definition)."),
      { at: place },
    );
  }
  const refused = dialects().map((dialect) => ({
    name: dialect.name,
    place: `${at}[${messages.findIndex((message) => dialect.detect([message]) === "no")}]`,
  }));
  return new UsageError(
    `Cannot read the messages in one dialect: ${refused.map(({ name, place }) => `${place} is not in "${name}"`).join(", ")}. ` +
      "Convert the messages where they enter the history.",
    { at: refused[0]?.place ?? at },
  );
}

/** What throws while it is read is in no dialect either, and its own error says more. */
function readThrough(message: unknown): void {
  if (isRecord(message)) void [message.role, message.content, ...Object.values(message)];
}

/** A turn as a model function returns it: loops written for a provider's own message push it as it is. */
function isSpokenTurn(message: unknown): boolean {
  return isRecord(message) && !("role" in message) && (message.kind === "text" || message.kind === "tool_calls");
}

function shapeOf(message: unknown): string {
  if (!isRecord(message)) return oneLine(message, 60);
  const keys = cutText(Object.keys(message).slice(0, 8).join(", "), 120);
  return "role" in message
    ? `role ${oneLine(message.role, 40)} and keys ${keys}`
    : `no role, and keys ${keys || "none"}`;
}
