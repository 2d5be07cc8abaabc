import { isRecord } from "../../json.js";
import type { AssistantTurn, FinishReason } from "../../transcript/turn.js";
import type { ResponseMeta, WireResponse, WireStream } from "../dialect.js";
import { fieldOf } from "../request.js";
import { eventOf, fragments } from "../sse.js";
import { writeTurn } from "./write.js";

/** A whole response. Shapes: https://docs.anthropic.com/en/api/messages (@anthropic-ai/sdk 1.14.0 types). */
export function writeResponse(turn: AssistantTurn, meta: ResponseMeta): WireResponse {
  const body = {
    ...emptyMessage(meta),
    content: blocksOf(turn),
    ...ending(turn),
    usage: writeUsage(turn),
  };
  return { id: body.id, body };
}

function emptyMessage({ id, model }: ResponseMeta) {
  return {
    id: `msg_${id.replaceAll("-", "")}`,
    type: "message",
    role: "assistant",
    model,
    content: [] as readonly unknown[],
    container: null,
  };
}

function blocksOf(turn: AssistantTurn): readonly unknown[] {
  const [message] = writeTurn(turn);
  return (message as { content: readonly unknown[] }).content.map(withCitations);
}

function ending(turn: AssistantTurn) {
  const refused = turn.finish === "refusal";
  return {
    stop_reason: stopReason(turn),
    stop_sequence: null,
    stop_details: refused ? { type: "refusal", category: null, explanation: turn.content ?? null } : null,
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

const NO_USAGE = { inputTokens: 0, outputTokens: 0 };

/** @param outputTokens - What was said so far. Default: all. */
function writeUsage({ usage = NO_USAGE }: AssistantTurn, outputTokens = usage.outputTokens): unknown {
  return {
    input_tokens: usage.inputTokens,
    output_tokens: outputTokens,
    cache_creation: null,
    cache_creation_input_tokens: 0,
    cache_read_input_tokens: usage.cachedInputTokens ?? 0,
    server_tool_use: null,
    service_tier: "standard",
  };
}

interface StreamEvent {
  readonly type: string;
  readonly [key: string]: unknown;
}

/** A streamed response. Events: https://docs.anthropic.com/en/docs/build-with-claude/streaming (@anthropic-ai/sdk 1.14.0 types). */
export function writeStream(turn: AssistantTurn, meta: ResponseMeta): WireStream {
  const message = {
    ...emptyMessage(meta),
    stop_reason: null,
    stop_sequence: null,
    stop_details: null,
    usage: writeUsage(turn, 0),
  };
  const args = new Map(turn.kind === "text" ? [] : turn.calls.map((call) => [call.id, call.arguments]));
  const events: StreamEvent[] = [{ type: "message_start", message }];
  blocksOf(turn).forEach((block, index) => {
    const { start, deltas } = streamBlock(block, args);
    events.push(
      { type: "content_block_start", index, content_block: start },
      ...deltas.map((delta) => ({ type: "content_block_delta", index, delta })),
      { type: "content_block_stop", index },
    );
  });
  if (turn.finish !== "cut") {
    events.push({ type: "message_delta", delta: ending(turn), usage: writeUsage(turn) });
    events.push({ type: "message_stop" });
  }
  return { id: message.id, chunks: events.map((event) => eventOf(event, event.type)) };
}

/** How a block begins, and what then comes in pieces. The results of calls the provider runs come whole. */
function streamBlock(block: unknown, args: ReadonlyMap<string, string>) {
  if (!isRecord(block)) return { start: block, deltas: [] };
  switch (block.type) {
    case "text":
      return { start: { ...block, text: "" }, deltas: pieces(block.text, "text_delta", "text") };
    case "thinking":
      return {
        start: { type: "thinking", thinking: "", signature: "" },
        deltas: [
          ...pieces(block.thinking, "thinking_delta", "thinking"),
          ...(block.signature === undefined ? [] : [{ type: "signature_delta", signature: block.signature }]),
        ],
      };
    case "tool_use":
    case "server_tool_use": {
      // The text as the model wrote it: only the whole response has to make an object of it.
      const text = args.get(String(block.id)) ?? JSON.stringify(block.input);
      return { start: { ...block, input: {} }, deltas: pieces(text, "input_json_delta", "partial_json") };
    }
    default:
      return { start: block, deltas: [] };
  }
}

function pieces(text: unknown, type: string, key: string): readonly object[] {
  return fragments(String(text)).map((piece) => ({ type, [key]: piece }));
}
