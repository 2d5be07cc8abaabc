import { expect, test } from "vitest";
import { scriptedModel, toolCall, turn } from "../../src/index.js";
import { Voice } from "../../src/script/voice.js";

interface Message {
  role: string;
  content: string;
}

const QUESTION: Message = { role: "user", content: "weather in Paris?" };

test("a function decides from the messages and the request of its call", async () => {
  const model = scriptedModel<Message>(
    (messages, request) => `${messages.length} ${messages[0]!.content} ${JSON.stringify(request.settings)}`,
  );
  expect(await model([QUESTION], { settings: { seed: 1 } })).toEqual({
    kind: "text",
    content: '1 weather in Paris? {"seed":1}',
  });
});

test("a function may return any item, a promise of one, or another function", async () => {
  const model = scriptedModel(
    async () => toolCall("a"),
    () => () => turn("b", { finish: "length" }),
    () => new Error("c"),
  );
  expect(await model([])).toMatchObject({ kind: "tool_calls", calls: [{ name: "a" }] });
  expect(await model([])).toEqual({ kind: "text", content: "b", finish: "length" });
  await expect(model([])).rejects.toThrow("c");
});

/** The answer to one call of a script that no test answers for. */
async function said(item: (messages: readonly Message[]) => string) {
  const voice = new Voice([item]);
  return { spoken: await voice.say({ messages: [QUESTION] }, said), voice };
}

test("a function rejects the call with what it throws, and the script remembers it", async () => {
  const error = new RangeError("too long");
  const { spoken, voice } = await said(() => {
    throw error;
  });
  expect(spoken).toEqual({ kind: "error", error, unscripted: true });
  expect(voice.refusals).toEqual([error]);
});

test("a function gets messages it cannot change by accident", async () => {
  const { spoken, voice } = await said((messages) => {
    messages[0]!.content = "changed";
    return "never";
  });
  expect(spoken).toMatchObject({ kind: "error", error: { message: expect.stringContaining("read only") } });
  expect(voice.seen).toEqual([[QUESTION]]);
});

test("a function that returns itself is ended with a sentence", async () => {
  const own = (): unknown => own;
  const model = scriptedModel.lenient(own as never);
  await expect(model([])).rejects.toThrow(
    "The script cannot be spoken: expected script[0] to return a turn, found 10 functions, each returned by the one before. Does it return itself?",
  );
});
