import { snapshot } from "./snapshot.js";

/**
 * How to copy one live message; undefined leaves it to the general rule. A dialect whose messages hide state from a
 * copy says it here. The result is kept as it is: neither copied nor frozen.
 */
export type SnapshotMessage = (message: unknown) => unknown;

/**
 * The messages of every call, as they stood.
 *
 * A loop sends a growing array, so calls share one log and each is only a length of it; a log is left behind when a
 * message in its middle changed. That keeps T calls linear in memory, pointers included.
 */
export class MessageLog<M> {
  #log: M[] = [];
  readonly #snapshotMessage: SnapshotMessage | undefined;

  constructor(snapshotMessage?: SnapshotMessage) {
    this.#snapshotMessage = snapshotMessage;
  }

  /** Records one call's messages, and returns how to read them: the same frozen array as long as somebody holds it. */
  add(messages: readonly M[]): () => readonly M[] {
    const previous = this.#log;
    let log = previous;
    for (let index = 0; index < messages.length; index++) {
      const known = log === previous && index < previous.length;
      const copy = this.#copy(messages[index], previous[index]) as M;
      if (known && Object.is(copy, previous[index])) continue;
      if (known) log = previous.slice(0, index);
      log.push(copy);
    }
    this.#log = log;
    return viewOf(log, messages.length);
  }

  #copy(message: unknown, previous: unknown): unknown {
    const own = this.#snapshotMessage?.(message);
    if (own === undefined) return snapshot(message, previous);
    // Only plain data shows all of its state: an instance may have changed where no comparison looks.
    return snapshot(own, previous, "keep") === previous ? previous : own;
  }
}

function viewOf<M>(log: readonly M[], length: number): () => readonly M[] {
  let view: WeakRef<readonly M[]> | undefined;
  return () => {
    const held = view?.deref();
    if (held !== undefined) return held;
    const made = Object.freeze(log.slice(0, length));
    view = new WeakRef(made);
    return made;
  };
}
