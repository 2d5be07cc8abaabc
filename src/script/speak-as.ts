import type { Dialect } from "../dialects/dialect.js";
import { findDialect } from "../dialects/index.js";
import { UsageError } from "../errors.js";
import { oneLine } from "../json.js";
import { answer, requestOf } from "./model-function.js";
import { isScriptedModel, speak } from "./scripted-model.js";
import type { ModelCallOptions, ScriptedModel } from "./types.js";

/**
 * The scripted model as a function that returns the provider's own assistant message, for a loop that appends what its
 * model function returns as it is.
 *
 * @param model - What is called and recorded: matchers and `verify()` take it, not the function returned here.
 * @returns Messages in, what the dialect appends for the turn out: one message, or a list where a turn is several items.
 * @throws {UsageError} when the model is no scripted model, or there is no such dialect.
 * @example const createMessage = speakAs(scriptedModel(toolCall("get_weather"), "14 degrees"), "anthropic");
 */
export function speakAs(
  model: ScriptedModel,
  dialect: Dialect,
  // biome-ignore lint/suspicious/noExplicitAny: messages in and out are the provider's own types.
): (messages: any[], options?: ModelCallOptions) => Promise<any> {
  if (!isScriptedModel(model)) {
    throw new UsageError(`speakAs() needs a scripted model: expected scriptedModel(…), found ${oneLine(model)}.`);
  }
  const writer = findDialect(dialect);
  return async (messages, options) => {
    const request = { ...requestOf(messages, options), dialect };
    const written = writer.writeTurn(await answer(speak(model, request), request.signal));
    return Array.isArray(written) && written.length === 1 ? written[0] : written;
  };
}
