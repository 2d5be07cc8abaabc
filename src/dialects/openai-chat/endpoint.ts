import { isRecord } from "../../json.js";
import type { AssistantTurn, FinishReason } from "../../transcript/turn.js";
import type { Endpoint, ResponseMeta, WireRequest, WireResponse } from "../dialect.js";
import { fieldOf, offeredTools, requireMessages, settingsOf } from "../request.js";
import { writeTurn } from "./write.js";

/** `POST …/chat/completions`. Shapes: https://platform.openai.com/docs/api-reference/chat (openai 7.59.0 types). */
export const chatCompletions: Endpoint = {
  route: "POST …/chat/completions",
  matches: (path) => path.endsWith("/chat/completions"),
  readRequest,
  writeResponse,
};

const READ = ["messages", "model", "tools", "tool_choice", "parallel_tool_calls", "stream"];

function readRequest(body: Readonly<Record<string, unknown>>): WireRequest {
  const tools = offeredTools(body);
  return {
    messages: requireMessages(body),
    ...(tools ? { tools } : {}),
    ...(typeof body.model === "string" ? { model: body.model } : {}),
    ...(body.tool_choice === undefined ? {} : { toolChoice: body.tool_choice }),
    settings: settingsOf(body, READ),
    streaming: body.stream === true,
    choice: readChoice(body.tool_choice),
    parallelCalls: body.parallel_tool_calls !== false,
    held: false,
  };
}

/** `"auto"`, `{ type: "function", function: { name } }`, or `{ type: "allowed_tools", allowed_tools: { mode } }`. */
function readChoice(choice: unknown): WireRequest["choice"] {
  const mode = isRecord(choice) ? fieldOf(choice.allowed_tools, "mode") : choice;
  if (mode === "none" || mode === "required") return mode;
  const name = isRecord(choice) ? fieldOf(choice.function ?? choice.custom, "name") : undefined;
  return typeof name === "string" ? { name } : "auto";
}

function writeResponse(turn: AssistantTurn, { id, model, created }: ResponseMeta): WireResponse {
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
