import { isRecord } from "../../json.js";
import type { Endpoint, WireRequest } from "../dialect.js";
import { fieldOf, offeredTools, requireMessages, settingsOf } from "../request.js";
import { writeResponse, writeStream } from "./response.js";

/** `POST …/chat/completions`. Shapes: https://platform.openai.com/docs/api-reference/chat (openai 7.59.0 types). */
export const chatCompletions: Endpoint = {
  route: "POST …/chat/completions",
  matches: (path) => path.endsWith("/chat/completions"),
  readRequest,
  writeResponse,
  writeStream,
};

const READ = ["messages", "model", "tools", "tool_choice", "parallel_tool_calls", "stream"];

function readRequest(body: Readonly<Record<string, unknown>>): WireRequest {
  const tools = offeredTools(body);
  return {
    messages: requireMessages(body),
    ...(tools ? { tools } : {}),
    ...(typeof body.model === "string" ? { model: body.model } : {}),
    ...(body.tool_choice === undefined ? {} : { toolChoice: body.tool_choice }),
    settings: settingsOf(body, READ),
    streaming: body.stream === true,
    choice: readChoice(body.tool_choice),
    parallelCalls: body.parallel_tool_calls !== false,
    held: false,
  };
}

/** `"auto"`, `{ type: "function", function: { name } }`, or `{ type: "allowed_tools", allowed_tools: { mode } }`. */
function readChoice(choice: unknown): WireRequest["choice"] {
  const mode = isRecord(choice) ? fieldOf(choice.allowed_tools, "mode") : choice;
  if (mode === "none" || mode === "required") return mode;
  const name = isRecord(choice) ? fieldOf(choice.function ?? choice.custom, "name") : undefined;
  return typeof name === "string" ? { name } : "auto";
}
