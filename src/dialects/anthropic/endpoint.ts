import { isRecord } from "../../json.js";
import type { OfferedTool } from "../../rules/rule.js";
import { readTools } from "../../rules/tools.js";
import type { AssistantTurn, FinishReason } from "../../transcript/turn.js";
import type { Endpoint, ResponseMeta, WireRequest, WireResponse } from "../dialect.js";
import { fieldOf, offeredTools, requireMessages, settingsOf } from "../request.js";
import { writeTurn } from "./write.js";

/** `POST …/v1/messages`. Shapes: https://docs.anthropic.com/en/api/messages (@anthropic-ai/sdk 1.14.0 types, beta too). */
export const messages: Endpoint = {
  route: "POST …/v1/messages",
  matches: (path) => path.endsWith("/v1/messages"),
  readRequest,
  join,
  writeResponse,
};

const READ = ["messages", "system", "model", "tools", "tool_choice", "stream", "thread"];

function readRequest(body: Readonly<Record<string, unknown>>): WireRequest {
  const list = requireMessages(body);
  const tools = withAddedTools(offeredTools(body), list);
  const system = readSystem(body.system);
  const thinking = fieldOf(body.thinking, "type");
  // A message thread: the first request creates it, later ones carry only what is new.
  const continues = fieldOf(body.thread, "previous_message_id");
  return {
    messages: list,
    ...(system === undefined ? {} : { system }),
    ...(tools ? { tools } : {}),
    ...(typeof body.model === "string" ? { model: body.model } : {}),
    ...(body.tool_choice === undefined ? {} : { toolChoice: body.tool_choice }),
    settings: settingsOf(body, READ),
    streaming: body.stream === true,
    choice: readChoice(body.tool_choice),
    parallelCalls: fieldOf(body.tool_choice, "disable_parallel_tool_use") !== true,
    // "adaptive" leaves it to the model.
    ...(thinking === "enabled" || thinking === "disabled" ? { thinking: thinking === "enabled" } : {}),
    held: isRecord(body.thread),
    ...(typeof continues === "string" ? { continues } : {}),
  };
}

/** A thread keeps the system text and the tools it was created with. */
function join(held: WireRequest, request: WireRequest): WireRequest {
  const tools = [...(held.tools ?? []), ...(request.tools ?? [])];
  return {
    ...request,
    messages: [...held.messages, ...request.messages],
    ...(held.system === undefined ? {} : { system: held.system }),
    ...(tools.length === 0 ? {} : { tools }),
  };
}

function readSystem(system: unknown): string | undefined {
  if (typeof system === "string") return system;
  if (!Array.isArray(system)) return undefined;
  return system.map((block) => fieldOf(block, "text")).join("\n");
}

function readChoice(choice: unknown): WireRequest["choice"] {
  switch (fieldOf(choice, "type")) {
    case "none":
      return "none";
    case "any":
      return "required";
    case "tool":
      return { name: String(fieldOf(choice, "name")) };
    default:
      return "auto";
  }
}

/** Tools can also be added in the middle of a conversation, by blocks of system messages. */
function withAddedTools(
  tools: readonly OfferedTool[] | undefined,
  list: readonly unknown[],
): readonly OfferedTool[] | undefined {
  const blocks = list.flatMap((message) => fieldOf(message, "content")).filter(isToolAddition);
  const added = readTools(blocks.map(({ tool }) => fieldOf(tool, "definition")).filter(isRecord));
  return added.length === 0 ? tools : [...(tools ?? []), ...added];
}

function isToolAddition(block: unknown): block is { readonly tool: unknown } {
  return fieldOf(block, "type") === "tool_addition";
}

function writeResponse(turn: AssistantTurn, meta: ResponseMeta): WireResponse {
  const [message] = writeTurn(turn);
  const id = `msg_${meta.id.replaceAll("-", "")}`;
  return {
    id,
    body: {
      id,
      type: "message",
      role: "assistant",
      model: meta.model,
      content: (message as { content: readonly unknown[] }).content.map(withCitations),
      stop_reason: stopReason(turn),
      stop_sequence: null,
      stop_details:
        turn.finish === "refusal" ? { type: "refusal", category: null, explanation: turn.content ?? null } : null,
      container: null,
      usage: writeUsage(turn),
    },
  };
}

/** The API's own text blocks say that they cite nothing. */
function withCitations(block: unknown): unknown {
  return fieldOf(block, "type") === "text" ? { citations: null, ...(block as object) } : block;
}

const STOP: Partial<Record<FinishReason, string>> = {
  length: "max_tokens",
  content_filter: "refusal",
  refusal: "refusal",
};

function stopReason(turn: AssistantTurn): string {
  return (turn.finish && STOP[turn.finish]) ?? (turn.kind === "tool_calls" ? "tool_use" : "end_turn");
}

function writeUsage({ usage = { inputTokens: 0, outputTokens: 0 } }: AssistantTurn): unknown {
  return {
    input_tokens: usage.inputTokens,
    output_tokens: usage.outputTokens,
    cache_creation: null,
    cache_creation_input_tokens: 0,
    cache_read_input_tokens: usage.cachedInputTokens ?? 0,
    server_tool_use: null,
    service_tier: "standard",
  };
}
