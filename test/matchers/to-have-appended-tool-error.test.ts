import { describe, expect, test } from "vitest";
import { toolCall } from "../../src/index.js";
import { answers, asks, DIALECTS, spokenModel, weather, written } from "../support/conversations.js";
import { failureOf } from "../support/failure.js";

function failed(dialect: string, text = "Unknown city: Pariss", isError = true): unknown[] {
  return written(
    dialect,
    { user: "weather in Pariss?" },
    { calls: [asks("get_weather", { city: "Pariss" }, "call_1")] },
    { results: [answers("call_1", text, isError)] },
    { says: "I know no such city." },
  );
}

describe.each(DIALECTS)("in %s", (dialect) => {
  test("passes on a result that says so", () => {
    expect(failed(dialect)).toHaveAppendedToolError("call_1", "Unknown city");
    expect(failed(dialect)).toHaveAppendedToolError({ name: "get_weather" }, /unknown CITY/i);
    expect(failed(dialect)).not.toHaveAppendedToolError("call_1", "timeout");
  });

  test("asks a pattern anew each time", () => {
    const pattern = /Unknown/g;
    expect(failed(dialect)).toHaveAppendedToolError("call_1", pattern);
    expect(failed(dialect)).toHaveAppendedToolError("call_1", pattern);
  });

  test("fails where nothing answers the call", () => {
    expect(failed(dialect).slice(0, 2)).not.toHaveAppendedToolError("call_1", "Unknown city");
    expect(failed(dialect)).not.toHaveAppendedToolError("call_2", "Unknown city");
  });

  test("reads a scripted model", async () => {
    const tool = () => "Error: no such city";
    const model = await spokenModel([toolCall("get_weather"), "sorry"], { dialect, tool });
    if (dialect === "openai-chat") expect(model).toHaveAppendedToolError("call_1", "no such city");
    else expect(model).not.toHaveAppendedToolError("call_1", "no such city");
  });
});

test("goes by the flag where there is one", () => {
  expect(failed("anthropic")).toHaveAppendedToolError("call_1");
  expect(failed("anthropic", "Unknown city", false)).not.toHaveAppendedToolError("call_1");
  expect(failed("anthropic", "Unknown city", false)).not.toHaveAppendedToolError("call_1", "Unknown city");
});

test("asks for the text where there is no flag", () => {
  expect(failureOf(() => expect(failed("openai-chat")).toHaveAppendedToolError("call_1"))).toMatchInlineSnapshot(
    `"[vitest-tool-loop] toHaveAppendedToolError("call_1") needs the text of the failure: a result in "openai-chat" has no flag that says it failed. Pass what the result should say: toHaveAppendedToolError("call_1", /…/)."`,
  );
  expect(failureOf(() => expect(failed("openai-chat")).not.toHaveAppendedToolError("call_1"))).toMatch(
    "needs the text",
  );
});

test("says that the flag is not set", () => {
  const messages = failed("anthropic", "Unknown city", false);
  expect(failureOf(() => expect(messages).toHaveAppendedToolError("call_1"))).toMatchInlineSnapshot(`
    "expect(messages).toHaveAppendedToolError("call_1")

    Expected the tool result answering call_1 to report a failure, but messages[2].content[0] is not marked as a failure.

        messages[0]  user       "weather in Pariss?"
        messages[1]  assistant  get_weather({"city":"Pariss"})  call_1
      > messages[2]  user       answers call_1  "Unknown city"
        messages[3]  assistant  "I know no such city."

    Catch what the tool throws, and append { role: "user", content: [{ type: "tool_result", tool_use_id: "call_1", content: "Unknown city", is_error: true }] }."
  `);
});

test("says what the result says instead", () => {
  expect(
    failureOf(() => expect(weather("openai-chat")).toHaveAppendedToolError("call_1", /unknown city/i)),
  ).toMatchInlineSnapshot(`
    "expect(messages).toHaveAppendedToolError("call_1", /unknown city/i)

    Expected the tool result answering call_1 to report a failure that says /unknown city/i, but messages[2] says "{\\"tempC\\":14}".

        messages[0]  user       "weather in Paris?"
        messages[1]  assistant  get_weather({"city":"Paris"})  call_1
      > messages[2]  tool       answers call_1  "{\\"tempC\\":14}"
        messages[3]  assistant  "It is 14 degrees in Paris."

    Say in the result what went wrong, so that the model can do something about it; or correct what the test expects."
  `);
});

test("says what to append where nothing answers", () => {
  const messages = failed("anthropic").slice(0, 2);
  expect(failureOf(() => expect(messages).toHaveAppendedToolError("call_1", "Unknown city"))).toMatchInlineSnapshot(`
    "expect(messages).toHaveAppendedToolError("call_1", "Unknown city")

    Expected a tool result answering call_1, but nothing was appended after messages[1].

        messages[0]  user       "weather in Pariss?"
      > messages[1]  assistant  get_weather({"city":"Pariss"})  call_1

    The Anthropic Messages API would answer 400: messages.1: \`tool_use\` ids were found without \`tool_result\` blocks immediately after: call_1. Each \`tool_use\` block must have a corresponding \`tool_result\` block in the next message. (anthropic/unanswered-call)
    Insert { role: "user", content: [{ type: "tool_result", tool_use_id: "call_1", content: "Unknown city", is_error: true }] } directly after messages[1]."
  `);
});

test(".not says what failure is reported", () => {
  expect(failureOf(() => expect(failed("anthropic")).not.toHaveAppendedToolError("call_1"))).toMatchInlineSnapshot(`
    "expect(messages).not.toHaveAppendedToolError("call_1")

    Expected no failure reported for call_1, but messages[2].content[0] reports "Unknown city: Pariss".

        messages[0]  user       "weather in Pariss?"
        messages[1]  assistant  get_weather({"city":"Pariss"})  call_1
      > messages[2]  user       answers call_1  error  "Unknown city: Pariss"
        messages[3]  assistant  "I know no such city.""
  `);
});

test("refuses a text that is none", () => {
  // @ts-expect-error an Error is no text
  expect(failureOf(() => expect([]).toHaveAppendedToolError("call_1", new Error("x")))).toMatchInlineSnapshot(
    `"[vitest-tool-loop] toHaveAppendedToolError() takes a string or RegExp as second argument, found Error: x."`,
  );
});
