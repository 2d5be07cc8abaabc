import { UsageError } from "../errors.js";
import { type Item, readItem } from "./item.js";
import { isRepeat } from "./repeat.js";

/** One line of a script: an item, spoken once or as often as its repeat says. */
export interface Line {
  /** `script[2]` */
  readonly at: string;
  readonly item: Item;
  /** Turns it makes; `Infinity` for an endless repeat. */
  readonly times: number;
  /** Turns an endless repeat makes before the loop counts as a runaway. */
  readonly safetyLimit: number;
  readonly repeated: boolean;
  spoken: number;
}

/** The lines of a script, and how far it was spoken. */
export class Script {
  readonly lines: readonly Line[];
  #next = 0;

  /** @throws {UsageError} when the script is empty, or an item cannot be spoken. */
  constructor(items: readonly unknown[]) {
    if (items.length === 0) {
      throw new UsageError(
        "The script is empty: expected at least one turn, found none. Pass what the model says, in order: words or toolCall(…).",
      );
    }
    // Not `map`, which would skip a hole.
    this.lines = Array.from(items, (value, index) => readLine(value, `script[${index}]`, index === items.length - 1));
  }

  /** The line whose turn it is, or undefined past the end. */
  next(): Line | undefined {
    while (this.#next < this.lines.length && left(this.lines[this.#next]!) === 0) this.#next++;
    return this.lines[this.#next];
  }

  /** Turns in the whole script. */
  get turns(): number {
    return this.lines.reduce((sum, line) => sum + line.times, 0);
  }

  get remaining(): number {
    return this.lines.reduce((sum, line) => sum + left(line), 0);
  }

  /** Turns that had to be spoken and were not: an endless repeat has none. */
  get leftover(): number {
    return this.lines.filter(isLeftover).reduce((sum, line) => sum + left(line), 0);
  }
}

/** Turns a script has to speak before it counts as finished: an endless repeat at least one. */
export function owedBy(line: Line): number {
  return line.times === Number.POSITIVE_INFINITY ? Math.max(0, 1 - line.spoken) : left(line);
}

/** Whether a line still owes turns. */
export function isLeftover(line: Line): boolean {
  return line.times !== Number.POSITIVE_INFINITY && left(line) > 0;
}

function left(line: Line): number {
  return line.times - line.spoken;
}

function readLine(value: unknown, at: string, last: boolean): Line {
  if (!isRepeat(value)) {
    return { at, item: readItem(value, at), times: 1, safetyLimit: 1, repeated: false, spoken: 0 };
  }
  const { times, safetyLimit } = value;
  if (times === Number.POSITIVE_INFINITY && !last) {
    throw new UsageError(
      `The script cannot be spoken: an endless repeat(…) must be the last item, found one at ${at} with items after it. ` +
        "Say how often with repeat(item, { times }), or move it to the end.",
      { at },
    );
  }
  return {
    at,
    item: readItem(value.item, `${at} (the item of repeat)`),
    times,
    safetyLimit,
    repeated: true,
    spoken: 0,
  };
}
