import OpenAI from "openai";
import { expect, test } from "vitest";
import { modelFetch, scriptedModel, toolCall, turn } from "../../src/index.js";

/** A hand-written loop that owns its client, as many products have one. */
async function runAgent(client: OpenAI, prompt: string): Promise<string> {
  const messages: OpenAI.ChatCompletionMessageParam[] = [{ role: "user", content: prompt }];
  const tools: OpenAI.ChatCompletionTool[] = [
    {
      type: "function",
      function: { name: "get_weather", parameters: { type: "object", properties: { city: { type: "string" } } } },
    },
  ];
  for (let step = 0; step < 8; step++) {
    const { choices } = await client.chat.completions.create({ model: "gpt-test", messages, tools });
    const { message } = choices[0]!;
    if (!message.tool_calls) return message.content ?? "";
    messages.push(message);
    for (const call of message.tool_calls) {
      messages.push({ role: "tool", tool_call_id: call.id, content: JSON.stringify({ tempC: 14 }) });
    }
  }
  return "I give up.";
}

test("asks for the weather, then answers", async () => {
  const model = scriptedModel(toolCall("get_weather", { city: "Paris" }), "14 degrees.");
  const client = new OpenAI({ apiKey: "test", fetch: modelFetch(model) });
  expect(await runAgent(client, "weather in Paris?")).toBe("14 degrees.");
  expect(model).toHaveAppendedToolResult("call_1", { tempC: 14 });
});

test("words beside a call, and usage", async () => {
  const model = scriptedModel(
    turn("Let me look.", toolCall("get_weather", { city: "Paris" }), { usage: { inputTokens: 900, outputTokens: 20 } }),
    "14 degrees.",
  );
  await runAgent(new OpenAI({ apiKey: "test", fetch: modelFetch(model) }), "weather?");
});
