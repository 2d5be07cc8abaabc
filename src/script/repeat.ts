import { type OptionKind, type OptionsShape, requireOptions } from "../options.js";
import type { ScriptItem } from "./types.js";

const REPEAT = Symbol.for("vitest-tool-loop/repeat");

/** Calls an endless repeat answers before it takes the loop for a runaway. */
export const SAFETY_LIMIT = 100;

/** An item that a script speaks several times. Made by {@link repeat}. */
// biome-ignore lint/suspicious/noExplicitAny: see Model.
export interface Repeat<M = any> {
  readonly [REPEAT]: true;
  readonly item: ScriptItem<M>;
  /** `Infinity` for an endless one. */
  readonly times: number;
  readonly safetyLimit: number;
}

/** How often an item is repeated. */
export interface RepeatOptions {
  /** Turns it makes. Without it the repeat is endless and must stand last. */
  readonly times?: number;
  /** Calls after which an endless repeat fails. Default 100. `times` lifts it. */
  readonly safetyLimit?: number;
}

/**
 * An item spoken over and over, or `times` times: for a loop that has to stop by itself.
 *
 * Past the safety limit the call rejects with {@link RunawayLoopError}, so that a loop without a cap ends.
 *
 * @throws {UsageError} when `times` or `safetyLimit` is no whole number of at least 1.
 * @example scriptedModel(repeat(toolCall("search")))
 */
// biome-ignore lint/suspicious/noExplicitAny: see Model.
export function repeat<M = any>(item: ScriptItem<M>, options: RepeatOptions = {}): Repeat<M> {
  requireOptions(options, OPTIONS, "repeat()");
  const { times = Number.POSITIVE_INFINITY, safetyLimit = SAFETY_LIMIT } = options;
  return Object.freeze({
    [REPEAT]: true as const,
    item,
    times,
    safetyLimit: options.times === undefined ? safetyLimit : Number.POSITIVE_INFINITY,
  });
}

export function isRepeat(value: unknown): value is Repeat {
  return typeof value === "object" && value !== null && REPEAT in value;
}

const COUNT: OptionKind = {
  wanted: "a whole number of at least 1",
  holds: (value) => value === Number.POSITIVE_INFINITY || (Number.isInteger(value) && (value as number) >= 1),
};

const OPTIONS: OptionsShape<RepeatOptions> = { times: COUNT, safetyLimit: COUNT };
