import { OpenTurn } from "./open-turn.js";
import type { TurnOutcome } from "./pairing.js";
import { SettledTurn } from "./settled-turn.js";
import type { Messages } from "./wire-transcript.js";

/** The turns with calls, as they are paired. Of a settled one nothing is kept but where it stands. */
export class Turns {
  /** The index of each turn's message. */
  readonly indexes: number[] = [];
  /** The one that may still be answered in place. */
  #newest: OpenTurn | undefined = undefined;
  readonly #messages: Messages;
  /** What is not settled, by the number of the turn. */
  readonly #kept = new Map<number, OpenTurn>();
  #all: readonly TurnOutcome[] | undefined = undefined;

  constructor(messages: Messages) {
    this.#messages = messages;
  }

  /** @param before - The turn with which the new one goes on. */
  begin(index: number, before?: OpenTurn): OpenTurn {
    this.settle();
    this.indexes.push(index);
    return (this.#newest = new OpenTurn(this.#messages, index, before));
  }

  /** Lets go of what was read of the newest turn, where it need not be kept. */
  settle(): void {
    if (this.#newest && !this.#newest.settled) this.#kept.set(this.indexes.length - 1, this.#newest);
  }

  /** The turn with a number, from 0. */
  at(number: number): TurnOutcome {
    return this.#all?.[number] ?? this.#kept.get(number) ?? new SettledTurn(this.#messages, this.indexes[number]!);
  }

  /** The same, with something found for it after all. */
  open(number: number): OpenTurn {
    const kept = this.#kept.get(number) ?? new SettledTurn(this.#messages, this.indexes[number]!).open();
    this.#kept.set(number, kept);
    return kept;
  }

  /** All of them, each one object from then on. */
  list(): readonly TurnOutcome[] {
    return (this.#all ??= this.indexes.map((_, number) => this.at(number)));
  }

  get unsettled(): readonly OpenTurn[] {
    return [...this.#kept.values()].sort((one, other) => one.index - other.index);
  }
}
