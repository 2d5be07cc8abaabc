// A tool-calling loop as one writes it by hand, in the shape of OpenAI Chat Completions.
import type { Model, ToolCall } from "vitest-tool-loop";

export type Message = Record<string, unknown>;
export type Tools = Record<string, (args: Record<string, unknown>) => Promise<unknown>>;

export async function runLoop(
  model: Model<Message>,
  tools: Tools,
  messages: Message[],
  maxTurns = 8,
): Promise<Message[]> {
  const history = [...messages];
  for (let turn = 0; turn < maxTurns; turn++) {
    const reply = await model(history);
    if (reply.kind === "text") return [...history, { role: "assistant", content: reply.content }];
    history.push(assistantMessage(reply.calls, reply.content));
    history.push(...(await Promise.all(reply.calls.map((call) => answer(call, tools)))));
  }
  return [...history, { role: "assistant", content: `Stopped after ${maxTurns} turns.` }];
}

export function assistantMessage(calls: readonly ToolCall[], content: string | null = null): Message {
  const toolCalls = calls.map(({ id, name, arguments: args }) => ({
    id,
    type: "function",
    function: { name, arguments: args },
  }));
  return { role: "assistant", content, tool_calls: toolCalls };
}

export async function answer(call: ToolCall, tools: Tools): Promise<Message> {
  return { role: "tool", tool_call_id: call.id, content: await execute(call, tools) };
}

async function execute({ name, arguments: args }: ToolCall, tools: Tools): Promise<string> {
  if (!Object.hasOwn(tools, name)) return `There is no tool named ${name}.`;
  try {
    return JSON.stringify(await tools[name]!(JSON.parse(args))) ?? "null";
  } catch {
    return `The tool ${name} failed.`;
  }
}
