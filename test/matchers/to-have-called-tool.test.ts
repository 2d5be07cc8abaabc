import { describe, expect, test } from "vitest";
import { toolCall } from "../../src/index.js";
import { asks, DIALECTS, spokenModel, twoCities, weather, written } from "../support/conversations.js";
import { diffOf, failureOf } from "../support/failure.js";

describe.each(DIALECTS)("in %s", (dialect) => {
  test("passes on a call of that name", () => {
    expect(weather(dialect)).toHaveCalledTool("get_weather");
    expect(weather(dialect)).not.toHaveCalledTool("search");
    expect([]).not.toHaveCalledTool("get_weather");
  });

  test("compares the arguments as parsed", () => {
    expect(twoCities(dialect)).toHaveCalledTool("get_weather", { city: "Rome" });
    expect(twoCities(dialect)).toHaveCalledTool("get_weather", { city: expect.stringMatching(/^R/) });
    expect(twoCities(dialect)).not.toHaveCalledTool("get_weather", { city: "Oslo" });
    expect(twoCities(dialect)).not.toHaveCalledTool("get_weather", undefined);
  });

  test("counts all turns a scripted model spoke", async () => {
    const model = await spokenModel([toolCall("search", { q: "a" }), toolCall("book"), "done"], { dialect });
    expect(model).toHaveCalledTool("search", { q: "a" });
    expect(model).toHaveCalledTool("book", {});
  });
});

test("counts the calls of turns that a compaction took away", async () => {
  const model = await spokenModel([toolCall("search"), "done"]);
  await model([{ role: "user", content: "summary of what was said" }]).catch(() => {});
  expect(model).toHaveCalledTool("search");
});

test("malformed arguments equal nothing", () => {
  const messages = written("openai-chat", { user: "go" }, { calls: [asks("search", '{"q":', "call_1")] });
  expect(messages).toHaveCalledTool("search");
  expect(messages).not.toHaveCalledTool("search", '{"q":');
  expect(messages).not.toHaveCalledTool("search", expect.anything());
});

test("lists the calls it did find", async () => {
  const model = await spokenModel([[toolCall("search", { q: "a" }), toolCall("book")], "done"]);
  expect(failureOf(() => expect(model).toHaveCalledTool("cancel"))).toMatchInlineSnapshot(`
    "expect(model).toHaveCalledTool("cancel")

    Expected a call of cancel, but found none among 2 calls.

        turns[0].calls[0]  search({"q":"a"})  call_1
        turns[0].calls[1]  book({})  call_2

    A scripted model calls what its script says: check that the loop gets as far as that turn."
  `);
});

test("says that no call was made", () => {
  const messages = written("anthropic", { user: "hi" }, { says: "hello" });
  expect(failureOf(() => expect(messages).toHaveCalledTool("search"))).toMatchInlineSnapshot(`
    "expect(messages).toHaveCalledTool("search")

    Expected a call of search, but found none.

        (no calls)

    Check that the loop keeps the turn that makes the call."
  `);
});

test("marks the calls with other arguments, and diffs the closest", () => {
  const messages = written(
    "anthropic",
    { user: "go" },
    { calls: [asks("book", { seat: "1A", meal: "none" }, "a"), asks("book", { seat: "12A", meal: "fish" }, "b")] },
  );
  const assertion = () => expect(messages).toHaveCalledTool("book", { seat: "12A", meal: "vegan" });
  expect(failureOf(assertion)).toMatchInlineSnapshot(`
    "expect(messages).toHaveCalledTool("book", args)

    Expected a call of book with {"seat":"12A","meal":"vegan"}, but found 2 with other arguments.

      > messages[1].content[0]  book({"seat":"1A","meal":"none"})  a
      > messages[1].content[1]  book({"seat":"12A","meal":"fish"})  b

    Look for what changes the arguments on their way (JSON that was cut, or encoded twice), or correct what the test expects."
  `);
  expect(diffOf(assertion)).toEqual({
    actual: { seat: "12A", meal: "fish" },
    expected: { seat: "12A", meal: "vegan" },
  });
});

test("shows malformed arguments as such", () => {
  const messages = written("openai-chat", { user: "go" }, { calls: [asks("search", '{"q":', "call_1")] });
  expect(failureOf(() => expect(messages).toHaveCalledTool("search", { q: "a" }))).toMatchInlineSnapshot(`
    "expect(messages).toHaveCalledTool("search", args)

    Expected a call of search with {"q":"a"}, but found 1 with other arguments.

      > messages[1].tool_calls[0]  search({"q":)  call_1  malformed arguments: Unexpected end of JSON input

    Look for what changes the arguments on their way (JSON that was cut, or encoded twice), or correct what the test expects."
  `);
});

test(".not marks the call that should not be there", () => {
  const assertion = () => expect(twoCities("openai-chat")).not.toHaveCalledTool("get_weather", { city: "Rome" });
  expect(failureOf(assertion)).toMatchInlineSnapshot(`
    "expect(messages).not.toHaveCalledTool("get_weather", args)

    Expected no call of get_weather with {"city":"Rome"}, but found 1.

        messages[1].tool_calls[0]  get_weather({"city":"Paris"})  call_1
      > messages[1].tool_calls[1]  get_weather({"city":"Rome"})  call_2"
  `);
  expect(diffOf(assertion)).toEqual({ actual: undefined, expected: undefined });
});

test("cuts a long list of calls", () => {
  const calls = Array.from({ length: 30 }, (_, index) => asks("search", {}, `call_${index}`));
  const messages = written("openai-chat", { user: "go" }, { calls });
  expect(failureOf(() => expect(messages).toHaveCalledTool("book"))).toMatch(/call_19\n {4}… 10 more …\n/);
});

test("refuses a name that is none", () => {
  // @ts-expect-error a tool is meant by its name
  expect(failureOf(() => expect([]).toHaveCalledTool(/search/))).toMatchInlineSnapshot(
    `"[vitest-tool-loop] toHaveCalledTool() takes the name of a tool as first argument, found /search/."`,
  );
});
