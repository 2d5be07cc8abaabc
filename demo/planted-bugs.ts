// One bug each, on the line marked BUG. All of them were reported from production, many times.
import type OpenAI from "openai";
import type { Model } from "vitest-tool-loop";
import { Chat } from "./agent.js";
import { answer, assistantMessage, type Message, type Tools } from "./loop.js";

type Loop = (model: Model<Message>, tools: Tools, messages: Message[], maxTurns?: number) => Promise<Message[]>;

/** The frame of a loop, with the step that runs the tools left to the caller. */
async function loop(
  model: Model<Message>,
  messages: Message[],
  step: (reply: Reply) => Promise<Message[]>,
): Promise<Message[]> {
  const history = [...messages];
  for (;;) {
    const reply = await model(history);
    if (reply.kind === "text") return [...history, { role: "assistant", content: reply.content }];
    history.push(assistantMessage(reply.calls, reply.content), ...(await step(reply)));
  }
}

type Reply = Extract<Awaited<ReturnType<Model>>, { kind: "tool_calls" }>;

export const resultAsUserMessage: Loop = (model, tools, messages) =>
  loop(model, messages, (reply) =>
    Promise.all(
      reply.calls.map(async (call) => {
        const { content } = await answer(call, tools);
        return { role: "user", content }; // BUG: a role and no id, where the API wants "tool" and tool_call_id
      }),
    ),
  );

export const completionOrder: Loop = (model, tools, messages) =>
  loop(model, messages, async (reply) => {
    const results: Message[] = [];
    await Promise.all(reply.calls.map(async (call) => results.push(await answer(call, tools)))); // BUG: pushed as they finish
    return results;
  });

export const malformedArgumentsRun: Loop = (model, tools, messages) =>
  loop(model, messages, (reply) =>
    Promise.all(
      reply.calls.map((call) => {
        const args = isJson(call.arguments) ? call.arguments : "{}"; // BUG: what was cut off is executed as {}
        return answer({ ...call, arguments: args }, tools);
      }),
    ),
  );

export const capOffByOne: Loop = async (model, tools, messages, maxTurns = 8) => {
  const history = [...messages];
  // BUG: <= asks once more than the cap allows
  for (let turn = 0; turn <= maxTurns; turn++) {
    const reply = await model(history);
    if (reply.kind === "text") return [...history, { role: "assistant", content: reply.content }];
    history.push(assistantMessage(reply.calls), ...(await Promise.all(reply.calls.map((call) => answer(call, tools)))));
  }
  return [...history, { role: "assistant", content: `Stopped after ${maxTurns} turns.` }];
};

export class ForgetfulChat extends Chat {
  protected override remembered(history: OpenAI.ChatCompletionMessageParam[]): OpenAI.ChatCompletionMessageParam[] {
    return history.slice(-2); // BUG: the cut parts a tool result from the call it answers
  }
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
