import { describe, expect, test } from "vitest";
import { toolCall } from "../../src/index.js";
import { answers, asks, DIALECTS, spokenModel, twoCities, weather, written } from "../support/conversations.js";
import { diffOf, failureOf } from "../support/failure.js";

const question = { role: "user", content: "weather in Paris?" };
const call = {
  role: "assistant",
  content: null,
  tool_calls: [{ id: "call_1", type: "function", function: { name: "get_weather", arguments: '{"city":"Paris"}' } }],
};

describe.each(DIALECTS)("in %s", (dialect) => {
  test("passes on a result in place, whatever it holds", () => {
    expect(weather(dialect)).toHaveAppendedToolResult("call_1");
  });

  test("compares the result as sent and as decoded", () => {
    expect(weather(dialect)).toHaveAppendedToolResult("call_1", { tempC: 14 });
    expect(weather(dialect)).toHaveAppendedToolResult("call_1", '{"tempC":14}');
    expect(weather(dialect)).toHaveAppendedToolResult("call_1", expect.stringContaining("14"));
    expect(weather(dialect)).toHaveAppendedToolResult("call_1", { tempC: expect.any(Number) });
    expect(weather(dialect)).not.toHaveAppendedToolResult("call_1", { tempC: 15 });
  });

  test("finds a call by its name and number", () => {
    expect(twoCities(dialect)).toHaveAppendedToolResult({ name: "get_weather" }, { tempC: 14 });
    expect(twoCities(dialect)).toHaveAppendedToolResult({ name: "get_weather", nth: 1 }, { tempC: 21 });
    expect(twoCities(dialect)).not.toHaveAppendedToolResult({ name: "get_weather", nth: 2 });
  });

  test("fails on a call that nothing answers", () => {
    const messages = written(dialect, { user: "weather?" }, { calls: [asks("get_weather", {}, "call_1")] });
    expect(messages).not.toHaveAppendedToolResult("call_1");
  });

  test("fails on a result behind another message", () => {
    const messages = written(
      dialect,
      { user: "weather?" },
      { calls: [asks("get_weather", {}, "call_1")] },
      { user: "are you there?" },
      { results: [answers("call_1", "sunny")] },
    );
    expect(messages).not.toHaveAppendedToolResult("call_1");
  });

  test("reads a scripted model by its last request", async () => {
    const model = await spokenModel([toolCall("get_weather", { city: "Paris" }), "done"], { dialect });
    expect(model).toHaveAppendedToolResult("call_1", { ran: "get_weather" });
    expect(model).not.toHaveAppendedToolResult("call_2");
  });
});

test("says which role stands where the result should, and what to append", () => {
  const messages = [question, call, { role: "user", content: '{"tempC":14}' }];
  expect(failureOf(() => expect(messages).toHaveAppendedToolResult("call_1", { tempC: 14 }))).toMatchInlineSnapshot(`
    "expect(messages).toHaveAppendedToolResult("call_1", result)

    Expected a tool result answering call_1, but messages[2] answers with role "user".

        messages[0]  user       "weather in Paris?"
        messages[1]  assistant  get_weather({"city":"Paris"})  call_1
      > messages[2]  user       "{\\"tempC\\":14}"

    OpenAI Chat Completions would answer 400: An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'. The following tool_call_ids did not have response messages: call_1 (openai-chat/unanswered-call)
    Append { role: "tool", tool_call_id: "call_1", content: "{\\"tempC\\":14}" } instead of messages[2]."
  `);
});

test("says the same of a result sent under the role of the other provider", () => {
  const messages = [
    question,
    { role: "assistant", content: [{ type: "tool_use", id: "call_1", name: "get_weather", input: {} }] },
    { role: "tool", tool_call_id: "call_1", content: "14" },
  ];
  expect(failureOf(() => expect(messages).toHaveAppendedToolResult("call_1"))).toMatchInlineSnapshot(`
    "expect(messages).toHaveAppendedToolResult("call_1")

    Expected a tool result answering call_1, but messages[2] answers with role "tool".

        messages[0]  user       "weather in Paris?"
        messages[1]  assistant  get_weather({})  call_1
      > messages[2]  tool       "14"

    The Anthropic Messages API would answer 400: messages.2: \`tool_result\` blocks can only be in \`user\` messages (anthropic/result-role)
    Put the results into a message with role "user", as blocks { type: "tool_result", tool_use_id, content }: it has role "tool"."
  `);
});

test("says that nothing was appended", () => {
  expect(
    failureOf(() => expect([question, call]).toHaveAppendedToolResult("call_1", { tempC: 14 })),
  ).toMatchInlineSnapshot(`
    "expect(messages).toHaveAppendedToolResult("call_1", result)

    Expected a tool result answering call_1, but nothing was appended after messages[1].

        messages[0]  user       "weather in Paris?"
      > messages[1]  assistant  get_weather({"city":"Paris"})  call_1

    OpenAI Chat Completions would answer 400: An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'. The following tool_call_ids did not have response messages: call_1 (openai-chat/unanswered-call)
    Insert { role: "tool", tool_call_id: "call_1", content: "{\\"tempC\\":14}" } directly after messages[1]."
  `);
});

