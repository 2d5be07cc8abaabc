import type { ToolCallDraft } from "./draft.js";
import type { Item } from "./item.js";

/** Gives ids to the calls of one scripted model: `call_1`, `call_2`, … in the order spoken. */
export class CallIds {
  readonly #taken = new Set<string>();
  readonly #spoken = new WeakSet<ToolCallDraft>();
  #count = 0;

  /** Keeps the ids an item brings from being given to another call. */
  reserve(item: Item): void {
    if (item.kind === "fault" && item.item !== undefined) this.reserve(item.item);
    const calls =
      item.kind === "draft" ? item.calls : item.kind === "verbatim" && "calls" in item.turn ? item.turn.calls : [];
    for (const { id } of calls) if (id !== undefined) this.#taken.add(id);
  }

  /** The draft's own id when it is spoken for the first time, else the next one that is free. */
  give(draft: ToolCallDraft): string {
    const again = this.#spoken.has(draft);
    this.#spoken.add(draft);
    if (draft.id !== undefined && !again) return draft.id;
    let id: string;
    do id = `call_${++this.#count}`;
    while (this.#taken.has(id));
    return id;
  }
}
