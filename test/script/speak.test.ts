import { expect, test } from "vitest";
import { UsageError } from "../../src/errors.js";
import { repeat, scriptedModel, toolCall } from "../../src/index.js";
import { runInTest } from "../../src/running-test.js";
import { isScriptedModel, speak } from "../../src/script/index.js";

const QUESTION = { role: "user", content: "weather in Paris?" };

test("speaks from the same script as the model function, and records all the request carries", async () => {
  const model = scriptedModel("one", "two");
  const request = {
    messages: [QUESTION],
    system: "Be brief.",
    model: "some-model",
    toolChoice: "auto",
    tools: [{ name: "get_weather" }],
    settings: { temperature: 0 },
    body: { messages: [QUESTION] },
  };
  expect(await speak(model, request)).toEqual({
    kind: "turn",
    turn: { kind: "text", content: "one" },
    unchecked: new Set(),
  });
  expect(await model([])).toEqual({ kind: "text", content: "two" });
  expect(model.requests).toEqual([request, { messages: [] }]);
  expect(model.seen).toEqual([[QUESTION], []]);
  expect(model.turns).toHaveLength(2);
});

test("is a call of the mock as well", async () => {
  const model = scriptedModel("one", "two");
  await speak(model, { messages: [QUESTION] });
  await speak(model, { messages: [], settings: { temperature: 0 }, system: "Be brief." });
  expect(model.mock.calls).toEqual([[[QUESTION]], [[], { settings: { temperature: 0 } }]]);
});

test("gives errors as data: the scripted one, the end of the script, an abort", async () => {
  const down = new Error("down");
  const model = scriptedModel.lenient(down, "never");
  expect(await speak(model, { messages: [] })).toEqual({ kind: "error", error: down });
  const reason = new Error("left");
  const aborted = await speak(model, { messages: [], signal: AbortSignal.abort(reason) });
  expect(aborted).toEqual({ kind: "error", error: reason });
  await model([]);
  expect(await speak(model, { messages: [] })).toMatchObject({ kind: "error", error: { code: "script-exhausted" } });
  expect(model.overruns).toBe(1);
});

test("names the calls that are not held against the tools offered", async () => {
  const model = scriptedModel([toolCall("a"), toolCall.unchecked("b")]);
  expect(await speak(model, { messages: [] })).toMatchObject({ kind: "turn", unchecked: new Set(["call_2"]) });
});

test("says what the mock says where a test gave it another implementation", async () => {
  const model = scriptedModel.lenient("never");
  model.mockResolvedValueOnce({ kind: "text", content: "instead" });
  expect(await speak(model, { messages: [QUESTION] })).toMatchObject({ turn: { kind: "text", content: "instead" } });
  model.mockImplementationOnce(() => {
    throw new Error("thrown");
  });
  expect(await speak(model, { messages: [] })).toEqual({ kind: "error", error: new Error("thrown") });
  expect(model.requests).toHaveLength(2);
  expect(model.turns).toEqual([{ kind: "text", content: "instead" }]);
});

/** Runs `fn` in an attempt of its own: what is refused in it fails nothing here. */
function apart<R>(fn: () => R): R {
  return runInTest({ name: "apart", hasFailed: () => false, hasSkipped: () => false, failures: [], checks: [] }, fn);
}

test("holds another implementation of the mock against the request, too", async () => {
  const model = apart(() => scriptedModel.lenient("never"));
  const demands = { choice: "auto", parallelCalls: true } as const;
  model.mockResolvedValueOnce({ kind: "tool_calls", calls: [{ id: "call_1", name: "made_up", arguments: "{}" }] });
  expect(await apart(() => speak(model, { messages: [QUESTION] }, { demands }))).toMatchObject({
    error: { code: "impossible-turn" },
  });
  model.mockResolvedValueOnce(undefined as never);
  expect(await apart(() => speak(model, { messages: [QUESTION] }, { demands }))).toMatchObject({
    unscripted: true,
    error: { message: expect.stringContaining("at what the mock's own implementation answered") },
  });
  const refusal = new UsageError("The API refuses.");
  model.mockRejectedValueOnce(new Error("never seen"));
  expect(await apart(() => speak(model, { messages: [QUESTION] }, { refusal, demands }))).toMatchObject({
    error: refusal,
  });
});

test("concurrent requests keep their own", async () => {
  const model = scriptedModel(repeat("hi", { times: 2 }));
  await Promise.all([speak(model, { messages: [], system: "a" }), speak(model, { messages: [], system: "b" })]);
  expect(model.requests.map(({ system }) => system)).toEqual(["a", "b"]);
});

test("isScriptedModel tells a scripted model from any other function", () => {
  expect(isScriptedModel(scriptedModel.lenient("hi"))).toBe(true);
  expect(isScriptedModel(async () => ({ kind: "text", content: "hi" }))).toBe(false);
  expect(isScriptedModel(undefined)).toBe(false);
});
