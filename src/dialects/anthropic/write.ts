import { isRecord, readJson } from "../../json.js";
import { textOf } from "../../transcript/queries.js";
import type { AssistantTurn } from "../../transcript/turn.js";
import type { CallPart, MediaPart, Part, ReasoningPart, ResultPart, Transcript } from "../../transcript/types.js";
import type { Loss, ToolResult } from "../dialect.js";
import { isPlainText, READ, resultAsText, valueAsText, Writing } from "../write.js";

/** Writes a transcript as Messages API messages. Neighbouring tool messages become one user message, as the API wants. */
export function write(transcript: Transcript): { messages: readonly unknown[]; lost: readonly Loss[] } {
  const writing = new Writing(transcript.dialect === "anthropic");
  const messages: unknown[] = [];
  let results: unknown[] | undefined;
  for (const { role, parts, wire, at } of transcript.messages) {
    if (role === "tool" && !writing.own) {
      if (!results) messages.push({ role: "user", content: (results = []) });
      results.push(...writeParts(parts, writing));
      continue;
    }
    results = undefined;
    const written: Record<string, unknown> = { role: role === "developer" && !writing.own ? "system" : role };
    if (isPlainText(parts)) written.content = textOf({ parts });
    else if (parts.length > 0 || !writing.own) written.content = writeParts(parts, writing);
    messages.push(writing.complete(written, wire, at, READ.message));
  }
  return { messages, lost: writing.lost };
}

export function writeTurn(turn: AssistantTurn): readonly unknown[] {
  const blocks: unknown[] = [];
  const { reasoning } = turn;
  if (reasoning !== undefined) {
    blocks.push(thinking(typeof reasoning === "string" ? { text: reasoning } : reasoning));
  }
  for (const { id, name, arguments: args, result } of turn.serverCalls ?? []) {
    blocks.push({ type: "server_tool_use", id, name, input: inputOf(args) });
    if (result !== undefined) blocks.push({ type: `${name}_tool_result`, tool_use_id: id, content: result });
  }
  // The API takes no empty text block.
  if (turn.content) blocks.push({ type: "text", text: turn.content });
  if (turn.kind === "tool_calls") {
    for (const { id, name, arguments: args } of turn.calls) {
      blocks.push({ type: "tool_use", id, name, input: inputOf(args) });
    }
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
  const reading = readJson(args);
  return reading.ok ? reading.value : {};
}

function thinking({ text, signature }: Pick<ReasoningPart, "text" | "signature">): Record<string, unknown> {
  return { type: "thinking", thinking: text, ...(signature === undefined ? {} : { signature }) };
}

function writeParts(parts: readonly Part[], writing: Writing): unknown[] {
  return parts.flatMap((part) => writePart(part, writing) ?? []);
}

/** The block for a part; undefined where there is none, and its loss is listed. */
function writePart(part: Part, writing: Writing): unknown {
  const { at, wire } = part;
  switch (part.kind) {
    case "text":
      if (part.text === "" && !writing.own) return undefined;
      return writing.complete({ type: "text", text: part.text }, wire, at, READ.text);
    case "refusal":
      return { type: "text", text: part.text };
    case "call":
      return writeCall(part, writing);
    case "result":
      return writeResult(part, writing);
    case "reasoning": {
      // Another provider's thoughts carry no signature of this one.
      if (!writing.own) break;
      const block = part.redacted === undefined ? thinking(part) : { type: "redacted_thinking", data: part.redacted };
      return writing.complete(block, wire, at, READ.thinking);
    }
  }
  // What the neutral model only points at.
  if (writing.own) return wire;
  if ((part.kind === "image" || part.kind === "document") && part.url !== undefined) return writeMedia(part, writing);
  writing.lose(at, part.kind);
  return undefined;
}

function writeCall(call: CallPart, writing: Writing): unknown {
  const { id, name, wire, at } = call;
  return writing.complete({ type: "tool_use", id, name, input: writeInput(call, writing) }, wire, at, READ.call);
}

/** The API takes an object: free text goes into one, and what fits none is lost. */
function writeInput({ parsed, custom, arguments: input, at }: CallPart, writing: Writing): unknown {
  if (custom) return { input };
  if (parsed.ok && (writing.own || isRecord(parsed.value))) return parsed.value;
  writing.lose(at, "arguments that are no object");
  return {};
}

function writeResult(result: ResultPart, writing: Writing): unknown {
  const { callId, content, raw, isError, wire, at } = result;
  const written: Record<string, unknown> = { type: "tool_result" };
  if (callId !== undefined) written.tool_use_id = callId;
  if (isError !== undefined) written.is_error = isError;
  if (typeof content === "object") written.content = writeParts(content, writing);
  else if (raw !== undefined) written.content = writing.own ? (content ?? raw) : resultAsText(result, writing);
  return writing.complete(written, wire, at, READ.result);
}

function writeMedia({ kind, url = "", wire, at }: MediaPart, writing: Writing): unknown {
  const data = /^data:([^;,]+);base64,(.*)$/s.exec(url);
  const source = data ? { type: "base64", media_type: data[1], data: data[2] } : { type: "url", url };
  if (isRecord(wire)) writing.complete({}, wire.image_url, at, ["url"]);
  return writing.complete({ type: kind, source }, wire, at, READ.media);
}
