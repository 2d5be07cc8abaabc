import { describe, expect, test } from "vitest";
import { toolCall } from "../../src/index.js";
import { asks, DIALECTS, spokenModel, twoCities, written } from "../support/conversations.js";
import { diffOf, failureOf } from "../support/failure.js";

describe.each(DIALECTS)("in %s", (dialect) => {
  test("takes names, names with arguments, and both", () => {
    expect(twoCities(dialect)).toHaveCalledToolsInOrder(["get_weather", "get_weather"]);
    expect(twoCities(dialect)).toHaveCalledToolsInOrder(["get_weather", ["get_weather", { city: "Rome" }]]);
    expect([]).toHaveCalledToolsInOrder([]);
  });

  test("fails on another order, a missing call and one more", () => {
    expect(twoCities(dialect)).not.toHaveCalledToolsInOrder([["get_weather", { city: "Rome" }], "get_weather"]);
    expect(twoCities(dialect)).not.toHaveCalledToolsInOrder(["get_weather"]);
    expect(twoCities(dialect)).not.toHaveCalledToolsInOrder(["get_weather", "get_weather", "get_weather"]);
    expect(twoCities(dialect)).not.toHaveCalledToolsInOrder([]);
  });

  test("counts all turns a scripted model spoke", async () => {
    const model = await spokenModel([toolCall("search", { q: "a" }), toolCall("book"), "done"], { dialect });
    expect(model).toHaveCalledToolsInOrder([["search", { q: expect.any(String) }], "book"]);
  });
});

test("does not let one call stand for two that were expected", () => {
  const calls = [asks("a", {}, "call_1"), asks("b", {}, "call_2")];
  const messages = written("openai-chat", { user: "go" }, { calls });
  expect(messages).not.toHaveCalledToolsInOrder(["a", "a"]);
});

test("names the call that is another, and diffs in the form expected", () => {
  const assertion = () =>
    expect(twoCities("anthropic")).toHaveCalledToolsInOrder(["get_weather", ["get_weather", { city: "Oslo" }]]);
  expect(failureOf(assertion)).toMatchInlineSnapshot(`
    "expect(messages).toHaveCalledToolsInOrder(calls)

    Expected exactly 2 calls in this order, but messages[1].content[1] is not get_weather({"city":"Oslo"}).

        messages[1].content[0]  get_weather({"city":"Paris"})  call_1
      > messages[1].content[1]  get_weather({"city":"Rome"})  call_2

    Look for a step that ran twice, too early or not at all; or correct the list of expected calls."
  `);
  expect(diffOf(assertion)).toEqual({
    actual: ["get_weather", ["get_weather", { city: "Rome" }]],
    expected: ["get_weather", ["get_weather", { city: "Oslo" }]],
  });
});

test("names the call that is missing", async () => {
  const model = await spokenModel([toolCall("search"), "done"]);
  expect(failureOf(() => expect(model).toHaveCalledToolsInOrder(["search", "book"]))).toMatchInlineSnapshot(`
    "expect(model).toHaveCalledToolsInOrder(calls)

    Expected exactly 2 calls in this order, but only 1 was made, and book is missing.

        turns[0].calls[0]  search({})  call_1

    Look for a step that ran twice, too early or not at all; or correct the list of expected calls."
  `);
});

test("names the call that is one more", () => {
  expect(
    failureOf(() => expect(twoCities("openai-chat")).toHaveCalledToolsInOrder(["get_weather"])),
  ).toMatchInlineSnapshot(`
    "expect(messages).toHaveCalledToolsInOrder(calls)

    Expected exactly 1 call in this order, but messages[1].tool_calls[1] (get_weather) is one too many.

        messages[1].tool_calls[0]  get_weather({"city":"Paris"})  call_1
      > messages[1].tool_calls[1]  get_weather({"city":"Rome"})  call_2

    Look for a step that ran twice, too early or not at all; or correct the list of expected calls."
  `);
});

test("says that no call was made", () => {
  expect(failureOf(() => expect([]).toHaveCalledToolsInOrder(["search"]))).toMatchInlineSnapshot(`
    "expect(messages).toHaveCalledToolsInOrder(calls)

    Expected exactly 1 call in this order, but no call was made.

        (no calls)

    Look for a step that ran twice, too early or not at all; or correct the list of expected calls."
  `);
});

test("says that calls were made where none was expected", () => {
  expect(failureOf(() => expect(twoCities("openai-chat")).toHaveCalledToolsInOrder([]))).toMatchInlineSnapshot(`
    "expect(messages).toHaveCalledToolsInOrder(calls)

    Expected no calls, but messages[1].tool_calls[0] (get_weather) is one too many.

      > messages[1].tool_calls[0]  get_weather({"city":"Paris"})  call_1
        messages[1].tool_calls[1]  get_weather({"city":"Rome"})  call_2

    Look for a step that ran twice, too early or not at all; or correct the list of expected calls."
  `);
});

test(".not says that exactly these were made", () => {
  expect(
    failureOf(() => expect(twoCities("openai-chat")).not.toHaveCalledToolsInOrder(["get_weather", "get_weather"])),
  ).toMatchInlineSnapshot(`
    "expect(messages).not.toHaveCalledToolsInOrder(calls)

    Expected other calls, but exactly these were made, in this order.

        messages[1].tool_calls[0]  get_weather({"city":"Paris"})  call_1
        messages[1].tool_calls[1]  get_weather({"city":"Rome"})  call_2"
  `);
});

test("refuses what is no list of calls", () => {
  // @ts-expect-error a list is needed
  expect(failureOf(() => expect([]).toHaveCalledToolsInOrder("search"))).toMatchInlineSnapshot(
    `"[vitest-tool-loop] toHaveCalledToolsInOrder() takes a list of names or [name, args] as first argument, found "search"."`,
  );
  // @ts-expect-error arguments are missing: a name alone stands without brackets
  expect(failureOf(() => expect([]).toHaveCalledToolsInOrder([["search"]]))).toMatchInlineSnapshot(
    `"[vitest-tool-loop] toHaveCalledToolsInOrder() takes a list of names or [name, args] as first argument, found [["search"]]."`,
  );
});
