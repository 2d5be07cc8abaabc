/** What reading a JSON text gave: its value, or where and why it is not JSON. */
export type JsonReading =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly offset: number; readonly reason: string };

/**
 * Parses JSON text without throwing.
 *
 * @returns The value, or the offset in UTF-16 code units at which the text stops being JSON, and the engine's reason.
 */
export function readJson(text: string): JsonReading {
  try {
    return { ok: true, value: JSON.parse(text) };
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    const position = /position (\d+)/.exec(reason)?.[1];
    // V8 gives no position when the input simply ends.
    return { ok: false, offset: position === undefined ? text.length : Number(position), reason };
  }
}

/** Longest value printed in a message, in characters. What is cut says how long it was. */
export const PRINT_WIDTH = 200;

/**
 * Prints any value on one line as compact JSON, cut at `width` characters.
 *
 * Total: cycles, functions, symbols, BigInts and throwing getters are named instead of raised, because it is used
 * inside failure messages.
 */
export function oneLine(value: unknown, width: number = PRINT_WIDTH): string {
  return cutText(compact(value), width);
}

/** Cuts a text at `width` characters and says how long it was. */
export function cutText(text: string, width: number = PRINT_WIDTH): string {
  if (text.length <= width) return text;
  return `${text.slice(0, width)}… (${text.length.toLocaleString("en-US")} characters)`;
}

function compact(value: unknown): string {
  if (value === undefined) return "undefined";
  if (typeof value === "function") return value.name ? `[function ${value.name}]` : "[function]";
  if (typeof value === "symbol") return value.toString();
  if (typeof value === "bigint") return `${value}n`;
  if (typeof value === "number") return String(value);
  const open: unknown[] = [];
  try {
    const text = JSON.stringify(value, function (this: unknown, _key, inner: unknown) {
      if (typeof inner === "bigint") return `${inner}n`;
      if (typeof inner === "function") return inner.name ? `[function ${inner.name}]` : "[function]";
      if (typeof inner !== "object" || inner === null) return inner;
      // `this` is the holder: everything above it on the path is still open, everything else is closed.
      while (open.length > 0 && open.at(-1) !== this) open.pop();
      if (open.includes(inner)) return "[circular]";
      open.push(inner);
      return inner;
    });
    return text ?? "undefined";
  } catch (error) {
    return `[unprintable: ${error instanceof Error ? error.message : "it threw while being read"}]`;
  }
}

/** Whether a value is an object with keys: no array, no null. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Prints a value as the source code one would write for it, on one line: `{ role: "tool", content: "ok" }`. */
export function asSource(value: unknown, width: number = PRINT_WIDTH): string {
  return cutText(sourceOf(value), width);
}

function sourceOf(value: unknown): string {
  if (Array.isArray(value)) return value.length === 0 ? "[]" : `[${value.map(sourceOf).join(", ")}]`;
  if (!isRecord(value) || typeof value.toJSON === "function") return compact(value);
  const entries = Object.entries(value).map(([key, inner]) => {
    const name = /^[A-Za-z_$][\w$]*$/.test(key) ? key : JSON.stringify(key);
    return `${name}: ${sourceOf(inner)}`;
  });
  return entries.length === 0 ? "{}" : `{ ${entries.join(", ")} }`;
}
