import { isRecord } from "../../json.js";
import type { OfferedTool } from "../../rules/rule.js";
import { readTools } from "../../rules/tools.js";
import type { Endpoint, WireRequest } from "../dialect.js";
import { fieldOf, offeredTools, requireMessages, settingsOf } from "../request.js";
import { writeResponse, writeStream } from "./response.js";

/** `POST …/v1/messages`. Shapes: https://docs.anthropic.com/en/api/messages (@anthropic-ai/sdk 1.14.0 types, beta too). */
export const messages: Endpoint = {
  route: "POST …/v1/messages",
  matches: (path) => path.endsWith("/v1/messages"),
  readRequest,
  join,
  writeResponse,
  writeStream,
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
