import { isRecord } from "../../json.js";
import { textOf } from "../../transcript/queries.js";
import type { AssistantTurn } from "../../transcript/turn.js";
import type { CallPart, Part, ResultPart, Transcript, TranscriptMessage } from "../../transcript/types.js";
import type { Loss, ToolResult } from "../dialect.js";
import { isPlainText, READ, resultAsText, valueAsText, Writing } from "../write.js";

/** Writes a transcript as Chat Completions messages. */
export function write(transcript: Transcript): { messages: readonly unknown[]; lost: readonly Loss[] } {
  const writing = new Writing(transcript.dialect === "openai-chat");
  const messages = transcript.messages.flatMap((message) => writeMessage(message, writing));
  return { messages, lost: writing.lost };
}

export function writeTurn(turn: AssistantTurn): readonly unknown[] {
  const { reasoning, content: text = null } = turn;
  return [
    {
      role: "assistant",
      ...(turn.finish === "refusal" ? { content: null, refusal: text } : { content: text }),
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

/** Results first, one message for each; then what else the message says. */
function writeMessage(message: TranscriptMessage, writing: Writing): unknown[] {
  const results = message.parts.filter((part) => part.kind === "result");
  const others = message.parts.filter((part) => part.kind !== "result");
  const written = results.map((result) => writeResult(result, writing));
  if (others.length > 0 || results.length === 0) written.push(writeSpeech(message, others, writing));
  else if (results[0]!.wire !== message.wire) writing.complete({}, message.wire, message.at, READ.message);
  return written;
}

function writeResult(result: ResultPart, writing: Writing): unknown {
  const { at, callId, name, content, wire } = result;
  if (result.isError) writing.lose(at, "is_error");
  const isLegacy = isRecord(wire) && wire.role === "function";
  const parts =
    typeof content === "object" && writing.own ? content.map((part) => writePart(part, writing)) : undefined;
  return writing.complete(
    {
      role: isLegacy ? "function" : "tool",
      ...(callId === undefined || isLegacy ? {} : { tool_call_id: callId }),
      ...(name === undefined ? {} : { name }),
      content: parts ?? (writing.own && content === undefined ? result.raw : resultAsText(result, writing)),
    },
    wire,
    at,
    READ.result,
  );
}

function writeSpeech({ role, at, wire }: TranscriptMessage, parts: readonly Part[], writing: Writing): unknown {
  const written: Record<string, unknown> = { role };
  const calls: unknown[] = [];
  const spoken: Part[] = [];
  for (const part of parts) {
    if (part.kind === "call" && part.at.endsWith(".function_call")) {
      written.function_call = { name: part.name, arguments: part.arguments };
    } else if (part.kind === "call") calls.push(writeCall(part, writing));
    else if (part.at.startsWith(`${at}.tool_calls[`)) calls.push(part.wire);
    else if (part.kind === "reasoning" && writing.own) written[part.at.slice(at.length + 1)] = part.text;
    else if (part.kind === "refusal" && part.at === `${at}.refusal`) written.refusal = part.text;
    else spoken.push(part);
  }
  if (calls.length > 0) written.tool_calls = calls;
  const content = isPlainText(spoken)
    ? textOf({ parts: spoken })
    : spoken.flatMap((part) => writePart(part, writing) ?? []);
  if (content.length > 0) written.content = content;
  else if (!writing.own) written.content = calls.length > 0 ? null : "";
  return writing.complete(written, wire, at, READ.message);
}

function writeCall(call: CallPart, writing: Writing): unknown {
  const { id, name, wire, at, custom, arguments: text } = call;
  const written = custom ? { id, type: "custom", custom: { name, input: text } } : functionCall(call);
  return writing.complete(written, wire, at, READ.call);
}

function writePart(part: Part, writing: Writing): unknown {
  const { at, wire } = part;
  if (part.kind === "text") {
    if (writing.own && typeof wire === "string") return part.text;
    return writing.complete({ type: "text", text: part.text }, wire, at, READ.text);
  }
  if (part.kind === "refusal") return writing.complete({ type: "refusal", refusal: part.text }, wire, at, READ.refusal);
  // What the neutral model only points at.
  if (writing.own) return wire;
  if (part.kind === "image" && part.url !== undefined) {
    return writing.complete({ type: "image_url", image_url: { url: part.url } }, wire, at, READ.media);
  }
  writing.lose(at, part.kind);
  return undefined;
}
