import { describe, expect, test } from "vitest";
import { type CheckOptions, toolCall } from "../../src/index.js";
import { answers, asks, DIALECTS, spokenModel, twoCities, weather, written } from "../support/conversations.js";
import { failureOf } from "../support/failure.js";

describe.each(DIALECTS)("in %s", (dialect) => {
  test("passes when no rule is broken", () => {
    expect(weather(dialect)).toBeAcceptedBy(dialect);
    expect(twoCities(dialect)).toBeAcceptedBy(dialect);
    expect([]).toBeAcceptedBy(dialect);
  });

  test("fails on a call that nothing answers, unless it is judged as the model left it", () => {
    const messages = written(dialect, { user: "go" }, { calls: [asks("search", {}, "call_1")] });
    expect(messages).not.toBeAcceptedBy(dialect);
    expect(messages).toBeAcceptedBy(dialect, { stage: "after-model" });
  });

  test("reads a scripted model by its last request and the turn it spoke last", async () => {
    expect(await spokenModel([toolCall("search"), "done"], { dialect })).toBeAcceptedBy(dialect);
  });
});

/** Two results in two user messages: accepted, and a habit that teaches the model to call one tool at a time. */
const split = [
  ...twoCities("anthropic").slice(0, 2),
  ...written("anthropic", { results: [answers("call_1", "14")] }, { results: [answers("call_2", "21")] }),
];

test("counts warnings where it is strict", () => {
  expect(split).toBeAcceptedBy("anthropic");
  expect(split).not.toBeAcceptedBy("anthropic", { strict: true });
  expect(failureOf(() => expect(split).toBeAcceptedBy("anthropic", { strict: true }))).toMatchInlineSnapshot(`
    "expect(messages).toBeAcceptedBy("anthropic", { strict: true })

    Expected the Anthropic Messages API to accept these messages, but messages[3] draws a warning.

        messages[0]  user       "warmer in Paris or in Rome?"
        messages[1]  assistant  get_weather({"city":"Paris"})  call_1
                                get_weather({"city":"Rome"})  call_2
        messages[2]  user       answers call_1  "14"
      > messages[3]  user       answers call_2  "21"

    The Anthropic Messages API accepts it, but: messages.3: the results of one turn stand in several user messages. The API merges them, and the model learns to stop calling tools in parallel. (anthropic/split-results)
    Move the tool_result blocks of messages[3], and of those after it, into messages[2]."
  `);
  const messages = weather("anthropic");
  expect(failureOf(() => expect(messages).not.toBeAcceptedBy("anthropic", { strict: true }))).toMatch(
    "of its warnings",
  );
});

test("says what the provider would answer", () => {
  const messages = weather("openai-chat").slice(0, 2);
  expect(failureOf(() => expect(messages).toBeAcceptedBy("openai-chat"))).toMatchInlineSnapshot(`
    "expect(messages).toBeAcceptedBy("openai-chat")

    Expected OpenAI Chat Completions to accept these messages, but messages[1].tool_calls[0] breaks a rule.

        messages[0]  user       "weather in Paris?"
      > messages[1]  assistant  get_weather({"city":"Paris"})  call_1

    OpenAI Chat Completions would answer 400: An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'. The following tool_call_ids did not have response messages: call_1 (openai-chat/unanswered-call)
    Insert { role: "tool", tool_call_id: "call_1", content: "…" } directly after messages[1]."
  `);
});