test("says which id the result carries instead", () => {
  const messages = [question, call, { role: "tool", tool_call_id: "call_0", content: "14" }];
  expect(failureOf(() => expect(messages).toHaveAppendedToolResult("call_1", 14))).toMatchInlineSnapshot(`
    "expect(messages).toHaveAppendedToolResult("call_1", result)

    Expected a tool result answering call_1, but messages[2] answers "call_0", which no turn asked for.

        messages[0]  user       "weather in Paris?"
        messages[1]  assistant  get_weather({"city":"Paris"})  call_1
      > messages[2]  tool       answers call_0  "14"

    OpenAI Chat Completions would answer 400: An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'. The following tool_call_ids did not have response messages: call_1 (openai-chat/unanswered-call)
    Write tool_call_id: "call_1" into messages[2]: it answers call_0."
  `);
});

test("says which calls were made when it finds none of that id", () => {
  expect(failureOf(() => expect(weather("anthropic")).toHaveAppendedToolResult("call_9"))).toMatchInlineSnapshot(`
    "expect(messages).toHaveAppendedToolResult("call_9")

    Expected a tool result answering call_9, but no such call was made. Calls made: get_weather({"city":"Paris"})  call_1.

        messages[0]  user       "weather in Paris?"
        messages[1]  assistant  get_weather({"city":"Paris"})  call_1
        messages[2]  user       answers call_1  "{\\"tempC\\":14}"
        messages[3]  assistant  "It is 14 degrees in Paris."

    Name a call that was made, or find out why the turn that makes it is not in the messages."
  `);
});

test("says which of the parallel calls is left out", () => {
  const messages = written(
    "openai-chat",
    { user: "warmer in Paris or in Rome?" },
    { calls: [asks("get_weather", { city: "Paris" }, "call_1"), asks("get_weather", { city: "Rome" }, "call_2")] },
    { results: [answers("call_1", "14")] },
  );
  expect(failureOf(() => expect(messages).toHaveAppendedToolResult("call_2", 21))).toMatchInlineSnapshot(`
    "expect(messages).toHaveAppendedToolResult("call_2", result)

    Expected a tool result answering call_2, but messages[2] answers only call_1.

        messages[0]  user       "warmer in Paris or in Rome?"
        messages[1]  assistant  get_weather({"city":"Paris"})  call_1
      >                         get_weather({"city":"Rome"})  call_2
        messages[2]  tool       answers call_1  "14"

    OpenAI Chat Completions would answer 400: An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'. The following tool_call_ids did not have response messages: call_2 (openai-chat/unanswered-call)
    Insert { role: "tool", tool_call_id: "call_2", content: "21" } directly after messages[1]."
  `);
});

test("says what the result holds instead, and leaves the diff to Vitest", () => {
  const assertion = () => expect(weather("openai-chat")).toHaveAppendedToolResult("call_1", { tempC: 41 });
  expect(failureOf(assertion)).toMatchInlineSnapshot(`
    "expect(messages).toHaveAppendedToolResult("call_1", result)

    Expected the tool result answering call_1 to hold {"tempC":41}, but messages[2] holds "{\\"tempC\\":14}".

        messages[0]  user       "weather in Paris?"
        messages[1]  assistant  get_weather({"city":"Paris"})  call_1
      > messages[2]  tool       answers call_1  "{\\"tempC\\":14}"
        messages[3]  assistant  "It is 14 degrees in Paris."

    Append what the tool returned, as it returned it; or correct what the test expects."
  `);
  expect(diffOf(assertion)).toEqual({ actual: { tempC: 14 }, expected: { tempC: 41 } });
});

test("compares an expected undefined, which is not the same as no expectation", () => {
  expect(weather("openai-chat")).not.toHaveAppendedToolResult("call_1", undefined);
});

test(".not names the result that should not be there", () => {
  expect(failureOf(() => expect(weather("openai-chat")).not.toHaveAppendedToolResult("call_1"))).toMatchInlineSnapshot(`
    "expect(messages).not.toHaveAppendedToolResult("call_1")

    Expected no tool result answering call_1, but messages[2] answers it.

        messages[0]  user       "weather in Paris?"
        messages[1]  assistant  get_weather({"city":"Paris"})  call_1
      > messages[2]  tool       answers call_1  "{\\"tempC\\":14}"
        messages[3]  assistant  "It is 14 degrees in Paris.""
  `);
});

test(".not with a result names that too, and shows no diff", () => {
  const assertion = () => expect(weather("anthropic")).not.toHaveAppendedToolResult("call_1", { tempC: 14 });
  expect(failureOf(assertion)).toMatchInlineSnapshot(`
    "expect(messages).not.toHaveAppendedToolResult("call_1", result)

    Expected no tool result answering call_1 with {"tempC":14}, but messages[2].content[0] answers it.

        messages[0]  user       "weather in Paris?"
        messages[1]  assistant  get_weather({"city":"Paris"})  call_1
      > messages[2]  user       answers call_1  "{\\"tempC\\":14}"
        messages[3]  assistant  "It is 14 degrees in Paris.""
  `);
  expect(diffOf(assertion)).toEqual({ actual: undefined, expected: undefined });
});

