import type { Pending } from "./open-turn.js";
import type { Turns } from "./turns.js";

/**
 * The turns before the newest, for the rare result that does not answer that one. They are indexed by the ids of their
 * calls only when one is looked for, and only those that are new.
 */
export class EarlierTurns {
  readonly #turns: Turns;
  /** Of an id that several turns use, the newest. */
  readonly #numberOfId = new Map<string, number>();
  #indexed = 0;

  constructor(turns: Turns) {
    this.#turns = turns;
  }

  /** The first call with an id in the newest of the earlier turns that uses it. */
  findCall(id: string): Pending | undefined {
    for (; this.#indexed < this.#turns.indexes.length - 1; this.#indexed++) {
      for (const { call } of this.#turns.at(this.#indexed).calls) this.#numberOfId.set(call.id, this.#indexed);
    }
    const number = this.#numberOfId.get(id);
    return number === undefined ? undefined : this.#turns.open(number).firstCall(id);
  }
}
