import { describe, expect, test } from "vitest";
import { toolCall } from "../../src/index.js";
import { answers, asks, DIALECTS, spokenModel, twoCities, weather, written } from "../support/conversations.js";
import { diffOf, failureOf } from "../support/failure.js";

const both = [asks("get_weather", { city: "Paris" }, "call_1"), asks("get_weather", { city: "Rome" }, "call_2")];
const start = [{ user: "warmer in Paris or in Rome?" }, { calls: both }];

describe.each(DIALECTS)("in %s", (dialect) => {
  test("passes when every call is answered once", () => {
    expect(weather(dialect)).toMatchToolCallIds();
    expect(twoCities(dialect)).toMatchToolCallIds(["call_1", "call_2"]);
    expect(written(dialect, { user: "hi" }, { says: "hello" })).toMatchToolCallIds([]);
  });

  test("passes on an empty conversation: nothing in it is wrong", () => {
    expect([]).toMatchToolCallIds();
  });

  test("compares the answered ids in order", () => {
    expect(twoCities(dialect)).not.toMatchToolCallIds(["call_2", "call_1"]);
    expect(twoCities(dialect)).toMatchToolCallIds([expect.stringMatching(/^call_/), "call_2"]);
  });

  test("fails on an unanswered call, but for the ids left open", () => {
    const messages = written(dialect, ...start, { results: [answers("call_1", "14")] });
    expect(messages).not.toMatchToolCallIds();
    expect(messages).toMatchToolCallIds(undefined, { open: ["call_2"] });
    expect(messages).toMatchToolCallIds(["call_1"], { open: ["call_2"] });
    expect(messages).not.toMatchToolCallIds(undefined, { open: ["call_1"] });
  });

  test("fails on the last turn's calls too", () => {
    expect(written(dialect, ...start)).not.toMatchToolCallIds();
  });

  test("fails on results in another order, unless the loop means it", () => {
    const messages = written(dialect, ...start, { results: [answers("call_2", "21"), answers("call_1", "14")] });
    expect(messages).not.toMatchToolCallIds();
    expect(messages).toMatchToolCallIds(undefined, { order: "any" });
    expect(messages).toMatchToolCallIds(["call_2", "call_1"], { order: "any" });
  });

  test("fails on a call answered twice", () => {
    const results = [answers("call_1", "14"), answers("call_2", "21"), answers("call_1", "14")];
    expect(written(dialect, ...start, { results })).not.toMatchToolCallIds();
  });

  test("fails on a result that no call asked for", () => {
    const results = [answers("call_1", "14"), answers("call_2", "21"), answers("call_3", "?")];
    expect(written(dialect, ...start, { results })).not.toMatchToolCallIds();
  });

  test("reads a scripted model by its last request and the turn it spoke last", async () => {
    expect(await spokenModel([toolCall("search"), "done"], { dialect })).toMatchToolCallIds(["call_1"]);
    const capped = await spokenModel([toolCall("search"), toolCall("search")], { dialect, maxTurns: 2 });
    expect(capped).not.toMatchToolCallIds();
    expect(capped).toMatchToolCallIds(undefined, { open: ["call_2"] });
  });
});

test("names the call that nothing answers", () => {
  const messages = written("openai-chat", ...start, { results: [answers("call_1", "14")] });
  expect(failureOf(() => expect(messages).toMatchToolCallIds())).toMatchInlineSnapshot(`
    "expect(messages).toMatchToolCallIds()

    Expected every call to be answered once, by its own id, before the next turn, but nothing answers call_2.

        messages[0]  user       "warmer in Paris or in Rome?"
        messages[1]  assistant  get_weather({"city":"Paris"})  call_1
      >                         get_weather({"city":"Rome"})  call_2
        messages[2]  tool       answers call_1  "14"

    OpenAI Chat Completions would answer 400: An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'. The following tool_call_ids did not have response messages: call_2 (openai-chat/unanswered-call)
    Insert { role: "tool", tool_call_id: "call_2", content: "…" } directly after messages[1], in any order with its other results."
  `);
});

test("names the result that no call asked for", () => {
  const results = [answers("call_1", "14"), answers("call_2", "21"), answers("call_3", "?")];
  const messages = written("anthropic", ...start, { results });
  expect(failureOf(() => expect(messages).toMatchToolCallIds())).toMatchInlineSnapshot(`
    "expect(messages).toMatchToolCallIds()

    Expected every call to be answered once, by its own id, before the next turn, but messages[2].content[2] answers call_3, which no turn before it asked for.

        messages[0]  user       "warmer in Paris or in Rome?"
        messages[1]  assistant  get_weather({"city":"Paris"})  call_1
                                get_weather({"city":"Rome"})  call_2
        messages[2]  user       answers call_1  "14"
                                answers call_2  "21"
      >                         answers call_3  "?"

    The Anthropic Messages API would answer 400: messages.2.content.2: unexpected \`tool_use_id\` found in \`tool_result\` blocks: call_3. Each \`tool_result\` block must have a corresponding \`tool_use\` block in the previous message. (anthropic/orphan-result)
    Keep the assistant message that asked for call_3 directly before the result, or drop both."
  `);
});

test("names the call answered twice", () => {
  const results = [answers("call_1", "14"), answers("call_2", "21"), answers("call_1", "14")];
  const messages = written("openai-chat", ...start, { results });
  expect(failureOf(() => expect(messages).toMatchToolCallIds())).toMatchInlineSnapshot(`
    "expect(messages).toMatchToolCallIds()

    Expected every call to be answered once, by its own id, before the next turn, but messages[4] answers call_1 a second time.

        messages[0]  user       "warmer in Paris or in Rome?"
        messages[1]  assistant  get_weather({"city":"Paris"})  call_1
                                get_weather({"city":"Rome"})  call_2
        messages[2]  tool       answers call_1  "14"
        messages[3]  tool       answers call_2  "21"
      > messages[4]  tool       answers call_1  "14"

    OpenAI Chat Completions would answer 400: Duplicate value for 'tool_call_id' of call_1 in message[4] (openai-chat/duplicate-id)
    Append one tool message for call_1: messages[2] answers it already."
  `);
});

