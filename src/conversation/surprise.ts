import { UsageError } from "../errors.js";
import { isRoot, oneLine } from "../json.js";
import { spokenBy } from "../transcript/spoken.js";

/**
 * Runs what reads a developer's values. A value may answer with an error of its own: a getter that throws, a proxy that
 * was revoked, a nesting deeper than the stack.
 *
 * @param asker - Who reads, for the sentence of a usage error.
 * @param subject - The messages, or what holds them.
 * @param given - The other values that are read: arguments.
 * @throws {UsageError} with the place at which reading threw.
 */
export function withoutSurprise<Result>(
  asker: string,
  subject: unknown,
  read: () => Result,
  given: readonly unknown[] = [],
): Result {
  try {
    return read();
  } catch (error) {
    if (isOwnError(error)) throw error;
    const at = placeThatThrows(subject, given, error);
    throw new UsageError(
      `${asker} cannot read ${at ?? "what it was given"}: expected plain data, but reading it threw ${oneLine(error, 120)}. Pass a plain copy.`,
      { cause: error, ...(at === undefined ? {} : { at }) },
    );
  }
}

/** Also an error of another copy of this package. */
function isOwnError(error: unknown): boolean {
  return error instanceof Error && error.message.startsWith("[vitest-tool-loop]");
}

interface Visited {
  readonly value: unknown;
  readonly at: string;
}

/** Where reading a value throws this error: the first such place, as a path. */
function placeThatThrows(subject: unknown, given: readonly unknown[], error: unknown): string | undefined {
  const isIt = (thrown: unknown) => thrown === error || oneLine(thrown) === oneLine(error);
  const places = rootsOf(subject, given);
  const visited = new WeakSet<object>();
  for (const { value, at } of places) {
    if (typeof value !== "object" || value === null || visited.has(value)) continue;
    visited.add(value);
    let isList = false;
    let keys: string[] = [];
    try {
      isList = Array.isArray(value);
      keys = keysOf(value);
    } catch (thrown) {
      if (isIt(thrown)) return at || "the value";
    }
    for (const key of keys) {
      const place = isList && /^\d+$/.test(key) ? `${at}[${key}]` : at === "" ? key : `${at}.${key}`;
      try {
        places.push({ value: (value as Record<string, unknown>)[key], at: place });
      } catch (thrown) {
        if (isIt(thrown)) return place;
      }
    }
  }
  return undefined;
}

function rootsOf(subject: unknown, given: readonly unknown[]): Visited[] {
  const others = given.map((value, index) => ({ value, at: `argument ${index + 1}` }));
  try {
    const spoken = spokenBy(subject);
    if (spoken) return [{ value: spoken.requests, at: "requests" }, { value: spoken.turns, at: "turns" }, ...others];
    return [{ value: subject, at: Array.isArray(subject) ? "messages" : "" }, ...others];
  } catch {
    return [{ value: subject, at: "" }, ...others];
  }
}

/** The names under which an object can be read: its own, and those of the getters it inherits. */
function keysOf(value: object): string[] {
  const keys = new Set(["then", "role", ...Object.getOwnPropertyNames(value)]);
  for (let holder = Object.getPrototypeOf(value); !isRoot(holder); holder = Object.getPrototypeOf(holder)) {
    for (const [key, { get }] of Object.entries(Object.getOwnPropertyDescriptors(holder))) if (get) keys.add(key);
  }
  return [...keys];
}