test("lists every violation", () => {
  const messages = written(
    "anthropic",
    { user: "go" },
    { calls: [asks("search", {}, "call_1")] },
    { user: "are you there?" },
    { calls: [asks("a name with blanks", {}, "call_2")] },
    { results: [answers("call_9", "?")] },
  );
  expect(failureOf(() => expect(messages).toBeAcceptedBy("anthropic"))).toMatchInlineSnapshot(`
    "expect(messages).toBeAcceptedBy("anthropic")

    Expected the Anthropic Messages API to accept these messages, but messages[1].content[0] breaks a rule, and so does 1 more place.

        messages[0]  user       "go"
      > messages[1]  assistant  search({})  call_1
        messages[2]  user       "are you there?"
      > messages[3]  assistant  a name with blanks({})  call_2
        messages[4]  user       answers call_9  "?"

    The Anthropic Messages API would answer 400: messages.1: \`tool_use\` ids were found without \`tool_result\` blocks immediately after: call_1. Each \`tool_use\` block must have a corresponding \`tool_result\` block in the next message. (anthropic/unanswered-call)
    Insert { role: "user", content: [{ type: "tool_result", tool_use_id: "call_1", content: "…" }] } directly after messages[1].

    Also:
      messages[3].content[0]  Write tool_use_id: "call_2" into messages[4].content[0]: it answers call_9. (anthropic/unanswered-call)"
  `);
});

test(".not says that nothing is broken", () => {
  expect(failureOf(() => expect(weather("anthropic")).not.toBeAcceptedBy("anthropic"))).toMatchInlineSnapshot(`
    "expect(messages).not.toBeAcceptedBy("anthropic")

    Expected the Anthropic Messages API to refuse these messages, but they break none of its rules.

        messages[0]  user       "weather in Paris?"
        messages[1]  assistant  get_weather({"city":"Paris"})  call_1
        messages[2]  user       answers call_1  "{\\"tempC\\":14}"
        messages[3]  assistant  "It is 14 degrees in Paris.""
  `);
});

test("refuses turns of another dialect, and dialects it does not know", () => {
  expect(failureOf(() => expect(weather("anthropic")).toBeAcceptedBy("openai-chat"))).toMatchInlineSnapshot(
    `"[vitest-tool-loop] Cannot read messages[1] as "openai-chat": it is a turn in "anthropic". One conversation has one dialect: convert the messages where they enter the history."`,
  );
  expect(failureOf(() => expect(weather("anthropic")).not.toBeAcceptedBy("esperanto"))).toMatchInlineSnapshot(
    `"[vitest-tool-loop] There is no dialect "esperanto": expected one of "openai-chat", "anthropic". Register your own with registerDialect(definition)."`,
  );
});

test("refuses options of another type, and stages and profiles it does not know", () => {
  const wrong = [{ stage: "requests" }, { strict: "yes" }, { thinking: 1 }, { model: null }, { profile: "deepseek" }];
  const sentences = wrong.map((options) =>
    failureOf(() => expect(weather("openai-chat")).toBeAcceptedBy("openai-chat", options as CheckOptions)),
  );
  expect(sentences).toMatchInlineSnapshot(`
    [
      "[vitest-tool-loop] toBeAcceptedBy() cannot use the option stage: expected "auto", "request" or "after-model", found "requests". Did you mean "request"?",
      "[vitest-tool-loop] toBeAcceptedBy() cannot use the option strict: expected true or false, found "yes".",
      "[vitest-tool-loop] toBeAcceptedBy() cannot use the option thinking: expected true or false, found 1.",
      "[vitest-tool-loop] toBeAcceptedBy() cannot use the option model: expected a string, found null.",
      "[vitest-tool-loop] toBeAcceptedBy() cannot use the option profile: expected "deepseek-thinking", found "deepseek".",
    ]
  `);
  expect(
    failureOf(() => expect(weather("anthropic")).toBeAcceptedBy("anthropic", { profile: "deepseek-thinking" })),
  ).toMatchInlineSnapshot(
    `"[vitest-tool-loop] toBeAcceptedBy() cannot use the option profile: expected it left out, for "anthropic" has no profiles, found "deepseek-thinking"."`,
  );
});

test("says of an unknown dialect that it is none, whatever the subject", () => {
  expect(failureOf(() => expect([42]).not.toContainEqual(expect.toBeAcceptedBy("esperanto")))).toContain(
    'There is no dialect "esperanto"',
  );
});
