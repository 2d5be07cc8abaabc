import { UsageError } from "../errors.js";
import { isRecord, oneLine } from "../json.js";
import type { OfferedTool } from "../rules/rule.js";
import { readTools } from "../rules/tools.js";

/** @throws {UsageError} when a request body has no list of messages under this key. */
export function requireMessages(body: Readonly<Record<string, unknown>>, key = "messages"): readonly unknown[] {
  const found = body[key];
  if (Array.isArray(found)) return found;
  throw new UsageError(
    `Cannot read the request: expected a list of messages, found ${oneLine(found, 80)}, at ${key}.`,
    {
      at: key,
    },
  );
}

/** The tools a request body offers; undefined where it has no such key. */
export function offeredTools(body: Readonly<Record<string, unknown>>): readonly OfferedTool[] | undefined {
  return Array.isArray(body.tools) ? readTools(body.tools) : undefined;
}

/** What a request body holds beside the keys that are read by name. */
export function settingsOf(
  body: Readonly<Record<string, unknown>>,
  read: readonly string[],
): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(body).filter(([key]) => !read.includes(key)));
}

/** A key of a value that may be no object at all. */
export function fieldOf(value: unknown, key: string): unknown {
  return isRecord(value) ? value[key] : undefined;
}
