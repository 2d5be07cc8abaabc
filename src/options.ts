import { ArgumentError } from "./errors.js";
import { isRecord, oneLine } from "./json.js";

/** What one option takes. */
export interface OptionKind {
  /** To follow "expected": `a list of ids`. */
  readonly wanted: string;
  /** Where its values can be listed: a misspelt one is answered with the nearest. */
  readonly values?: readonly string[];
  holds(value: unknown): boolean;
}

/** Every option of a function, with what it takes. An option without an entry does not compile. */
export type OptionsShape<Options extends object> = { readonly [Name in keyof Options]-?: OptionKind };

export const flag: OptionKind = { wanted: "true or false", holds: (value) => typeof value === "boolean" };
export const text: OptionKind = { wanted: "a string", holds: (value) => typeof value === "string" };
export const anything: OptionKind = { wanted: "any value", holds: () => true };

export function oneOf(...values: readonly string[]): OptionKind {
  return {
    wanted: either(values.map((value) => `"${value}"`)),
    values,
    holds: (value) => values.includes(value as string),
  };
}

/** @param items - In the plural: `ids`. */
export function listOf(items: string, isItem: (item: unknown) => boolean = () => true): OptionKind {
  return { wanted: `a list of ${items}`, holds: (value) => Array.isArray(value) && value.every(isItem) };
}

/**
 * An option that is misspelt or of the wrong type would be ignored, and the test would say less than it seems to. An
 * option that is `undefined` is one left out.
 *
 * @param asker - Whose options they are: `toMatchToolCallIds()`.
 * @throws {ArgumentError} at the first option that cannot be used.
 */
export function requireOptions(options: unknown, shape: Readonly<Record<string, OptionKind>>, asker: string): void {
  const known = Object.keys(shape);
  if (!isRecord(options)) {
    throw new ArgumentError(
      `${asker} cannot use its options: expected an object with ${either(known)}, found ${oneLine(options, 60)}.`,
    );
  }
  for (const [name, value] of Object.entries(options)) {
    if (!Object.hasOwn(shape, name)) {
      throw new ArgumentError(
        `${asker} has no option ${oneLine(name, 60)}: expected ${either(known)}.${suggest(name, known)}`,
        { at: name },
      );
    }
    const { wanted, values = [], holds } = shape[name]!;
    if (value === undefined || holds(value)) continue;
    throw new ArgumentError(
      `${asker} cannot use the option ${name}: expected ${wanted}, found ${oneLine(value, 60)}.${suggest(value, values)}`,
      { at: name },
    );
  }
}

/** `a`, `a or b`, `a, b or c`. */
function either(names: readonly string[]): string {
  return names.length < 2 ? names.join() : `${names.slice(0, -1).join(", ")} or ${names.at(-1)}`;
}

/** A sentence with the known name that is written most alike; nothing where none is. */
function suggest(written: unknown, known: readonly string[]): string {
  if (typeof written !== "string" || written.length > LONGEST) return "";
  const ranked = known.map((name) => ({ name, edits: editsBetween(written.toLowerCase(), name.toLowerCase()) }));
  const nearest = ranked.sort((one, other) => one.edits - other.edits)[0];
  return nearest && nearest.edits <= Math.max(2, nearest.name.length / 3) ? ` Did you mean "${nearest.name}"?` : "";
}

/** A longer name is no misspelling of ours. */
const LONGEST = 40;

/** How many letters have to be added, dropped or replaced to make one word of the other (Levenshtein). */
function editsBetween(one: string, other: string): number {
  let above = Array.from({ length: other.length + 1 }, (_, column) => column);
  for (let row = 1; row <= one.length; row++) {
    const edits = [row];
    for (let column = 1; column <= other.length; column++) {
      const replaced = above[column - 1]! + (one[row - 1] === other[column - 1] ? 0 : 1);
      edits.push(Math.min(replaced, above[column]! + 1, edits[column - 1]! + 1));
    }
    above = edits;
  }
  return above[other.length]!;
}
