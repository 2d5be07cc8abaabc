import { isRecord } from "../../json.js";
import { Place } from "../../transcript/place.js";
import type { Part, Role, Transcript } from "../../transcript/types.js";
import { WireCall, WireResult, WireText } from "../../transcript/wire.js";
import { readList, roleOf, textOrEmpty, unknownPart } from "../read.js";

/** Reads Messages API messages. Shapes: https://docs.anthropic.com/en/api/messages (@anthropic-ai/sdk 1.14.0 types). */
export function read(messages: readonly unknown[], at = "messages"): Transcript {
  return readList("anthropic", messages, { at, roleOf, readParts });
}

function readParts(message: Record<string, unknown>, at: { readonly at: string }, role: Role): readonly Part[] {
  return readContent(message.content, at, role);
}

function readContent(content: unknown, within: { readonly at: string }, role: Role): readonly Part[] {
  if (typeof content === "string") return content === "" ? [] : [new WireText(within, ".content", content, content)];
  if (Array.isArray(content)) {
    const list = new Place(within, ".content");
    // A loop: with map() each of many lists needs a function of its own.
    const parts = new Array<Part>(content.length);
    for (let index = 0; index < content.length; index++) parts[index] = readBlock(content[index], list, index, role);
    return parts;
  }
  if (content === undefined || content === null) return [];
  return [{ kind: "unknown", type: "content", at: `${within.at}.content`, wire: content }];
}

function readBlock(block: unknown, list: Place, index: number, role: Role): Part {
  if (!isRecord(block)) return unknownPart(block, `${list.at}[${index}]`);
  const type = textOrEmpty(block.type);
  switch (type) {
    case "text":
      return new WireText(list, index, textOrEmpty(block.text), block);
    case "tool_use":
      return new WireCall(list, index, block, textOrEmpty(block.id), textOrEmpty(block.name), block.input, "value");
    case "tool_result":
      return readResult(block, list, index, role);
  }
  return readRareBlock(block, type, `${list.at}[${index}]`);
}

function readRareBlock(block: Record<string, unknown>, type: string, at: string): Part {
  switch (type) {
    case "thinking":
      return {
        kind: "reasoning",
        at,
        text: textOrEmpty(block.thinking),
        ...(typeof block.signature === "string" ? { signature: block.signature } : {}),
        wire: block,
      };
    case "redacted_thinking":
      return { kind: "reasoning", at, text: "", redacted: textOrEmpty(block.data), wire: block };
    case "image":
    case "document":
      return { kind: type, at, wire: block, ...addressOf(block.source) };
  }
  // server_tool_use, mcp_tool_use and their kin: run by the provider, answered beside the call.
  if (type.endsWith("_tool_use")) {
    const { id, name, input } = block;
    return { kind: "server-call", at, wire: block, id: textOrEmpty(id), name: textOrEmpty(name), input };
  }
  if (type.endsWith("_tool_result")) {
    return { kind: "server-result", at, wire: block, callId: textOrEmpty(block.tool_use_id), result: block.content };
  }
  return unknownPart(block, at);
}

function readResult(block: Record<string, unknown>, list: Place, index: number, role: Role): Part {
  const { content: raw, tool_use_id: callId, is_error: isError } = block;
  const isList = Array.isArray(raw);
  const content = isList ? readContent(raw, new Place(list, index), role) : typeof raw === "string" ? raw : undefined;
  const malformed = content === undefined && raw !== undefined && raw !== null;
  return new WireResult(list, index, block, { role, callId, content, raw, malformed, isError });
}

function addressOf(source: unknown): { url?: string } {
  if (!isRecord(source)) return {};
  if (typeof source.url === "string") return { url: source.url };
  if (source.type !== "base64" || typeof source.data !== "string") return {};
  return { url: `data:${textOrEmpty(source.media_type)};base64,${source.data}` };
}
