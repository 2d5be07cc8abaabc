import { expect, test, vi } from "vitest";
import { type Model, repeat, scriptedModel, toolCall } from "../../src/index.js";

interface Message {
  role: string;
  content: string | null;
  tool_calls?: unknown[];
  tool_call_id?: string;
}

const QUESTION: Message = { role: "user", content: "weather in Paris?" };

/** A right loop, as small as they get: it keeps one array and changes it. */
async function runLoop(
  model: Model<Message>,
  tools: Record<string, (args: Record<string, unknown>) => Promise<unknown>>,
  messages: Message[],
): Promise<Message[]> {
  for (;;) {
    const spoken = await model(messages);
    if (spoken.kind === "text") {
      messages.push({ role: "assistant", content: spoken.content });
      return messages;
    }
    messages.push({ role: "assistant", content: null, tool_calls: spoken.calls });
    for (const call of spoken.calls) {
      const result = await tools[call.name]!(JSON.parse(call.arguments));
      messages.push({ role: "tool", tool_call_id: call.id, content: JSON.stringify(result) });
    }
  }
}

test("drives a loop that knows nothing of it", async () => {
  const model = scriptedModel(
    { kind: "tool_calls", calls: [{ id: "call_1", name: "get_weather", arguments: '{"city":"Paris"}' }] },
    { kind: "text", content: "It is 14 degrees in Paris." },
  );
  const getWeather = vi.fn(async () => ({ tempC: 14 }));
  const out = await runLoop(model, { get_weather: getWeather }, [{ ...QUESTION }]);
  expect(getWeather).toHaveBeenCalledWith({ city: "Paris" });
  expect(out.at(-2)).toEqual({ role: "tool", tool_call_id: "call_1", content: '{"tempC":14}' });
  expect(model).toHaveBeenCalledTimes(2);
});

test("speaks the same turns from a draft as from a turn written out", async () => {
  const short = scriptedModel(toolCall("get_weather", { city: "Paris" }), "It is 14 degrees in Paris.");
  expect([await short([]), await short([])]).toEqual([
    { kind: "tool_calls", calls: [{ id: "call_1", name: "get_weather", arguments: '{"city":"Paris"}' }] },
    { kind: "text", content: "It is 14 degrees in Paris." },
  ]);
});

test("speaks a list of calls as one turn with parallel calls", async () => {
  const model = scriptedModel([toolCall("a"), toolCall("b", { n: 1 })]);
  expect(await model([])).toEqual({
    kind: "tool_calls",
    calls: [
      { id: "call_1", name: "a", arguments: "{}" },
      { id: "call_2", name: "b", arguments: '{"n":1}' },
    ],
  });
});

test("seen holds the messages of each call as they were, although the loop kept one array", async () => {
  const model = scriptedModel(toolCall("get_weather"), "14 degrees");
  await runLoop(model, { get_weather: async () => 14 }, [{ ...QUESTION }]);
  expect(model.seen.map((messages) => messages.map(({ role }) => role))).toEqual([
    ["user"],
    ["user", "assistant", "tool"],
  ]);
  expect(model.seen[1]).toBe(model.requests[1]!.messages);
});

test("is a Vitest mock, and the arguments of its calls are copies", async () => {
  const model = scriptedModel<Message>("one", "two");
  const messages = [{ ...QUESTION }];
  await model(messages);
  messages[0]!.content = "changed";
  await model(messages, { settings: { temperature: 0 } });
  messages.push({ role: "assistant", content: "two" });
  expect(vi.isMockFunction(model)).toBe(true);
  expect(model.mock.calls).toEqual([
    [[QUESTION]],
    [[{ role: "user", content: "changed" }], { settings: { temperature: 0 } }],
  ]);
  expect(model).toHaveBeenNthCalledWith(1, [QUESTION]);
  expect(model).not.toHaveBeenNthCalledWith(2, [QUESTION]);
});

test("remembers its calls when the mock is cleared, and goes on speaking when it is reset", async () => {
  const model = scriptedModel("one", "two");
  await model([QUESTION]);
  vi.resetAllMocks();
  expect(model).not.toHaveBeenCalled();
  expect(model.seen).toEqual([[QUESTION]]);
  expect(await model([])).toEqual({ kind: "text", content: "two" });
});

