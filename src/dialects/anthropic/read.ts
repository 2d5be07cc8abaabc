import { isRecord } from "../../json.js";
import { CallPart, type Part, type Role, type Transcript, type TranscriptMessage } from "../../transcript/types.js";
import { readList, requireMessage, textOrEmpty } from "../read.js";

/** Reads Messages API messages. Shapes: https://docs.anthropic.com/en/api/messages (@anthropic-ai/sdk 1.14.0 types). */
export function read(messages: readonly unknown[], at = "messages"): Transcript {
  return { dialect: "anthropic", messages: readList(messages, at, readMessage) };
}

function readMessage(value: unknown, at: string): TranscriptMessage {
  const message = requireMessage(value, at);
  return { role: message.role, at, wire: value, parts: readContent(message.content, `${at}.content`, message.role) };
}

function readContent(content: unknown, at: string, role: Role): Part[] {
  if (typeof content === "string") return content === "" ? [] : [{ kind: "text", at, text: content, wire: content }];
  if (!Array.isArray(content)) {
    return content === undefined || content === null ? [] : [{ kind: "unknown", type: "content", at, wire: content }];
  }
  return content.map((block, index) => readBlock(block, `${at}[${index}]`, role));
}

function readBlock(block: unknown, at: string, role: Role): Part {
  if (!isRecord(block)) return { kind: "unknown", type: "block", at, wire: block };
  const type = textOrEmpty(block.type);
  switch (type) {
    case "text":
      return { kind: "text", at, text: textOrEmpty(block.text), wire: block };
    case "tool_use":
      return new CallPart(at, block, textOrEmpty(block.id), textOrEmpty(block.name), { value: block.input });
    case "tool_result":
      return readResult(block, at, role);
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
  return { kind: "unknown", type: type || "block", at, wire: block };
}

function readResult(block: Record<string, unknown>, at: string, role: Role): Part {
  const raw = block.content;
  const readable = raw === undefined || raw === null || typeof raw === "string" || Array.isArray(raw);
  return {
    kind: "result",
    role,
    at,
    wire: block,
    callId: typeof block.tool_use_id === "string" ? block.tool_use_id : undefined,
    content: typeof raw === "string" ? raw : Array.isArray(raw) ? readContent(raw, `${at}.content`, role) : undefined,
    raw,
    ...(readable ? {} : { malformed: true }),
    ...(typeof block.is_error === "boolean" ? { isError: block.is_error } : {}),
  };
}

function addressOf(source: unknown): { url?: string } {
  if (!isRecord(source)) return {};
  if (typeof source.url === "string") return { url: source.url };
  if (source.type !== "base64" || typeof source.data !== "string") return {};
  return { url: `data:${textOrEmpty(source.media_type)};base64,${source.data}` };
}
