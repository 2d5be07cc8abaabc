import type { DialectDefinition } from "../dialects/dialect.js";
import { dialects } from "../dialects/index.js";
import { UsageError } from "../errors.js";
import { isRecord, oneLine } from "../json.js";

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
 * Makes sure that no turn in the messages is in another dialect. Only turns count: they come from the model, while a
 * result in a foreign shape is a fault to judge.
 *
 * @throws {UsageError} at the first turn of another dialect.
 */
export function requireOneDialect(dialect: DialectDefinition, messages: readonly unknown[], at: string): void {
  messages.forEach((message, index) => {
    if (!isRecord(message) || message.role !== "assistant" || dialect.detect([message]) !== "no") return;
    const place = `${at}[${index}]`;
    const other = dialects().find((candidate) => candidate.detect([message]) === "yes");
    throw new UsageError(
      `Cannot read ${place} as "${dialect.name}": ${other ? `it is a turn in "${other.name}"` : `its keys are ${Object.keys(message).join(", ")}`}. ` +
        "One conversation has one dialect: convert the messages where they enter the history.",
      { at: place },
    );
  });
}

function unreadable(messages: readonly unknown[], at: string): UsageError {
  const index = messages.findIndex((message) => dialects().every((dialect) => dialect.detect([message]) === "no"));
  const names = dialects().map(({ name }) => `"${name}"`);
  if (index >= 0) {
    const message = messages[index];
    const shape = isRecord(message)
      ? `role ${oneLine(message.role, 40)} and keys ${Object.keys(message).slice(0, 8).join(", ")}`
      : oneLine(message, 60);
    return new UsageError(
      `Cannot tell the dialect of the messages: ${at}[${index}] has ${shape}, which fits none of ${names.join(", ")}. Name the dialect, or register your own.`,
      { at: `${at}[${index}]` },
    );
  }
  const [one, two] = dialects().flatMap((dialect) => {
    const first = messages.findIndex((message) => dialect.detect([message]) === "yes");
    return first < 0 ? [] : [{ dialect, first }];
  });
  const later = one && two ? (one.first > two.first ? one : two) : undefined;
  const earlier = later === one ? two : one;
  const place = `${at}[${later?.first ?? 0}]`;
  return new UsageError(
    `Cannot read messages in two dialects: ${at}[${earlier?.first ?? 0}] is in "${earlier?.dialect.name}", ${place} in "${later?.dialect.name}". ` +
      "Convert the messages where they enter the history.",
    { at: place },
  );
}
