import { expect, test } from "vitest";
import { scriptedModel } from "../../src/index.js";

const QUESTION = { role: "user", content: "weather in Paris?" };

test("a signal aborted before the call, rejects it with its reason; the call is recorded and takes no turn", async () => {
  const model = scriptedModel("hi");
  const reason = new Error("the user left");
  await expect(model([QUESTION], { signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
  expect(model.seen).toEqual([[QUESTION]]);
  expect(model.remaining).toBe(1);
  expect(await model([])).toEqual({ kind: "text", content: "hi" });
});

test("a signal aborted while a function thinks, rejects the call and takes the turn", async () => {
  const controller = new AbortController();
  const model = scriptedModel(() => new Promise<string>(() => {}));
  const call = model([], { signal: controller.signal });
  controller.abort();
  await expect(call).rejects.toMatchObject({ name: "AbortError" });
  expect(model.remaining).toBe(0);
  expect(model.turns).toEqual([]);
});

test("a signal that never aborts changes nothing", async () => {
  const model = scriptedModel(async () => "hi");
  expect(await model([], { signal: new AbortController().signal })).toEqual({ kind: "text", content: "hi" });
});

test("a signal that is no signal is ignored", async () => {
  const model = scriptedModel("hi");
  expect(await model([], { signal: "stop" as unknown as AbortSignal })).toEqual({ kind: "text", content: "hi" });
});
