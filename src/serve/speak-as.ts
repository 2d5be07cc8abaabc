import type { Dialect } from "../dialects/dialect.js";
import { findDialect } from "../dialects/index.js";
import { callAs, type ModelCallOptions, type ScriptedModel } from "../script/index.js";

/**
 * The scripted model for a loop whose model function returns the provider's own assistant message.
 *
 * Everything else is as if the loop called the model itself: the call is in `requests`, errors and faults reject.
 *
 * @param dialect - The wire format of the message.
 * @returns A function from messages to the assistant message: `{ role: "assistant", content, tool_calls? }` in
 * `openai-chat`, `{ role: "assistant", content: […blocks] }` in `anthropic`. A list of items where the dialect spreads a
 * turn over several.
 * @throws {UsageError} when nothing of that name is known.
 * @example await runLoop(speakAs(model, "anthropic"), tools, messages)
 */
export function speakAs(
  model: ScriptedModel,
  dialect: Dialect,
  // biome-ignore lint/suspicious/noExplicitAny: the loop's own message type comes in, the provider's goes out.
): (messages: any[], options?: ModelCallOptions) => Promise<any> {
  const { writeTurn } = findDialect(dialect);
  return async (messages, options) => {
    const written = writeTurn(await callAs(model, dialect, messages, options));
    return Array.isArray(written) && written.length === 1 ? written[0] : written;
  };
}