test("changing a spoken turn changes neither turns nor what is spoken next", async () => {
  const written = { kind: "tool_calls" as const, calls: [{ id: "x", name: "a", arguments: "{}" }] };
  const model = scriptedModel(repeat(written, { times: 2 }));
  const first = await model([]);
  if (first.kind === "tool_calls") first.calls.length = 0;
  written.calls[0]!.name = "changed";
  const expected = { kind: "tool_calls", calls: [{ id: "x", name: "a", arguments: "{}" }] };
  expect(await model([])).toEqual(expected);
  expect(model.turns).toEqual([expected, expected]);
});

test("nothing of the developer's is frozen", async () => {
  const written = { kind: "text" as const, content: "hi", usage: { inputTokens: 1, outputTokens: 1 } };
  const messages = [{ ...QUESTION, parts: [{ text: "a" }] }];
  const settings = { stop: ["."] };
  const model = scriptedModel(written);
  const spoken = await model(messages, { settings });
  for (const value of [written, written.usage, messages, messages[0], messages[0]!.parts, settings.stop, spoken]) {
    expect(Object.isFrozen(value)).toBe(false);
  }
});

test("counts what remains, errors and faults included", async () => {
  const model = scriptedModel("one", new Error("down"), repeat("again", { times: 2 }));
  expect(model.remaining).toBe(4);
  await model([]);
  await expect(model([])).rejects.toThrow("down");
  expect(model.remaining).toBe(2);
  await model([]);
  await model([]);
  expect(model.remaining).toBe(0);
});

test("what remains is Infinity with an endless repeat, before and while it is spoken", async () => {
  const model = scriptedModel("one", repeat("again"));
  expect(model.remaining).toBe(Number.POSITIVE_INFINITY);
  await model([]);
  await model([]);
  expect(model.remaining).toBe(Number.POSITIVE_INFINITY);
});

test("an error in the script rejects the call with that very error; it is no turn, but a request", async () => {
  const down = new TypeError("fetch failed");
  const model = scriptedModel(down, "back again");
  await expect(model([QUESTION])).rejects.toBe(down);
  await model([QUESTION]);
  expect(model.turns).toEqual([{ kind: "text", content: "back again" }]);
  expect(model.requests).toHaveLength(2);
});

test("answers concurrent calls in the order they were made, whichever is ready first", async () => {
  let answerFirst = (_: string) => {};
  const model = scriptedModel(
    () =>
      new Promise<string>((resolve) => {
        answerFirst = resolve;
      }),
    "second",
  );
  const first = model([]);
  expect(await model([])).toEqual({ kind: "text", content: "second" });
  answerFirst("first");
  expect(await first).toEqual({ kind: "text", content: "first" });
  expect(model.turns.map(({ content }) => content)).toEqual(["first", "second"]);
});

test("records the tools, settings and signal a loop passes", async () => {
  const { signal } = new AbortController();
  const schema = { type: "object", properties: { city: { type: "string" } } };
  const model = scriptedModel("hi", "again");
  await model([], {
    signal,
    settings: { temperature: 0 },
    tools: [{ name: "get_weather", description: "…", parameters: schema }],
  });
  await model([], { tools: { get_time: { inputSchema: schema } } });
  expect(model.requests[0]).toEqual({
    messages: [],
    signal,
    settings: { temperature: 0 },
    tools: [{ name: "get_weather", description: "…", schema }],
  });
  expect(model.requests[0]!.signal).toBe(signal);
  expect(model.requests[1]!.tools).toEqual([{ name: "get_time", schema }]);
});

test("keeps the identity of a schema object among the tools, which registries know it by", async () => {
  class Schema {
    kind = "object";
  }
  const schema = new Schema();
  const model = scriptedModel("hi");
  await model([], { tools: [{ type: "function", function: { name: "a", parameters: schema } }] });
  expect(model.requests[0]!.tools![0]!.schema).toBe(schema);
});

test.each([
  ["nothing", undefined],
  ["a string", "hi"],
  ["a promise", Promise.resolve([])],
  ["an object of messages", { messages: [] }],
])("rejects a call with %s instead of messages, and takes no turn", async (_, messages) => {
  const model = scriptedModel.lenient("hi");
  await expect(model(messages as never)).rejects.toThrow(
    /The scripted model was called without messages: expected an array, found .+\. .+\.$/,
  );
  expect(model.remaining).toBe(1);
  expect(() => model.verify()).toThrow("called without messages");
});
