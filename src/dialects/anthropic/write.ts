import { isRecord } from "../../json.js";
import { textOf } from "../../transcript/queries.js";
import type { AssistantTurn } from "../../transcript/turn.js";
import type { CallPart, MediaPart, Part, ResultPart, Transcript, TranscriptMessage } from "../../transcript/types.js";
import type { Loss, ToolResult } from "../dialect.js";
import { isPlainText, Losses, valueAsText } from "../write.js";

/** Writes a transcript as Messages API messages. Neighbouring tool messages become one user message, as the API wants. */
export function write(transcript: Transcript): { messages: readonly unknown[]; lost: readonly Loss[] } {
  const losses = new Losses();
  const own = transcript.dialect === "anthropic";
  const messages: Record<string, unknown>[] = [];
  let results: unknown[] | undefined;
  for (const message of transcript.messages) {
    const content = writeContent(message, own, losses);
    if (message.role !== "tool" || own) {
      results = undefined;
      const role = message.role === "developer" ? "system" : message.role;
      messages.push({ role, content, ...losses.extras(message.wire, MESSAGE_KEYS, own, message.at) });
    } else if (results && Array.isArray(content)) {
      results.push(...content);
    } else {
      results = [...(content as unknown[])];
      messages.push({ role: "user", content: results });
    }
  }
  return { messages, lost: losses.list };
}

/** Fields of a message that are read, here and in the chat dialects: none of them is an extra. */
const MESSAGE_KEYS = [
  "role",
  "content",
  "tool_calls",
  "tool_call_id",
  "reasoning_content",
  "reasoning",
  "refusal",
  "function_call",
];

export function writeTurn(turn: AssistantTurn): readonly unknown[] {
  const blocks: unknown[] = [];
  const { reasoning } = turn;
  if (reasoning !== undefined) {
    const thought = typeof reasoning === "string" ? { text: reasoning } : reasoning;
    const signature = thought.signature === undefined ? {} : { signature: thought.signature };
    blocks.push({ type: "thinking", thinking: thought.text, ...signature });
  }
  for (const { id, name, arguments: args, result } of turn.serverCalls ?? []) {
    blocks.push({ type: "server_tool_use", id, name, input: inputOf(args) });
    if (result !== undefined) blocks.push({ type: `${name}_tool_result`, tool_use_id: id, content: result });
  }
  // The API takes no empty text block.
  if (turn.content) blocks.push({ type: "text", text: turn.content });
  if (turn.kind === "tool_calls") {
    for (const call of turn.calls)
      blocks.push({ type: "tool_use", id: call.id, name: call.name, input: inputOf(call.arguments) });
  }
  return [{ role: "assistant", content: blocks }];
}

export function writeResults(results: readonly ToolResult[]): readonly unknown[] {
  const content = results.map((result) => ({
    type: "tool_result",
    tool_use_id: result.callId,
    content: valueAsText(result),
    ...(result.isError ? { is_error: true } : {}),
  }));
  return [{ role: "user", content }];
}

/** The input the API holds as an object. Text that is no JSON cannot be held: `{}`, as the SDKs keep it. */
function inputOf(args: string): unknown {
  if (args.trim() === "") return {};
  try {
    return JSON.parse(args);
  } catch {
    return {};
  }
}

function writeContent(message: TranscriptMessage, own: boolean, losses: Losses): unknown {
  if (isPlainText(message.parts)) return textOf(message);
  if (own && message.parts.length === 0 && isRecord(message.wire)) return message.wire.content;
  return message.parts.flatMap((part) => writePart(part, own, losses));
}

function writePart(part: Part, own: boolean, losses: Losses): unknown[] {
  const extras = (known: readonly string[]) => losses.extras(part.wire, known, own, part.at);
  switch (part.kind) {
    case "text":
      return part.text === "" && !own ? [] : [{ type: "text", text: part.text, ...extras(["type", "text"]) }];
    case "call":
      return [writeCall(part, own, losses)];
    case "result":
      return [writeResult(part, own, losses)];
    case "reasoning":
      if (own) return [part.wire];
      break;
    case "image":
    case "document":
      if (own) return [part.wire];
      if (part.url !== undefined) return [writeMedia(part)];
      break;
    case "refusal":
      return [{ type: "text", text: part.text }];
    default:
      if (own) return [part.wire];
  }
  losses.add(part.at, part.kind);
  return [];
}

function writeCall(call: CallPart, own: boolean, losses: Losses): unknown {
  const { id, name, parsed } = call;
  if (!parsed.ok) losses.add(call.at, "arguments that are no JSON");
  const extras = losses.extras(call.wire, CALL_KEYS, own, call.at);
  return { type: "tool_use", id, name, input: parsed.ok ? parsed.value : {}, ...extras };
}

const CALL_KEYS = ["type", "id", "name", "input", "function", "custom"];

function writeResult(result: ResultPart, own: boolean, losses: Losses): unknown {
  const content = own
    ? result.raw
    : typeof result.content === "string"
      ? result.content
      : result.content?.flatMap((part) => writePart(part, own, losses));
  return {
    type: "tool_result",
    ...(result.callId === undefined ? {} : { tool_use_id: result.callId }),
    ...(content === undefined ? {} : { content }),
    ...(result.isError === undefined ? {} : { is_error: result.isError }),
    ...losses.extras(result.wire, RESULT_KEYS, own, result.at),
  };
}

const RESULT_KEYS = ["role", "type", "tool_call_id", "tool_use_id", "content", "is_error"];

function writeMedia({ kind, url = "" }: MediaPart): unknown {
  const data = /^data:([^;,]+);base64,(.*)$/s.exec(url);
  const source = data ? { type: "base64", media_type: data[1], data: data[2] } : { type: "url", url };
  return { type: kind, source };
}
