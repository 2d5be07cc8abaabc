import { describe, expect, test } from "vitest";
import { toolCall } from "../../src/index.js";
import { DIALECTS, runLoop, spokenModel, weather } from "../support/conversations.js";
import { diffOf, failureOf } from "../support/failure.js";

describe.each(DIALECTS)("in %s", (dialect) => {
  const messages = weather(dialect);
  const appended = messages.slice(1);

  test("compares all that follows the last user message", () => {
    expect(messages).toHaveAppended(appended);
    expect(messages).toHaveAppended([
      expect.anything(),
      expect.anything(),
      expect.objectContaining({ role: "assistant" }),
    ]);
    expect(messages).not.toHaveAppended(appended.slice(0, 2));
    expect(messages).not.toHaveAppended([...appended, appended[0]]);
    expect(messages).not.toHaveAppended([]);
  });

  test("takes the initial messages, or their count", () => {
    expect(messages).toHaveAppended(messages.slice(2), { after: 2 });
    expect(messages).toHaveAppended(messages.slice(2), { after: messages.slice(0, 2) });
    expect(messages).toHaveAppended([], { after: messages });
  });

  test("fails when the initial messages were changed", () => {
    const before = [{ role: "user", content: "weather in Rome?" }];
    expect(messages).not.toHaveAppended(appended, { after: before });
  });

  test("starts after the first request of a scripted model, and ends with the turn it spoke last", async () => {
    const model = await spokenModel([toolCall("search"), "done"], { dialect });
    const out = await runLoop(async () => ({ kind: "text", content: "done" }), [], { dialect });
    expect(model).toHaveAppended([expect.anything(), expect.anything(), ...out]);
  });
});

test("says how many messages were appended instead", () => {
  const messages = weather("openai-chat");
  const assertion = () => expect(messages).toHaveAppended(messages.slice(1, 3));
  expect(failureOf(assertion)).toMatchInlineSnapshot(`
    "expect(messages).toHaveAppended(appended)

    Expected 2 messages appended after the initial message, but 3 messages were.

        messages[0]  user       "weather in Paris?"
        messages[1]  assistant  get_weather({"city":"Paris"})  call_1
        messages[2]  tool       answers call_1  "{\\"tempC\\":14}"
      > messages[3]  assistant  "It is 14 degrees in Paris."

    Correct what the loop appends, or what the test expects of it."
  `);
  expect(diffOf(assertion)).toEqual({ actual: messages.slice(1), expected: messages.slice(1, 3) });
});

test("marks the first message that is another", () => {
  const messages = weather("openai-chat");
  const expected = [messages[1], { role: "tool", tool_call_id: "call_1", content: "15" }, messages[3]];
  expect(failureOf(() => expect(messages).toHaveAppended(expected))).toMatchInlineSnapshot(`
    "expect(messages).toHaveAppended(appended)

    Expected 3 messages appended after the initial message, but messages[2] is not the one expected there.

        messages[0]  user       "weather in Paris?"
        messages[1]  assistant  get_weather({"city":"Paris"})  call_1
      > messages[2]  tool       answers call_1  "{\\"tempC\\":14}"
        messages[3]  assistant  "It is 14 degrees in Paris."

    Correct what the loop appends, or what the test expects of it."
  `);
});

test("says what the provider would answer, where what was appended is refused", () => {
  const messages = [...weather("anthropic").slice(0, 2), { role: "user", content: "14" }];
  expect(failureOf(() => expect(messages).toHaveAppended([], { after: 1 }))).toMatchInlineSnapshot(`
    "expect(messages).toHaveAppended(appended)

    Expected nothing appended after the initial message, but 2 messages were.

        messages[0]  user       "weather in Paris?"
      > messages[1]  assistant  get_weather({"city":"Paris"})  call_1
        messages[2]  user       "14"

    The Anthropic Messages API would answer 400: messages.1: \`tool_use\` ids were found without \`tool_result\` blocks immediately after: call_1. Each \`tool_use\` block must have a corresponding \`tool_result\` block in the next message. (anthropic/unanswered-call)
    Insert { role: "user", content: [{ type: "tool_result", tool_use_id: "call_1", content: "…" }] } directly after messages[1]."
  `);
});

