import type { AssistantTurn, FinishReason } from "../../transcript/turn.js";
import type { ResponseMeta, WireResponse, WireStream } from "../dialect.js";
import { fieldOf } from "../request.js";
import { eventOf, fragments } from "../sse.js";
import { writeTurn } from "./write.js";

/** A whole response. Shapes: https://platform.openai.com/docs/api-reference/chat/object (openai 7.59.0 types). */
export function writeResponse(turn: AssistantTurn, { id, model, created }: ResponseMeta): WireResponse {
  const [message] = writeTurn(turn);
  const responseId = `chatcmpl-${id}`;
  return {
    id: responseId,
    body: {
      id: responseId,
      object: "chat.completion",
      created,
      model,
      choices: [
        {
          index: 0,
          message: { refusal: null, annotations: [], ...(message as object) },
          logprobs: null,
          finish_reason: finishReason(turn),
        },
      ],
      usage: writeUsage(turn),
      service_tier: "default",
      system_fingerprint: null,
    },
  };
}

/** A refusal ends with `stop`: it is told by its own field. */
const FINISH: Partial<Record<FinishReason, string>> = { length: "length", content_filter: "content_filter" };

function finishReason(turn: AssistantTurn): string {
  return (turn.finish && FINISH[turn.finish]) ?? (turn.kind === "tool_calls" ? "tool_calls" : "stop");
}

function writeUsage({ usage = { inputTokens: 0, outputTokens: 0 } }: AssistantTurn): unknown {
  const { inputTokens, outputTokens, cachedInputTokens = 0 } = usage;
  return {
    prompt_tokens: inputTokens,
    completion_tokens: outputTokens,
    total_tokens: inputTokens + outputTokens,
    prompt_tokens_details: { cached_tokens: cachedInputTokens, audio_tokens: 0 },
    completion_tokens_details: {
      reasoning_tokens: 0,
      audio_tokens: 0,
      accepted_prediction_tokens: 0,
      rejected_prediction_tokens: 0,
    },
  };
}

/** A streamed response. Shapes: https://platform.openai.com/docs/api-reference/chat-streaming (openai 7.59.0 types). */
export function writeStream(turn: AssistantTurn, { id, model, created, settings }: ResponseMeta): WireStream {
  const responseId = `chatcmpl-${id}`;
  const chunk = (choices: readonly unknown[], rest: object = {}) =>
    eventOf({ id: responseId, object: "chat.completion.chunk", created, model, choices, ...rest });
  const choice = (delta: object, finish: string | null = null) =>
    chunk([{ index: 0, delta, logprobs: null, finish_reason: finish }]);

  const chunks = deltasOf(turn).map((delta) => choice(delta));
  if (turn.finish === "cut") return { id: responseId, chunks };
  chunks.push(choice({}, finishReason(turn)));
  if (fieldOf(settings.stream_options, "include_usage") === true) chunks.push(chunk([], { usage: writeUsage(turn) }));
  return { id: responseId, chunks: [...chunks, "data: [DONE]\n\n"] };
}

function deltasOf(turn: AssistantTurn): object[] {
  const { reasoning, content = "" } = turn;
  const thoughts = typeof reasoning === "string" ? reasoning : (reasoning?.text ?? "");
  const words = turn.finish === "refusal" ? "refusal" : "content";
  const deltas: object[] = [{ role: "assistant", content: turn.kind === "text" ? "" : null, refusal: null }];
  for (const text of fragments(thoughts)) deltas.push({ reasoning_content: text });
  for (const text of fragments(content)) deltas.push({ [words]: text });
  const calls = turn.kind === "text" ? [] : turn.calls;
  calls.forEach(({ id, name, arguments: args }, index) => {
    // The id and the name come once, the arguments in pieces.
    deltas.push({ tool_calls: [{ index, id, type: "function", function: { name, arguments: "" } }] });
    for (const text of fragments(args)) deltas.push({ tool_calls: [{ index, function: { arguments: text } }] });
  });
  return deltas;
}
