import { isRecord } from "../../json.js";
import { textOf } from "../../transcript/queries.js";
import type { AssistantTurn } from "../../transcript/turn.js";
import type { CallPart, Part, ResultPart, Transcript, TranscriptMessage } from "../../transcript/types.js";
import type { Loss, ToolResult } from "../dialect.js";
import { isPlainText, Losses, resultAsText, valueAsText } from "../write.js";

/** Writes a transcript as Chat Completions messages. */
export function write(transcript: Transcript): { messages: readonly unknown[]; lost: readonly Loss[] } {
  const losses = new Losses();
  const own = transcript.dialect === "openai-chat";
  const messages = transcript.messages.flatMap((message) => writeMessage(message, own, losses));
  return { messages, lost: losses.list };
}

export function writeTurn(turn: AssistantTurn): readonly unknown[] {
  const text = turn.content ?? null;
  const { reasoning } = turn;
  return [
    {
      role: "assistant",
      content: turn.finish === "refusal" ? null : text,
      ...(turn.finish === "refusal" ? { refusal: text } : {}),
      ...(reasoning === undefined
        ? {}
        : { reasoning_content: typeof reasoning === "string" ? reasoning : reasoning.text }),
      ...(turn.kind === "tool_calls" ? { tool_calls: turn.calls.map(functionCall) } : {}),
    },
  ];
}

export function writeResults(results: readonly ToolResult[]): readonly unknown[] {
  return results.map((result) => ({ role: "tool", tool_call_id: result.callId, content: valueAsText(result) }));
}

function functionCall({ id, name, arguments: args }: { id: string; name: string; arguments: string }) {
  return { id, type: "function", function: { name, arguments: args } };
}

function writeMessage(message: TranscriptMessage, own: boolean, losses: Losses): unknown[] {
  const results = message.parts.filter((part) => part.kind === "result");
  const written: unknown[] = results.map((result) => writeResult(result, own, losses));
  const others = message.parts.filter((part) => part.kind !== "result");
  if (others.length > 0 || results.length === 0) {
    written.push(
      message.role === "assistant" ? writeAssistant(message, own, losses) : writeSpeech(message, others, own, losses),
    );
  }
  return written;
}

function writeResult(result: ResultPart, own: boolean, losses: Losses): unknown {
  // The retired `function` role, answered by name.
  if (own && result.callId === "" && isRecord(result.wire) && result.wire.role === "function") return result.wire;
  if (result.isError) losses.add(result.at, "is_error");
  return {
    role: "tool",
    ...(result.callId === undefined ? {} : { tool_call_id: result.callId }),
    content: own ? result.raw : resultAsText(result, losses),
    ...losses.extras(result.wire, RESULT_KEYS, own, result.at),
  };
}

const RESULT_KEYS = ["role", "type", "tool_call_id", "tool_use_id", "content", "is_error"];

function writeSpeech(message: TranscriptMessage, parts: readonly Part[], own: boolean, losses: Losses): unknown {
  return {
    role: message.role,
    content: writeContent(parts, own, losses) ?? (own ? contentOf(message) : ""),
    ...losses.extras(message.wire, ["role", "content"], own, message.at),
  };
}

function writeAssistant(message: TranscriptMessage, own: boolean, losses: Losses): unknown {
  const calls: CallPart[] = [];
  const spoken: Part[] = [];
  const fields: Record<string, unknown> = {};
  for (const part of message.parts) {
    if (part.kind === "call") calls.push(part);
    else if (own && part.kind === "reasoning") fields[part.at.slice(message.at.length + 1)] = part.text;
    else if (part.kind === "refusal" && !Array.isArray(contentOf(message))) fields.refusal = part.text;
    else spoken.push(part);
  }
  const legacy = own && calls.length === 1 && calls[0]!.at.endsWith(".function_call") ? calls[0] : undefined;
  const content = writeContent(spoken, own, losses);
  const hasContent = content !== undefined || !own || (isRecord(message.wire) && "content" in message.wire);
  return {
    role: "assistant",
    ...(hasContent ? { content: content ?? (own ? contentOf(message) : null) } : {}),
    ...fields,
    ...(legacy
      ? { function_call: legacy.wire }
      : calls.length > 0
        ? { tool_calls: calls.map((call) => writeCall(call, own, losses)) }
        : {}),
    ...losses.extras(message.wire, ASSISTANT_KEYS, own, message.at),
    ...(own && isRecord(message.wire) && calls.length === 0 && "tool_calls" in message.wire ? { tool_calls: [] } : {}),
  };
}

const ASSISTANT_KEYS = ["role", "content", "reasoning", "reasoning_content", "refusal", "function_call", "tool_calls"];

function writeCall(call: CallPart, own: boolean, losses: Losses): unknown {
  const { id, name } = call;
  const extras = losses.extras(call.wire, ["id", "type", "name", "input", "function", "custom"], own, call.at);
  if (call.custom) return { id, type: "custom", custom: { name, input: call.arguments }, ...extras };
  const written = functionCall(call);
  const held = own && isRecord(call.wire) && isRecord(call.wire.function) ? call.wire.function : written.function;
  return { ...written, function: held, ...extras };
}

/** A string where it was one, a list of parts otherwise; undefined where there is nothing to say. */
function writeContent(parts: readonly Part[], own: boolean, losses: Losses): unknown {
  if (isPlainText(parts)) return textOf({ parts });
  const written = parts.flatMap((part) => writePart(part, own, losses));
  return written.length > 0 ? written : undefined;
}

function writePart(part: Part, own: boolean, losses: Losses): unknown[] {
  if (own) return [part.wire];
  if (part.kind === "text")
    return [{ type: "text", text: part.text, ...losses.extras(part.wire, ["type", "text"], own, part.at) }];
  if (part.kind === "refusal") return [{ type: "refusal", refusal: part.text }];
  if (part.kind === "image" && part.url !== undefined) return [{ type: "image_url", image_url: { url: part.url } }];
  losses.add(part.at, part.kind);
  return [];
}

function contentOf(message: TranscriptMessage): unknown {
  return isRecord(message.wire) ? message.wire.content : undefined;
}