test("says that nothing was appended", () => {
  expect(
    failureOf(() =>
      expect([{ role: "user", content: "hi" }]).toHaveAppended([{ role: "assistant", content: "hello" }]),
    ),
  ).toMatchInlineSnapshot(`
    "expect(messages).toHaveAppended(appended)

    Expected 1 message appended after the initial message, but nothing was.

        messages[0]  user       "hi"

    Correct what the loop appends, or what the test expects of it."
  `);
});

test("says which initial message was changed", () => {
  const after = [{ role: "user", content: "weather in Rome?" }];
  expect(failureOf(() => expect(weather("openai-chat")).toHaveAppended([], { after }))).toMatchInlineSnapshot(`
    "expect(messages).toHaveAppended(appended)

    Expected the conversation to begin with the initial message, but messages[0] is another.

      > messages[0]  user       "weather in Paris?"
        messages[1]  assistant  get_weather({"city":"Paris"})  call_1
        messages[2]  tool       answers call_1  "{\\"tempC\\":14}"
        messages[3]  assistant  "It is 14 degrees in Paris."

    Append to a copy of the messages the loop was given; leave those as they are."
  `);
});

test("says that initial messages are gone", () => {
  const messages = weather("openai-chat");
  expect(
    failureOf(() => expect(messages.slice(0, 1)).toHaveAppended([], { after: messages.slice(0, 3) })),
  ).toMatchInlineSnapshot(`
    "expect(messages).toHaveAppended(appended)

    Expected the conversation to begin with the 3 initial messages, but it has only 1 message.

        messages[0]  user       "weather in Paris?"

    Append to a copy of the messages the loop was given; leave those as they are."
  `);
});

test(".not says that exactly these were appended", () => {
  const messages = weather("openai-chat");
  const assertion = () => expect(messages).not.toHaveAppended(messages.slice(1));
  expect(failureOf(assertion)).toMatchInlineSnapshot(`
    "expect(messages).not.toHaveAppended(appended)

    Expected other messages after the initial message, but exactly these 3 were appended.

        messages[0]  user       "weather in Paris?"
        messages[1]  assistant  get_weather({"city":"Paris"})  call_1
        messages[2]  tool       answers call_1  "{\\"tempC\\":14}"
        messages[3]  assistant  "It is 14 degrees in Paris.""
  `);
  expect(diffOf(assertion)).toEqual({ actual: undefined, expected: undefined });
});

test("refuses what is no list of messages", () => {
  // @ts-expect-error one message is no list
  expect(failureOf(() => expect([]).toHaveAppended({ role: "user" }))).toMatchInlineSnapshot(
    `"[vitest-tool-loop] toHaveAppended() takes the list of appended messages as first argument, found {"role":"user"}."`,
  );
  expect(failureOf(() => expect([]).toHaveAppended([], { after: -1 }))).toMatchInlineSnapshot(
    `"[vitest-tool-loop] toHaveAppended() cannot use the option after: expected the initial messages or their number, found -1."`,
  );
});

test("refuses to count from beyond the end", () => {
  const messages = weather("openai-chat");
  expect(messages).toHaveAppended([], { after: 4 });
  expect(failureOf(() => expect(messages).toHaveAppended([], { after: 5 }))).toMatchInlineSnapshot(
    `"[vitest-tool-loop] toHaveAppended() cannot use the option after: expected at most 4, for there are 4 messages, found 5."`,
  );
  expect(failureOf(() => expect(messages).not.toHaveAppended([], { after: 5 }))).toContain("found 5");
});