test("refuses an argument that names no call", () => {
  // @ts-expect-error a number names no call
  expect(failureOf(() => expect(weather("openai-chat")).toHaveAppendedToolResult(1))).toMatchInlineSnapshot(
    `"[vitest-tool-loop] toHaveAppendedToolResult() takes a call id, or { name, nth? }, as first argument, found 1."`,
  );
});

test("says that a result was stringified twice", () => {
  const twice = JSON.stringify(JSON.stringify({ tempC: 14 }));
  const messages = [question, call, { role: "tool", tool_call_id: "call_1", content: twice }];
  expect(failureOf(() => expect(messages).toHaveAppendedToolResult("call_1", { tempC: 14 }))).toMatchInlineSnapshot(`
    "expect(messages).toHaveAppendedToolResult("call_1", result)

    Expected the tool result answering call_1 to hold {"tempC":14}, but messages[2] holds "\\"{\\\\\\"tempC\\\\\\":14}\\"".

        messages[0]  user       "weather in Paris?"
        messages[1]  assistant  get_weather({"city":"Paris"})  call_1
      > messages[2]  tool       answers call_1  "\\"{\\\\\\"tempC\\\\\\":14}\\""

    It is JSON inside JSON: the loop stringifies a result that is a string already. Stringify it once."
  `);
});

test("does not blame the role of an empty message, nor one under which results do stand", () => {
  const asked = weather("anthropic").slice(0, 2);
  expect(
    failureOf(() => expect([...asked, { role: "user", content: [] }]).toHaveAppendedToolResult("call_1", "14")),
  ).toMatchInlineSnapshot(`
    "expect(messages).toHaveAppendedToolResult("call_1", result)

    Expected a tool result answering call_1, but messages[2] is empty.

        messages[0]  user       "weather in Paris?"
        messages[1]  assistant  get_weather({"city":"Paris"})  call_1
      > messages[2]  user       ""

    The Anthropic Messages API would answer 400: messages.1: \`tool_use\` ids were found without \`tool_result\` blocks immediately after: call_1. Each \`tool_use\` block must have a corresponding \`tool_result\` block in the next message. (anthropic/unanswered-call)
    Append { role: "user", content: [{ type: "tool_result", tool_use_id: "call_1", content: "14" }] } instead of messages[2]."
  `);
  expect(
    failureOf(() => expect([...asked, { role: "user", content: "14" }]).toHaveAppendedToolResult("call_1", "14")),
  ).toMatchInlineSnapshot(`
    "expect(messages).toHaveAppendedToolResult("call_1", result)

    Expected a tool result answering call_1, but messages[2] holds no tool result.

        messages[0]  user       "weather in Paris?"
        messages[1]  assistant  get_weather({"city":"Paris"})  call_1
      > messages[2]  user       "14"

    The Anthropic Messages API would answer 400: messages.1: \`tool_use\` ids were found without \`tool_result\` blocks immediately after: call_1. Each \`tool_use\` block must have a corresponding \`tool_result\` block in the next message. (anthropic/unanswered-call)
    Insert { role: "user", content: [{ type: "tool_result", tool_use_id: "call_1", content: "14" }] } directly after messages[1]."
  `);
});

test("refuses a call that is meant by other fields than it has", () => {
  const wrong = [{ name: "get_weather", nth: -1 }, { name: 7 }, { id: "call_1" }, {}, null];
  const sentences = wrong.map((call) =>
    failureOf(() => expect(weather("openai-chat")).toHaveAppendedToolResult(call as never)),
  );
  expect(sentences).toMatchInlineSnapshot(`
    [
      "[vitest-tool-loop] toHaveAppendedToolResult({ name, nth? }) cannot use the option nth: expected a whole number from 0, found -1.",
      "[vitest-tool-loop] toHaveAppendedToolResult({ name, nth? }) cannot use the option name: expected a string, found 7.",
      "[vitest-tool-loop] toHaveAppendedToolResult({ name, nth? }) has no option "id": expected name or nth.",
      "[vitest-tool-loop] toHaveAppendedToolResult() takes a call id, or { name, nth? }, as first argument, found {}.",
      "[vitest-tool-loop] toHaveAppendedToolResult() takes a call id, or { name, nth? }, as first argument, found null.",
    ]
  `);
});

test("names the place at which a message cannot be read", () => {
  const [question, turn] = weather("openai-chat");
  const result = Object.defineProperty({ role: "tool", tool_call_id: "call_1" }, "content", {
    get() {
      throw new RangeError("The body was read already.");
    },
  });
  const assertion = () => expect([question, turn, result]).toHaveAppendedToolResult("call_1");
  expect(failureOf(assertion)).toMatchInlineSnapshot(
    `"[vitest-tool-loop] toHaveAppendedToolResult() cannot read messages[2].content: expected plain data, but reading it threw RangeError: The body was read already.. Pass a plain copy."`,
  );
});
