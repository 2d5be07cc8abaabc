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
    return { ok: false, offset: faultOffset(text), reason: error instanceof Error ? error.message : String(error) };
  }
}

const SPACE = /[ \t\n\r]*/y;
/** A string up to its closing quote: anything but quotes, backslashes and control characters, and whole escapes. */
const STRING = /"[ !#-[\]-\uffff]*(?:\\(?:["\\/bfnrt]|u[\da-fA-F]{4})[ !#-[\]-\uffff]*)*/y;
const WORD = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/y;

type Expectation = "value" | "first item" | "key" | "first key" | "colon" | "comma";

/** Where a text that is not JSON stops being it. Engines name a position for some faults only, each in its own words. */
function faultOffset(text: string): number {
  const closers: string[] = [];
  let expected = "value" as Expectation;
  for (let at = endOf(SPACE, text, 0); ; at = endOf(SPACE, text, at)) {
    const char = text[at];
    const mayClose = expected === "comma" || expected === "first item" || expected === "first key";
    const isKey = expected === "key" || expected === "first key";
    if (mayClose && char !== undefined && char === closers.at(-1)) {
      closers.pop();
      expected = "comma";
      at++;
    } else if (expected === "comma" || expected === "colon") {
      if (char !== (expected === "colon" ? ":" : ",") || closers.length === 0) return at;
      expected = expected === "comma" && closers.at(-1) === "}" ? "key" : "value";
      at++;
    } else if (char === '"') {
      at = endOf(STRING, text, at);
      if (text[at] !== '"') return at;
      expected = isKey ? "colon" : "comma";
      at++;
    } else if (!isKey && (char === "{" || char === "[")) {
      closers.push(char === "{" ? "}" : "]");
      expected = char === "{" ? "first key" : "first item";
      at++;
    } else {
      const end = isKey ? at : endOf(WORD, text, at);
      if (end === at) return at;
      expected = "comma";
      at = end;
    }
  }
}

/** The end of the match that begins at `at`; `at` itself where there is none. */
function endOf(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : at;
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
  if (typeof value === "symbol") return value.toString();
  if (typeof value === "bigint") return `${value}n`;
  if (typeof value === "number") return String(value);
  const open: unknown[] = [];
  try {
    if (typeof value === "function") return nameFunction(value);
    if (isPattern(value) || isError(value)) return String(value);
    const text = JSON.stringify(value, function (this: unknown, _key, inner: unknown) {
      if (typeof inner === "bigint") return `${inner}n`;
      if (typeof inner === "function") return nameFunction(inner);
      if (typeof inner !== "object" || inner === null) return inner;
      if (isPattern(inner)) return String(inner);
      if (isAsymmetricMatcher(inner)) return nameMatcher(inner);
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

/** An asymmetric matcher of Vitest or Jest: a stand-in for many values, named instead of printed. */
export function isAsymmetricMatcher(value: object): value is { toString(): string; sample?: unknown } {
  return "asymmetricMatch" in value && typeof value.asymmetricMatch === "function";
}

function nameMatcher(matcher: { toString(): string; sample?: unknown }): string {
  return matcher.sample === undefined ? matcher.toString() : `${matcher} ${compact(matcher.sample)}`;
}

function nameFunction({ name }: { readonly name?: unknown }): string {
  return typeof name === "string" && name !== "" ? `[function ${name}]` : "[function]";
}

/**
 * What a value is by its own account: `RegExp`, `Map`. Unlike `instanceof` it is right for values from another realm,
 * which tests in a VM are to what Node loads by itself.
 */
export function kindOf(value: unknown): string {
  return Object.prototype.toString.call(value).slice(8, -1);
}

export function isError(value: unknown): value is Error {
  // An instance of a class that names itself otherwise is known by its class, an error of another realm by its kind.
  return value instanceof Error || kindOf(value) === "Error";
}

/** Whether a prototype is that of objects without a class: the last of its chain, in whatever realm. */
export function isRoot(prototype: object | null): boolean {
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}

export function isPattern(value: unknown): value is RegExp {
  return kindOf(value) === "RegExp";
}

/** Whether a value is an object with keys: no array, no null. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Prints a value as the source code one would write for it, on one line: `{ role: "tool", content: "ok" }`. */
export function asSource(value: unknown, width: number = PRINT_WIDTH): string {
  return cutText(sourceOf(value), width);
}

function sourceOf(value: unknown, open: readonly unknown[] = []): string {
  if (open.includes(value)) return "[circular]";
  const inside = [...open, value];
  if (Array.isArray(value))
    return value.length === 0 ? "[]" : `[${value.map((item) => sourceOf(item, inside)).join(", ")}]`;
  if (!isRecord(value) || typeof value.toJSON === "function") return compact(value);
  const entries = Object.entries(value).map(([key, inner]) => {
    const name = /^[A-Za-z_$][\w$]*$/.test(key) ? key : JSON.stringify(key);
    return `${name}: ${sourceOf(inner, inside)}`;
  });
  return entries.length === 0 ? "{}" : `{ ${entries.join(", ")} }`;
}
