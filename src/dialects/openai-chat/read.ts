import { isRecord } from "../../json.js";
import { Place } from "../../transcript/place.js";
import type { Part, ResultPart, Role, Transcript } from "../../transcript/types.js";
import { WireCall, WireResult, WireText } from "../../transcript/wire.js";
import { readList, textOrEmpty, unknownPart } from "../read.js";

/** Reads Chat Completions messages. Shapes: https://platform.openai.com/docs/api-reference/chat/create (openai 7.59.0 types). */
export function read(messages: readonly unknown[], at = "messages"): Transcript {
  return readList("openai-chat", messages, { at, roleOf, readParts });
}

type Holder = { readonly at: string };

/** The function calling of 2023 is retired, and still in the types. */
function roleOf({ role }: Record<string, unknown>): Role {
  return role === "function" ? "tool" : textOrEmpty(role);
}

function readParts(message: Record<string, unknown>, at: Holder, role: Role): readonly Part[] {
  // A function message has no id: one call without an id, answered by name.
  if (role === "tool") return [readResult(message, at, message.role === "function" ? "" : message.tool_call_id)];
  return role === "assistant" ? readTurn(message, at) : readContent(message.content, at);
}

function readTurn(message: Record<string, unknown>, at: Holder): readonly Part[] {
  const spoken = readContent(message.content, at);
  const { reasoning, reasoning_content: thoughts, refusal, function_call: legacyCall, tool_calls: calls } = message;
  const asked = calls === undefined || calls === null ? [] : readCalls(calls, new Place(at, ".tool_calls"));
  // Nearly every turn speaks or asks, and that is all.
  if (reasoning === undefined && thoughts === undefined && refusal === undefined && legacyCall === undefined) {
    return asked.length === 0 ? spoken : spoken.length === 0 ? asked : [...spoken, ...asked];
  }
  const parts: Part[] = [];
  // DeepSeek and Kimi spell it out; OpenRouter and vLLM say `reasoning`.
  if (typeof thoughts === "string") parts.push(readReasoning(thoughts, `${at.at}.reasoning_content`));
  if (typeof reasoning === "string") parts.push(readReasoning(reasoning, `${at.at}.reasoning`));
  parts.push(...spoken);
  if (typeof refusal === "string")
    parts.push({ kind: "refusal", at: `${at.at}.refusal`, text: refusal, wire: refusal });
  if (isRecord(legacyCall)) {
    const { name, arguments: args = "" } = legacyCall;
    parts.push(new WireCall(at, ".function_call", legacyCall, "", textOrEmpty(name), args));
  }
  return [...parts, ...asked];
}

function readReasoning(text: string, at: string): Part {
  return { kind: "reasoning", at, text, wire: text };
}

function readCalls(calls: unknown, list: Place): readonly Part[] {
  if (Array.isArray(calls)) return readItems(calls, list, readCall);
  return [{ kind: "unknown", type: "tool_calls", at: list.at, wire: calls }];
}

/** A loop: with map() each of many lists needs a function of its own. */
function readItems(
  items: readonly unknown[],
  list: Place,
  read: (item: unknown, list: Place, index: number) => Part,
): readonly Part[] {
  const parts = new Array<Part>(items.length);
  for (let index = 0; index < items.length; index++) parts[index] = read(items[index], list, index);
  return parts;
}

function readCall(call: unknown, list: Place, index: number): Part {
  if (isRecord(call)) {
    const id = textOrEmpty(call.id);
    if (isRecord(call.custom)) {
      const { name, input = "" } = call.custom;
      return new WireCall(list, index, call, id, textOrEmpty(name), input, "free text");
    }
    if (isRecord(call.function)) {
      const { name, arguments: args = "" } = call.function;
      return new WireCall(list, index, call, id, textOrEmpty(name), args);
    }
  }
  return unknownPart(call, `${list.at}[${index}]`);
}

function readResult(message: Record<string, unknown>, within: Holder, callId: unknown): ResultPart {
  const { content: raw, name } = message;
  const content = Array.isArray(raw) ? readContent(raw, within) : typeof raw === "string" ? raw : undefined;
  return new WireResult(within, "", message, {
    role: "tool",
    callId,
    name,
    content,
    raw,
    malformed: content === undefined,
  });
}

function readContent(content: unknown, within: Holder): readonly Part[] {
  if (typeof content === "string") return content === "" ? [] : [new WireText(within, ".content", content, content)];
  if (Array.isArray(content)) return readItems(content, new Place(within, ".content"), readPart);
  if (content === undefined || content === null) return [];
  return [{ kind: "unknown", type: "content", at: `${within.at}.content`, wire: content }];
}

function readPart(part: unknown, list: Place, index: number): Part {
  if (typeof part === "string") return new WireText(list, index, part, part);
  if (!isRecord(part)) return unknownPart(part, `${list.at}[${index}]`);
  if (part.type === "text" && typeof part.text === "string") return new WireText(list, index, part.text, part);
  const at = `${list.at}[${index}]`;
  switch (part.type) {
    case "refusal":
      return { kind: "refusal", at, text: textOrEmpty(part.refusal), wire: part };
    case "image_url": {
      const url = isRecord(part.image_url) ? part.image_url.url : undefined;
      return { kind: "image", at, wire: part, ...(typeof url === "string" ? { url } : {}) };
    }
    case "input_audio":
      return { kind: "audio", at, wire: part };
    case "file":
      return { kind: "document", at, wire: part };
    default:
      return unknownPart(part, at);
  }
}
