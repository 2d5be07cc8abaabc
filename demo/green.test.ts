import OpenAI from "openai";
import { expect, vi } from "vitest";
import { modelFetch, repeat, test, toolCall } from "vitest-tool-loop";
import { Chat, runAgent } from "./agent.js";
import { runLoop } from "./loop.js";

const question = [{ role: "user", content: "weather in Paris?" }];
const tools = { get_weather: async () => ({ tempC: 14 }), get_time: async () => "09:00" };

test("a tool result is appended in the shape the API requires", async ({ scriptedModel }) => {
  const model = scriptedModel(toolCall("get_weather", { city: "Paris" }), "It is 14 degrees in Paris.");
  const out = await runLoop(model, tools, question);
  expect(out).toHaveAppendedToolResult("call_1", { tempC: 14 });
  expect(out).toMatchToolCallIds();
  expect(model).toStopWithinTurns(2);
});

test("parallel results stand in the order of the calls", async ({ scriptedModel }) => {
  const model = scriptedModel([toolCall("get_weather"), toolCall("get_time")], "14 degrees at nine.");
  const slow = { ...tools, get_weather: () => new Promise((done) => setTimeout(done, 20, { tempC: 14 })) };
  expect(await runLoop(model, slow, question)).toMatchToolCallIds(["call_1", "call_2"]);
});

test("malformed arguments never reach the tool", async ({ scriptedModel }) => {
  const getWeather = vi.fn(tools.get_weather);
  const model = scriptedModel(toolCall("get_weather", '{"city": "Par'), "I could not look it up.");
  await runLoop(model, { ...tools, get_weather: getWeather }, question);
  expect(getWeather).not.toHaveBeenCalled();
});

test("the loop stops at its cap", async ({ scriptedModel }) => {
  const model = scriptedModel(repeat(toolCall("get_time")));
  await runLoop(model, tools, question, 3);
  expect(model).toStopWithinTurns(3);
});

test("the SDK's own loop answers with the tool's result", async ({ scriptedModel }) => {
  const model = scriptedModel(toolCall("get_weather", { city: "Paris" }), "14 degrees.");
  const client = new OpenAI({ apiKey: "test", fetch: modelFetch(model) });
  expect(await runAgent(client, "weather in Paris?")).toBe("14 degrees.");
  expect(model).toHaveAppendedToolResult("call_1", { tempC: 14 });
});

test("a second question sends the whole past along", async ({ scriptedModel }) => {
  const model = scriptedModel(toolCall("get_weather", { city: "Paris" }), "14 degrees.", "Yes, a light one.");
  const chat = new Chat(new OpenAI({ apiKey: "test", fetch: modelFetch(model) }));
  await chat.ask("weather in Paris?");
  expect(await chat.ask("Do I need a jacket?")).toBe("Yes, a light one.");
  expect(model).toMatchToolCallIds(["call_1"]);
});
