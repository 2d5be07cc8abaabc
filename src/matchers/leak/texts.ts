import { readJson } from "../../json.js";

/** One text of a value, and where it stands. */
export interface FoundText {
  readonly at: string;
  readonly text: string;
  readonly isKey: boolean;
}

/**
 * Visits every text in a value: strings, numbers, keys, and what JSON texts hold once decoded; in arrays, objects, Maps,
 * Sets and Errors. Total: cycles, throwing getters and any depth are fine.
 *
 * `visit` says whether it found something. A JSON text it found something in is not decoded, and a key it found
 * something in is left out of the paths below it: they are printed.
 *
 * @param visited - What was visited before; conversations share their messages.
 */
export function visitTexts(
  root: unknown,
  at: string,
  visit: (found: FoundText) => boolean,
  visited: WeakSet<object> = new WeakSet(),
): void {
  // Not recursive: nothing limits the depth of what a tool returned.
  const open: { value: unknown; at: string }[] = [{ value: root, at }];
  for (let next = open.pop(); next; next = open.pop()) {
    const { value, at } = next;
    if (typeof value === "string") {
      if (visit({ at, text: value, isKey: false }) || !/^\s*[[{"]/.test(value)) continue;
      const decoded = readJson(value);
      if (decoded.ok) open.push({ value: decoded.value, at: `${at} (decoded)` });
    } else if (typeof value === "number" || typeof value === "bigint") {
      visit({ at, text: String(value), isKey: false });
    } else if (typeof value === "object" && value !== null && !visited.has(value)) {
      visited.add(value);
      open.push(...childrenOf(value, at, visit).reverse());
    }
  }
}

function childrenOf(value: object, at: string, visit: (found: FoundText) => boolean): { value: unknown; at: string }[] {
  if (Array.isArray(value)) return value.map((item, index) => ({ value: item, at: `${at}[${index}]` }));
  if (value instanceof Set) return [...value].map((item, index) => ({ value: item, at: `${at}[${index}]` }));
  if (value instanceof URL) return [{ value: value.href, at }];
  if (ArrayBuffer.isView(value)) return [];
  const entries: [unknown, () => unknown][] =
    value instanceof Map
      ? [...value].map(([key, item]) => [key, () => item])
      : keysOf(value).map((key) => [key, () => (value as Record<string, unknown>)[key]]);
  return entries.map(([key, read]) => {
    const name = String(key);
    const path = visit({ at: `a key of ${at || "the subject"}`, text: name, isKey: true })
      ? `${at}[…]`
      : /^[A-Za-z_$][\w$]*$/.test(name)
        ? `${at && `${at}.`}${name}`
        : `${at}[${JSON.stringify(name)}]`;
    return { value: readSafely(read), at: path };
  });
}

/** What an Error says does not show among its enumerable keys. */
function keysOf(value: object): string[] {
  const keys = Object.keys(value);
  return value instanceof Error ? [...new Set(["name", "message", "stack", "cause", ...keys])] : keys;
}

function readSafely(read: () => unknown): unknown {
  try {
    return read();
  } catch {
    return undefined;
  }
}
