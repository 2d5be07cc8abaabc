import { cutText, kindOf, readJson } from "../../json.js";

/** One text of a value, and where it stands. */
export interface FoundText {
  readonly at: string;
  readonly text: string;
  readonly isKey: boolean;
}

/** What visiting a text says: whether something was found in it. */
type Visit = (found: FoundText) => boolean;

/** A value still to visit. */
interface Open {
  readonly value: unknown;
  readonly at: string;
  /** How many `toJSON` made it: each may give a new object with another, without end. */
  readonly made: number;
}

/** No value is made of values deeper than this. */
const MADE = 8;

/**
 * Visits every text in a value: strings, numbers, keys, and what JSON texts hold once decoded, in whatever a value can
 * be sent as: arrays, objects, what their `toJSON` gives, Maps, Sets, Errors, headers, addresses, bytes that are text.
 * Total: cycles, throwing getters and any depth are fine.
 *
 * `visit` says whether it found something. A JSON text it found something in is not decoded, and a key it found
 * something in is left out of the paths below it: they are printed.
 *
 * @param visited - What was visited before; conversations share their messages.
 */
export function visitTexts(root: unknown, at: string, visit: Visit, visited: WeakSet<object> = new WeakSet()): void {
  // Not recursive: nothing limits the depth of what a tool returned.
  const open: Open[] = [{ value: root, at, made: 0 }];
  for (let next = open.pop(); next; next = open.pop()) {
    const { value, at, made } = next;
    if (typeof value === "string") {
      if (!visit({ at, text: value, isKey: false })) open.push(...decoded(value, at, made));
    } else if (typeof value === "number" || typeof value === "bigint") {
      visit({ at, text: String(value), isKey: false });
    } else if (typeof value === "object" && value !== null && !visited.has(value)) {
      visited.add(value);
      open.push(...childrenOf(next, visit).reverse());
    }
  }
}

/** The value of a JSON text; of a text of several, the value of each line, also behind the field name of an event. */
function decoded(text: string, at: string, made: number): Open[] {
  const whole = decode(text);
  if (whole.length > 0) return whole.map((value) => ({ value, at: `${at} (decoded)`, made }));
  if (!text.includes("\n")) return [];
  const lines = text.split(/\r?\n/);
  return lines.flatMap((line, index) =>
    decode(line.replace(/^data: ?/, "")).map((value) => ({ value, at: `${at} (line ${index + 1}, decoded)`, made })),
  );
}

function decode(text: string): unknown[] {
  if (!/^\s*[[{"]/.test(text)) return [];
  const reading = readJson(text);
  return reading.ok ? [reading.value] : [];
}

function childrenOf({ value, at, made }: Open, visit: Visit): Open[] {
  const children = entriesOf(value as object).map(([key, read]): Open => {
    const child = readSafely(read);
    if (key === undefined) return { value: child, at, made };
    if (typeof key === "number") return { value: child, at: `${at}[${key}]`, made };
    const isLeak = visit({ at: `a key of ${at || "the subject"}`, text: key, isKey: true });
    return { value: child, at: isLeak ? `${at}[…]` : `${at}${step(key, at)}`, made };
  });
  const json = made < MADE ? readSafely(() => jsonOf(value as object)) : undefined;
  if (json !== undefined) children.push({ value: json, at, made: made + 1 });
  return children;
}

function step(key: string, at: string): string {
  if (/^[A-Za-z_$][\w$]*$/.test(key)) return `${at && "."}${cutText(key, 60)}`;
  return `[${cutText(JSON.stringify(key), 60)}]`;
}

type Entry = readonly [key: string | number | undefined, read: () => unknown];

/** What an object holds, each under its key, its number, or in its own place. */
function entriesOf(value: object): Entry[] {
  if (Array.isArray(value)) return value.map((item, index) => [index, () => item]);
  if (ArrayBuffer.isView(value)) return [[undefined, () => textOfBytes(value)]];
  const kind = kindOf(value);
  // An object may say that it is a Map and be none.
  const inside = readSafely(() => INSIDE.get(kind)?.(value as never));
  return inside ?? keysOf(value, kind).map((key) => [key, () => (value as Record<string, unknown>)[key]]);
}

/** What is in objects that do not show it among their keys. */
const INSIDE = new Map<string, (value: never) => Entry[]>([
  ["ArrayBuffer", (bytes: ArrayBuffer) => [[undefined, () => textOfBytes(bytes)]]],
  ["String", unboxed],
  ["Number", unboxed],
  ["Set", (items: Iterable<unknown>) => [...items].map((item, index) => [index, () => item])],
  ["Map", pairsOf],
  ["URLSearchParams", pairsOf],
  ["Headers", pairsOf],
  ["FormData", pairsOf],
]);

function unboxed(boxed: string | number): Entry[] {
  return [[undefined, () => boxed.valueOf()]];
}

/** A key may be an object too; only a text can stand in a path. */
function pairsOf(pairs: Iterable<readonly [unknown, unknown]>): Entry[] {
  return [...pairs].flatMap(([key, item], index): Entry[] => {
    if (typeof key !== "object") return [[String(key), () => item]];
    return [key, item].map((held) => [index, () => held]);
  });
}

/** What an Error says does not show among its enumerable keys. */
function keysOf(value: object, kind: string): string[] {
  const keys = Object.keys(value);
  return kind === "Error" ? [...new Set(["name", "message", "stack", "cause", "errors", ...keys])] : keys;
}

/** What stands in the JSON text instead of the object itself; undefined where that is the object. */
function jsonOf(value: object): unknown {
  if (ArrayBuffer.isView(value)) return undefined;
  const { type, data, toJSON } = value as { type?: unknown; data?: unknown; toJSON?: unknown };
  if (typeof toJSON === "function") return toJSON.call(value, "");
  // What is left of a Buffer that was sent as JSON.
  if (type === "Buffer" && Array.isArray(data)) return textOfBytes(Uint8Array.from(data as number[]));
  return undefined;
}

/** Bytes as text, where they are text. */
function textOfBytes(bytes: ArrayBuffer | ArrayBufferView): string | undefined {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes as BufferSource);
  } catch {
    return undefined;
  }
}

function readSafely<Result>(read: () => Result): Result | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}
