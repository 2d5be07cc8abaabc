import { expect, test } from "vitest";
import { cutStream, overloaded, rateLimited, repeat, scriptedModel, toolCall } from "../../src/index.js";
import { failureOf } from "../support/failure.js";
import { rejectionOf } from "../support/rejection.js";

// Everything here is what TypeScript forbids and a test in JavaScript, or a cast, still does.
const bad = (...script: unknown[]) => failureOf(() => scriptedModel(...(script as never[])));

test("an empty script says so", () => {
  expect(bad()).toMatchInlineSnapshot(
    `"[vitest-tool-loop] The script is empty: expected at least one turn, found none. Pass what the model says, in order: words or toolCall(…)."`,
  );
});

test("undefined says where it stands", () => {
  expect(bad("one", "two", undefined)).toMatchInlineSnapshot(
    `"[vitest-tool-loop] The script cannot be spoken: expected words, toolCall(…), a list of toolCall(…), turn(…), an AssistantTurn, an Error, a fault or a function, found undefined, at script[2]. Check that it is defined when the script is made, or what the function returns."`,
  );
  // biome-ignore lint/suspicious/noSparseArray: the hole is the point.
  expect(bad(...[, "two"])).toContain("found undefined, at script[0]");
});

test("a promise says to await it", () => {
  expect(bad("one", Promise.resolve("two"))).toMatchInlineSnapshot(
    `"[vitest-tool-loop] The script cannot be spoken: expected words, toolCall(…), a list of toolCall(…), turn(…), an AssistantTurn, an Error, a fault or a function, found a promise, at script[1]. Await it first, or pass a function that returns it."`,
  );
});

test("a misspelt kind names the two there are", () => {
  expect(bad({ kind: "tool_call", calls: [] })).toMatchInlineSnapshot(
    `"[vitest-tool-loop] The script cannot be spoken: expected words, toolCall(…), a list of toolCall(…), turn(…), an AssistantTurn, an Error, a fault or a function, found {"kind":"tool_call","calls":[]}, at script[0]. The kind of a turn is "text" or "tool_calls"; words and toolCall(…) need none."`,
  );
});

test("a message says that a script holds turns", () => {
  expect(bad({ role: "assistant", content: "hi" })).toMatchInlineSnapshot(
    `"[vitest-tool-loop] The script cannot be spoken: expected words, toolCall(…), a list of toolCall(…), turn(…), an AssistantTurn, an Error, a fault or a function, found {"role":"assistant","content":"hi"}, at script[0]. A script holds what the model says, not messages: words, or toolCall(…)."`,
  );
});

test("a turn with the wrong inside says where", () => {
  expect(bad({ kind: "text" })).toMatchInlineSnapshot(
    `"[vitest-tool-loop] The script cannot be spoken: expected a turn of words to have a string as its content, found undefined, at script[0].content."`,
  );
  expect(bad({ kind: "tool_calls" })).toMatchInlineSnapshot(
    `"[vitest-tool-loop] The script cannot be spoken: expected a turn of calls to have a list of them, found undefined, at script[0].calls."`,
  );
  expect(
    bad("one", { kind: "tool_calls", calls: [{ id: "a", name: "b", arguments: { city: "Paris" } }] }),
  ).toMatchInlineSnapshot(
    `"[vitest-tool-loop] The script cannot be spoken: expected a call to have an id, a name, and as arguments the JSON text the model wrote, all strings, found {"city":"Paris"}, at script[1].calls[0].arguments. toolCall(name, args) writes the arguments and gives the id."`,
  );
  expect(bad({ kind: "tool_calls", calls: ["get_weather"] })).toContain('found "get_weather", at script[0].calls[0].');
});

test("a list that is no list of calls says which entry", () => {
  expect(bad([])).toMatchInlineSnapshot(
    `"[vitest-tool-loop] The script cannot be spoken: expected a list to hold at least one call, found [], at script[0]. A turn that says nothing is ""."`,
  );
  expect(bad([toolCall("a"), "and words"])).toMatchInlineSnapshot(
    `"[vitest-tool-loop] The script cannot be spoken: expected a list to hold the parallel calls of one turn, each a toolCall(…), found "and words", at script[0][1]. Words beside calls are turn(words, toolCall(…)); several turns are several arguments of scriptedModel(…)."`,
  );
});

