import { OpenTurn, type Pending } from "./open-turn.js";
import type { SettledTurn } from "./settled-turn.js";

/**
 * The turns before the newest, for the rare result that does not answer that one. They are indexed by the ids of their
 * calls only when one is looked for, and only those that are new.
 */
export class EarlierTurns {
  readonly #turns: (OpenTurn | SettledTurn)[];
  /** Of an id that several turns use, the newest. */
  readonly #indexOfId = new Map<string, number>();
  #indexed = 0;

  /** @param turns - All turns so far. A settled one is opened again in there when something is found for it. */
  constructor(turns: (OpenTurn | SettledTurn)[]) {
    this.#turns = turns;
  }

  /** The first call with an id in the newest of the earlier turns that uses it. */
  findCall(id: string): Pending | undefined {
    for (; this.#indexed < this.#turns.length - 1; this.#indexed++) {
      for (const { call } of this.#turns[this.#indexed]!.calls) this.#indexOfId.set(call.id, this.#indexed);
    }
    const index = this.#indexOfId.get(id);
    return index === undefined ? undefined : this.#open(index).firstCall(id);
  }

  #open(index: number): OpenTurn {
    const turn = this.#turns[index]!;
    return turn instanceof OpenTurn ? turn : (this.#turns[index] = turn.open());
  }
}
