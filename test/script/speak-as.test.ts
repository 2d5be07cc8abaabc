import { expect, test } from "vitest";
import { hangs, rateLimited, scriptedModel, speakAs, toolCall, turn } from "../../src/index.js";
import { failureOf } from "../support/failure.js";

const QUESTION = { role: "user", content: "weather in Paris?" };

test("speaks the provider's own assistant message", async () => {
  const script = () => scriptedModel(turn("Let me look.", toolCall("get_weather", { city: "Paris" })), "14 degrees");
  const chat = speakAs(script(), "openai-chat");
  expect(await chat([QUESTION])).toEqual({
    role: "assistant",
    content: "Let me look.",
    tool_calls: [{ id: "call_1", type: "function", function: { name: "get_weather", arguments: '{"city":"Paris"}' } }],
  });
  expect(await chat([QUESTION])).toMatchObject({ role: "assistant", content: "14 degrees" });
  const anthropic = speakAs(script(), "anthropic");
  expect(await anthropic([QUESTION])).toEqual({
    role: "assistant",
    content: [
      { type: "text", text: "Let me look." },
      { type: "tool_use", id: "call_1", name: "get_weather", input: { city: "Paris" } },
    ],
  });
  await anthropic([QUESTION]);
});

test("the model behind it records the calls, with the dialect and what else they brought", async () => {
  const model = scriptedModel("hi");
  await speakAs(model, "anthropic")([QUESTION], { tools: ["get_weather"], settings: { max_tokens: 9 } });
  expect(model.requests).toEqual([
    { messages: [QUESTION], dialect: "anthropic", tools: [{ name: "get_weather" }], settings: { max_tokens: 9 } },
  ]);
  expect(model).toHaveBeenCalledTimes(1);
  expect(model.turns).toEqual([{ kind: "text", content: "hi" }]);
});

test("rejects as the model function does", async () => {
  const model = scriptedModel.lenient(rateLimited(), hangs());
  const speak = speakAs(model, "openai-chat");
  await expect(speak([])).rejects.toMatchObject({ status: 429 });
  const controller = new AbortController();
  const call = speak([], { signal: controller.signal });
  controller.abort(new Error("the user left"));
  await expect(call).rejects.toThrow("the user left");
  await expect(speak([])).rejects.toMatchObject({ code: "script-exhausted" });
  await expect(speak("hi" as never)).rejects.toThrow('expected an array, found "hi"');
});

test("says what is wrong with a model or a dialect", () => {
  expect(failureOf(() => speakAs((async () => {}) as never, "anthropic"))).toMatchInlineSnapshot(
    `"[vitest-tool-loop] speakAs() needs a scripted model: expected scriptedModel(…), found [function]."`,
  );
  expect(failureOf(() => speakAs(scriptedModel.lenient("hi"), "anthropics"))).toMatchInlineSnapshot(
    `"[vitest-tool-loop] There is no dialect "anthropics": expected one of "openai-chat", "anthropic". Register your own with registerDialect(definition)."`,
  );
});