test("an endless repeat that is not last says what to do", () => {
  expect(bad(repeat("again"), "never")).toMatchInlineSnapshot(
    `"[vitest-tool-loop] The script cannot be spoken: an endless repeat(…) must be the last item, found one at script[0] with items after it. Say how often with repeat(item, { times }), or move it to the end."`,
  );
});

test("a repeat inside a repeat says where it belongs", () => {
  expect(bad(repeat(repeat("again") as never))).toMatchInlineSnapshot(
    `"[vitest-tool-loop] The script cannot be spoken: expected repeat(…) to stand straight in scriptedModel(…), found one inside another item, at script[0] (the item of repeat). Move it there."`,
  );
});

test("an option that is none says which, and what there is", () => {
  expect(failureOf(() => repeat("a", { times: 0 }))).toMatchInlineSnapshot(
    `"[vitest-tool-loop] repeat() cannot use the option times: expected a whole number of at least 1, found 0."`,
  );
  expect(failureOf(() => repeat("a", { safetyLimit: 1.5 }))).toContain("found 1.5");
  expect(failureOf(() => repeat("a", { time: 2 } as never))).toMatchInlineSnapshot(
    `"[vitest-tool-loop] repeat() has no option "time": expected times or safetyLimit. Did you mean "times"?"`,
  );
  expect(failureOf(() => repeat("a", null as never))).toMatchInlineSnapshot(
    `"[vitest-tool-loop] repeat() cannot use its options: expected an object with times or safetyLimit, found null."`,
  );
  expect(failureOf(() => cutStream("a", { afterChunks: -1 }))).toMatchInlineSnapshot(
    `"[vitest-tool-loop] cutStream() cannot use the option afterChunks: expected a whole number, found -1."`,
  );
  expect(failureOf(() => cutStream("a", null as never))).toContain("found null");
  expect(failureOf(() => rateLimited({ retryAfter: 3 } as never))).toMatchInlineSnapshot(
    `"[vitest-tool-loop] rateLimited() has no option "retryAfter": expected retryAfterSeconds."`,
  );
  expect(failureOf(() => rateLimited({ retryAfterSeconds: "3" } as never))).toMatchInlineSnapshot(
    `"[vitest-tool-loop] rateLimited() cannot use the option retryAfterSeconds: expected a number of seconds, found "3"."`,
  );
});

test("a turn written out with extras that are none says where", () => {
  expect(bad("one", { kind: "text", content: "two", reasoning: null })).toMatchInlineSnapshot(
    `"[vitest-tool-loop] The turn at script[1] cannot use the option reasoning: expected a string or { text, signature? }, found null."`,
  );
  expect(bad({ kind: "text", content: "one", finish: "end_turn" })).toContain("The turn at script[0] cannot use");
  const model = scriptedModel.lenient({ kind: "text", content: "one", mine: 1 } as never);
  expect(model.remaining).toBe(1);
});

test("a fault without a turn to spoil says so", () => {
  expect(bad(cutStream(overloaded() as never))).toMatchInlineSnapshot(
    `"[vitest-tool-loop] The script cannot be spoken: expected cutStream(…) to hold the turn it spoils: words, toolCall(…), turn(…), found {"kind":"overloaded"}, at script[0]. To decide at the moment of the call, script a function that returns the fault."`,
  );
});

test.each([7, null, true, Symbol("x"), 1n, /a/, new Map()])("%s is no item", (item) => {
  expect(bad(item)).toMatch(/The script cannot be spoken: expected words, .+, found .+, at script\[0\]\./);
});

test("what a function returns is judged when it returns, and remembered if the loop swallows it", async () => {
  const model = scriptedModel.lenient("one", () => undefined as never);
  await model([]);
  expect((await rejectionOf(model([]))).message).toMatchInlineSnapshot(
    `"[vitest-tool-loop] The script cannot be spoken: expected words, toolCall(…), a list of toolCall(…), turn(…), an AssistantTurn, an Error, a fault or a function, found undefined, at what script[1] returned. Check that it is defined when the script is made, or what the function returns."`,
  );
  expect(failureOf(() => model.verify())).toContain("what script[1] returned");
});