test("names the first result out of order", () => {
  const messages = written("openai-chat", ...start, { results: [answers("call_2", "21"), answers("call_1", "14")] });
  expect(failureOf(() => expect(messages).toMatchToolCallIds())).toMatchInlineSnapshot(`
    "expect(messages).toMatchToolCallIds()

    Expected results in the order of the calls (call_1, call_2), but they stand in the order call_2, call_1.

        messages[0]  user       "warmer in Paris or in Rome?"
        messages[1]  assistant  get_weather({"city":"Paris"})  call_1
                                get_weather({"city":"Rome"})  call_2
      > messages[2]  tool       answers call_2  "21"
        messages[3]  tool       answers call_1  "14"

    Append results in request order, not as the tools finish: collect them with Promise.all over the calls. If the loop means it, say { order: "any" }."
  `);
});

test("says which ids were answered instead, and leaves the diff to Vitest", () => {
  const assertion = () => expect(twoCities("openai-chat")).toMatchToolCallIds(["call_1"]);
  expect(failureOf(assertion)).toMatchInlineSnapshot(`
    "expect(messages).toMatchToolCallIds(["call_1"])

    Expected results for ["call_1"] in this order, but found results for ["call_1","call_2"].

        messages[0]  user       "warmer in Paris or in Rome?"
        messages[1]  assistant  get_weather({"city":"Paris"})  call_1
                                get_weather({"city":"Rome"})  call_2
        messages[2]  tool       answers call_1  "{\\"tempC\\":14}"
        messages[3]  tool       answers call_2  "{\\"tempC\\":21}"
        messages[4]  assistant  "In Rome.""
  `);
  expect(diffOf(assertion)).toEqual({ actual: ["call_1", "call_2"], expected: ["call_1"] });
});

test(".not says that they match", () => {
  expect(failureOf(() => expect(twoCities("anthropic")).not.toMatchToolCallIds())).toMatchInlineSnapshot(`
    "expect(messages).not.toMatchToolCallIds()

    Expected calls and results not to match, but every call is answered once, by its own id: call_1, call_2.

        messages[0]  user       "warmer in Paris or in Rome?"
        messages[1]  assistant  get_weather({"city":"Paris"})  call_1
                                get_weather({"city":"Rome"})  call_2
        messages[2]  user       answers call_1  "{\\"tempC\\":14}"
                                answers call_2  "{\\"tempC\\":21}"
        messages[3]  assistant  "In Rome.""
  `);
});

test(".not says so where there is no call at all", () => {
  expect(failureOf(() => expect([]).not.toMatchToolCallIds())).toMatchInlineSnapshot(`
    "expect(messages).not.toMatchToolCallIds()

    Expected calls and results not to match, but every call is answered once, by its own id (there are none).

        (no messages)"
  `);
});

test("refuses ids and options of another type", () => {
  // @ts-expect-error ids are a list
  expect(failureOf(() => expect([]).toMatchToolCallIds("call_1"))).toMatchInlineSnapshot(
    `"[vitest-tool-loop] toMatchToolCallIds() takes a list of ids as first argument, found "call_1"."`,
  );
  // @ts-expect-error so is `open`
  expect(failureOf(() => expect([]).toMatchToolCallIds([], { open: "call_1" }))).toMatchInlineSnapshot(
    `"[vitest-tool-loop] toMatchToolCallIds() cannot use the option open: expected a list of ids, found "call_1"."`,
  );
  // @ts-expect-error there are two orders
  expect(failureOf(() => expect([]).toMatchToolCallIds([], { order: "some" }))).toMatchInlineSnapshot(
    `"[vitest-tool-loop] toMatchToolCallIds() cannot use the option order: expected "request" or "any", found "some"."`,
  );
});

test("advises on the calls that were not to stay open, and on no other", () => {
  const unanswered = written("openai-chat", ...start);
  expect(
    failureOf(() => expect(unanswered).toMatchToolCallIds(undefined, { open: ["call_2"] })),
  ).toMatchInlineSnapshot(`
    "expect(messages).toMatchToolCallIds()

    Expected every call to be answered once, by its own id, before the next turn, but nothing answers call_1.

        messages[0]  user       "warmer in Paris or in Rome?"
      > messages[1]  assistant  get_weather({"city":"Paris"})  call_1
                                get_weather({"city":"Rome"})  call_2

    Answer call_1 directly after messages[1]; only call_2 may stay open."
  `);
});

test("refuses to leave open what nobody asked for", () => {
  const messages = written("openai-chat", ...start, { results: [answers("call_1", "14")] });
  expect(
    failureOf(() => expect(messages).toMatchToolCallIds(undefined, { open: ["call_2", "cal_3"] })),
  ).toMatchInlineSnapshot(
    `"[vitest-tool-loop] toMatchToolCallIds() cannot use the option open: expected ids of calls in the conversation (calls: call_1, call_2), found "cal_3"."`,
  );
  expect(failureOf(() => expect([]).not.toMatchToolCallIds(undefined, { open: ["call_1"] }))).toMatchInlineSnapshot(
    `"[vitest-tool-loop] toMatchToolCallIds() cannot use the option open: expected ids of calls in the conversation (no call was made), found "call_1"."`,
  );
});
