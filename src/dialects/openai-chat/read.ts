import { isRecord } from "../../json.js";
import {
  CallPart,
  type Part,
  type ResultPart,
  type Transcript,
  type TranscriptMessage,
} from "../../transcript/types.js";
import { readList, requireList, requireMessage, textOrEmpty } from "../read.js";

/** Reads Chat Completions messages. Shapes: https://platform.openai.com/docs/api-reference/chat/create (openai 7.59.0 types). */
export function read(messages: readonly unknown[], at = "messages"): Transcript {
  return { dialect: "openai-chat", messages: readList(messages, at, readMessage) };
}

function readMessage(value: unknown, at: string): TranscriptMessage {
  const message = requireMessage(value, at);
  const { role } = message;
  if (role === "tool") return { role, at, wire: value, parts: [readResult(message, at, message.tool_call_id)] };
  // The retired function calling of 2023: one call without an id, answered by name.
  if (role === "function") return { role: "tool", at, wire: value, parts: [readResult(message, at, "")] };
  const parts = readContent(message.content, `${at}.content`);
  if (role === "assistant") readTurnInto(parts, message, at);
  return { role, at, parts, wire: value };
}

function readTurnInto(parts: Part[], message: Record<string, unknown>, at: string): void {
  // DeepSeek and Kimi spell it out; OpenRouter and vLLM say `reasoning`.
  for (const key of ["reasoning_content", "reasoning"]) {
    const text = message[key];
    if (typeof text === "string") parts.unshift({ kind: "reasoning", at: `${at}.${key}`, text, wire: text });
  }
  if (typeof message.refusal === "string") {
    parts.push({ kind: "refusal", at: `${at}.refusal`, text: message.refusal, wire: message.refusal });
  }
  if (isRecord(message.function_call)) {
    const { name, arguments: text } = message.function_call;
    parts.push(readFunction("", name, text, `${at}.function_call`, message.function_call));
  }
  const calls = requireList(message.tool_calls, `${at}.tool_calls`, "a list of calls");
  calls?.forEach((call, index) => void parts.push(readCall(call, `${at}.tool_calls[${index}]`)));
}

function readCall(call: unknown, at: string): Part {
  if (!isRecord(call)) return { kind: "unknown", type: "tool_call", at, wire: call };
  const id = textOrEmpty(call.id);
  if (isRecord(call.custom)) {
    return new CallPart(at, call, id, textOrEmpty(call.custom.name), { text: textOrEmpty(call.custom.input) }, true);
  }
  if (!isRecord(call.function)) return { kind: "unknown", type: textOrEmpty(call.type) || "tool_call", at, wire: call };
  return readFunction(id, call.function.name, call.function.arguments, at, call);
}

function readFunction(id: string, name: unknown, args: unknown, at: string, wire: unknown): CallPart {
  const held = typeof args === "string" ? { text: args } : args === undefined ? { text: "" } : { value: args };
  return new CallPart(at, wire, id, textOrEmpty(name), held);
}

function readResult(message: Record<string, unknown>, at: string, id: unknown): ResultPart {
  const { content: raw } = message;
  const isList = Array.isArray(raw);
  return {
    kind: "result",
    role: "tool",
    at,
    wire: message,
    callId: typeof id === "string" ? id : undefined,
    ...(typeof message.name === "string" ? { name: message.name } : {}),
    content: typeof raw === "string" ? raw : isList ? readContent(raw, `${at}.content`) : undefined,
    raw,
    ...(typeof raw === "string" || isList ? {} : { malformed: true }),
  };
}

function readContent(content: unknown, at: string): Part[] {
  if (typeof content === "string") return content === "" ? [] : [{ kind: "text", at, text: content, wire: content }];
  if (!Array.isArray(content)) {
    return content === undefined || content === null ? [] : [{ kind: "unknown", type: "content", at, wire: content }];
  }
  return content.map((part, index) => readPart(part, `${at}[${index}]`));
}

function readPart(part: unknown, at: string): Part {
  if (typeof part === "string") return { kind: "text", at, text: part, wire: part };
  const type = isRecord(part) ? textOrEmpty(part.type) : "";
  if (isRecord(part)) {
    if (type === "text" && typeof part.text === "string") return { kind: "text", at, text: part.text, wire: part };
    if (type === "refusal" && typeof part.refusal === "string") {
      return { kind: "refusal", at, text: part.refusal, wire: part };
    }
    if (type === "image_url") {
      const url = isRecord(part.image_url) ? part.image_url.url : undefined;
      return { kind: "image", at, wire: part, ...(typeof url === "string" ? { url } : {}) };
    }
    if (type === "input_audio") return { kind: "audio", at, wire: part };
    if (type === "file") return { kind: "document", at, wire: part };
  }
  return { kind: "unknown", type: type || "part", at, wire: part };
}
