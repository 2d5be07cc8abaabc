import type { OpenConversation } from "../conversation/index.js";
import { UsageError } from "../errors.js";
import { cutText, oneLine } from "../json.js";
import { listOf } from "../options.js";

/** The option `open`: ids of calls left unanswered on purpose. */
export const OPEN = listOf("ids", (id) => typeof id === "string");

/**
 * An id that no call has is misspelt, or its call was lost on the way; either way nothing was left open on purpose.
 *
 * @throws {UsageError} at such an id.
 */
export function requireOpenCalls(open: readonly string[], { pairing }: OpenConversation, asker: string): void {
  if (open.length === 0) return;
  const ids = new Set(pairing.turns.flatMap(({ calls }) => calls.map(({ call }) => call.id)));
  const unknown = open.find((id) => !ids.has(id));
  if (unknown === undefined) return;
  const known = ids.size === 0 ? "no call was made" : `calls: ${cutText([...ids].join(", "))}`;
  throw new UsageError(
    `${asker} cannot use the option open: expected ids of calls in the conversation (${known}), found ${oneLine(unknown, 60)}.`,
    { at: "open" },
  );
}
