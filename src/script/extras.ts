import { isRecord } from "../json.js";
import { listOf, type OptionsShape, oneOf } from "../options.js";
import type { TurnExtras } from "../transcript/turn.js";

/** What a turn may carry beside words and calls, and what each of it is. */
export const EXTRAS: OptionsShape<TurnExtras> = {
  reasoning: {
    wanted: "a string or { text, signature? }",
    holds: (value) => typeof value === "string" || (isRecord(value) && typeof value.text === "string"),
  },
  usage: {
    wanted: "{ inputTokens, outputTokens, cachedInputTokens? } in numbers",
    holds: (value) =>
      isRecord(value) && typeof value.inputTokens === "number" && typeof value.outputTokens === "number",
  },
  finish: oneOf("stop", "tool_calls", "length", "content_filter", "refusal", "cut"),
  serverCalls: listOf("calls with a name and arguments", isCall),
};

function isCall(value: unknown): boolean {
  return isRecord(value) && typeof value.name === "string" && typeof value.arguments === "string";
}
