// The tests of green.test.ts, on loops with one planted bug each. Every one of them has to fail, and to say why.
import OpenAI from "openai";
import { expect } from "vitest";
import { modelFetch, repeat, test, toolCall } from "vitest-tool-loop";
import {
  capOffByOne,
  completionOrder,
  ForgetfulChat,
  malformedArgumentsRun,
  resultAsUserMessage,
} from "./planted-bugs.js";

const question = [{ role: "user", content: "weather in Paris?" }];
const tools = { get_weather: async () => ({ tempC: 14 }), get_time: async () => "09:00" };

test("resultAsUserMessage", async ({ scriptedModel }) => {
  const model = scriptedModel(toolCall("get_weather", { city: "Paris" }), "It is 14 degrees in Paris.");
  expect(await resultAsUserMessage(model, tools, question)).toHaveAppendedToolResult("call_1", { tempC: 14 });
});

test("completionOrder", async ({ scriptedModel }) => {
  const model = scriptedModel([toolCall("get_weather"), toolCall("get_time")], "14 degrees at nine.");
  const slow = { ...tools, get_weather: () => new Promise((done) => setTimeout(done, 20, { tempC: 14 })) };
  expect(await completionOrder(model, slow, question)).toMatchToolCallIds();
});

test("malformedArgumentsRun", async ({ scriptedModel }) => {
  const model = scriptedModel(toolCall("get_weather", '{"city": "Par'), "I could not look it up.");
  expect(await malformedArgumentsRun(model, tools, question)).toHaveAppendedToolResult(
    "call_1",
    expect.stringContaining("failed"),
  );
});

test("capOffByOne", async ({ scriptedModel }) => {
  const model = scriptedModel(repeat(toolCall("get_time")));
  await capOffByOne(model, tools, question, 3);
  expect(model).toStopWithinTurns(3);
});

test("ForgetfulChat", async ({ scriptedModel }) => {
  const model = scriptedModel(toolCall("get_weather", { city: "Paris" }), "14 degrees.", "Yes, a light one.");
  const chat = new ForgetfulChat(new OpenAI({ apiKey: "test", fetch: modelFetch(model), maxRetries: 0 }));
  await chat.ask("weather in Paris?");
  await chat.ask("Do I need a jacket?");
});
