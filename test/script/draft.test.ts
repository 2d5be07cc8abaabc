import { expect, test } from "vitest";
import { scriptedModel, type ToolCallDraft, toolCall, turn } from "../../src/index.js";
import { failureOf } from "../support/failure.js";

test.each<[string, ToolCallDraft, string]>([
  ["an object as JSON", toolCall("a", { city: "Paris" }), '{"city":"Paris"}'],
  ["absent arguments as {}", toolCall("a"), "{}"],
  ["null as null", toolCall("a", null), "null"],
  ["a list as JSON", toolCall("a", [1]), "[1]"],
  ["a string verbatim, malformed or not", toolCall("a", '{"city":'), '{"city":'],
  ["an empty string verbatim", toolCall("a", ""), ""],
])("toolCall writes %s", (_, draft, text) => {
  expect(draft.arguments).toBe(text);
});

test("toolCall writes its arguments when it is made: what becomes of the value later is nothing to it", () => {
  const args = { city: "Paris" };
  const draft = toolCall("a", args);
  args.city = "Rome";
  expect(draft.arguments).toBe('{"city":"Paris"}');
});

test("toolCall says what is wrong with arguments that have no JSON form", () => {
  const circular: Record<string, unknown> = { name: "loop" };
  circular.self = circular;
  expect(failureOf(() => toolCall("search", circular))).toMatchInlineSnapshot(
    `"[vitest-tool-loop] toolCall("search") got arguments that cannot be written as JSON: Converting circular structure to JSON, found {"name":"loop","self":"[circular]"}. Pass a value without cycles, or the JSON text itself as a string."`,
  );
  expect(failureOf(() => toolCall("search", { n: 1n }))).toMatchInlineSnapshot(
    `"[vitest-tool-loop] toolCall("search") got arguments that cannot be written as JSON: Do not know how to serialize a BigInt, found {"n":"1n"}. Pass a value without cycles, or the JSON text itself as a string."`,
  );
  expect(failureOf(() => toolCall("search", () => 1))).toMatchInlineSnapshot(
    `"[vitest-tool-loop] toolCall("search") got arguments that cannot be written as JSON: a function has no JSON form, found [function]. Pass a value without cycles, or the JSON text itself as a string."`,
  );
});

test("toolCall says what is wrong with a name or an id", () => {
  expect(failureOf(() => toolCall(undefined as never))).toMatchInlineSnapshot(
    `"[vitest-tool-loop] toolCall() needs the name of a tool: expected a string, found undefined."`,
  );
  expect(failureOf(() => toolCall.unchecked("search", {}, 7 as never))).toMatchInlineSnapshot(
    `"[vitest-tool-loop] toolCall.unchecked("search") got an id that is none: expected a string, found 7. Leave it out to have one given."`,
  );
});

test("toolCall unchecked speaks like any other call", async () => {
  const model = scriptedModel(toolCall.unchecked("made_up", { a: 1 }));
  expect(await model([])).toEqual({
    kind: "tool_calls",
    calls: [{ id: "call_1", name: "made_up", arguments: '{"a":1}' }],
  });
});

test("turn puts words beside calls, and what else a turn carries beside both", async () => {
  const model = scriptedModel(
    turn("Let me ", "look.", toolCall("search", { q: "tenancy" }), {
      reasoning: { text: "hm", signature: "s" },
      usage: { inputTokens: 9, outputTokens: 4 },
      finish: "tool_calls",
    }),
  );
  expect(await model([])).toEqual({
    kind: "tool_calls",
    content: "Let me look.",
    calls: [{ id: "call_1", name: "search", arguments: '{"q":"tenancy"}' }],
    reasoning: { text: "hm", signature: "s" },
    usage: { inputTokens: 9, outputTokens: 4 },
    finish: "tool_calls",
  });
});

test("turn without words and calls is a text turn that says nothing", async () => {
  const model = scriptedModel(turn(), turn({ finish: "content_filter" }));
  expect(await model([])).toEqual({ kind: "text", content: "" });
  expect(await model([])).toEqual({ kind: "text", content: "", finish: "content_filter" });
});

test("turn with calls alone has no words", async () => {
  const model = scriptedModel(turn(toolCall("a")));
  expect(await model([])).not.toHaveProperty("content");
});

test("turn copies what else it carries", async () => {
  const usage = { inputTokens: 1, outputTokens: 1 };
  const model = scriptedModel(turn("a", { usage }));
  usage.inputTokens = 99;
  expect((await model([])).usage).toEqual({ inputTokens: 1, outputTokens: 1 });
});

test("turn says which part it cannot use", () => {
  expect(failureOf(() => turn("a", 7 as never, "b"))).toMatchInlineSnapshot(
    `"[vitest-tool-loop] turn() got a part it cannot use: expected words or toolCall(…), and last of all { usage, reasoning, finish, serverCalls }, found 7, at part 2."`,
  );
  expect(failureOf(() => turn("a", { finnish: "stop" } as never))).toMatchInlineSnapshot(
    `"[vitest-tool-loop] turn() has no option "finnish": expected reasoning, usage, finish or serverCalls. Did you mean "finish"?"`,
  );
  expect(failureOf(() => turn({ finish: "stop" } as never, "a"))).toMatchInlineSnapshot(
    `"[vitest-tool-loop] turn() got a part it cannot use: expected words or toolCall(…), and last of all { usage, reasoning, finish, serverCalls }, found {"finish":"stop"}, at part 1."`,
  );
});

test("turn says which of its extras is none, and what it would take", () => {
  const extra = (extras: object) => failureOf(() => turn("a", extras as never));
  expect(extra({ reasoning: null })).toMatchInlineSnapshot(
    `"[vitest-tool-loop] turn() cannot use the option reasoning: expected a string or { text, signature? }, found null."`,
  );
  expect(extra({ finish: "tool_call" })).toMatchInlineSnapshot(
    `"[vitest-tool-loop] turn() cannot use the option finish: expected "stop", "tool_calls", "length", "content_filter", "refusal" or "cut", found "tool_call". Did you mean "tool_calls"?"`,
  );
  expect(extra({ usage: { input_tokens: 3 } })).toMatchInlineSnapshot(
    `"[vitest-tool-loop] turn() cannot use the option usage: expected { inputTokens, outputTokens, cachedInputTokens? } in numbers, found {"input_tokens":3}."`,
  );
  expect(extra({ serverCalls: [{}] })).toMatchInlineSnapshot(
    `"[vitest-tool-loop] turn() cannot use the option serverCalls: expected a list of calls with a name and arguments, found [{}]."`,
  );
  expect(extra({ role: "assistant", content: "hi" })).toContain("got a part it cannot use");
  expect(failureOf(() => turn("a", null as never))).toContain("found null, as its last part");
  expect(turn("a", { reasoning: undefined } as never)).toMatchObject({ content: "a" });
});
