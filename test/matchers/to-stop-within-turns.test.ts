import { describe, expect, test } from "vitest";
import { repeat, scriptedModel, toolCall } from "../../src/index.js";
import { answers, asks, DIALECTS, runLoop, spokenModel, weather, written } from "../support/conversations.js";
import { failureOf } from "../support/failure.js";

describe.each(DIALECTS)("in %s", (dialect) => {
  test("counts the turns since the last user message", () => {
    expect(weather(dialect)).toStopWithinTurns(2);
    expect(weather(dialect)).not.toStopWithinTurns(1);
    expect([...weather(dialect), ...weather(dialect)]).toStopWithinTurns(2);
  });

  test("does not take results for a user message", () => {
    const results = { results: [answers("call_1", "x")] };
    const call = { calls: [asks("search", {}, "call_1")] };
    expect(written(dialect, { user: "go" }, call, results, { says: "done" })).not.toStopWithinTurns(1);
  });

  test("fails when a call is left open, but for those meant to be", () => {
    const messages = written(dialect, { user: "go" }, { calls: [asks("search", {}, "call_1")] });
    expect(messages).not.toStopWithinTurns(8);
    expect(messages).toStopWithinTurns(8, { open: ["call_1"] });
  });

  test("does not count what the loop itself says at its cap", () => {
    const messages = [...weather(dialect).slice(0, 3), { role: "assistant", content: "I give up after 1 turn." }];
    expect(messages).not.toStopWithinTurns(1);
    expect(messages).toStopWithinTurns(1, { giveUp: "I give up after 1 turn." });
    expect(messages).toStopWithinTurns(1, { giveUp: /give up/g });
    expect(messages).not.toStopWithinTurns(1, { giveUp: "I give up" });
  });

  test("counts the calls of a scripted model", async () => {
    const model = await spokenModel([toolCall("search"), toolCall("search"), "done"], { dialect });
    expect(model).toStopWithinTurns(3);
    expect(model).not.toStopWithinTurns(2);
  });
});

test("passes for a model that was capped while it asked for more", async () => {
  const model = scriptedModel.lenient(repeat(toolCall("search")));
  await runLoop(model, [{ role: "user", content: "go" }], { maxTurns: 4 });
  expect(model).toStopWithinTurns(4);
});

test("says how often the model was called", async () => {
  const model = await spokenModel([toolCall("search"), toolCall("search"), "done"]);
  expect(failureOf(() => expect(model).toStopWithinTurns(2))).toMatchInlineSnapshot(`
    "expect(model).toStopWithinTurns(2)

    Expected the loop to stop within 2 turns, but the model was called 3 times.

        messages[0]  user       "weather in Paris?"
        messages[1]  assistant  search({})  call_1
        messages[2]  tool       answers call_1  "{\\"ran\\":\\"search\\"}"
        messages[3]  assistant  search({})  call_2
        messages[4]  tool       answers call_2  "{\\"ran\\":\\"search\\"}"
      > messages[5]  assistant  "done"

    Check the cap before the model is called: with a cap of 2, call 3 must not happen."
  `);
});

test("says that the loop went past the end of the script", async () => {
  const model = scriptedModel.lenient(toolCall("search"));
  await expect(runLoop(model, [{ role: "user", content: "go" }])).rejects.toThrow("more times than scripted");
  expect(failureOf(() => expect(model).toStopWithinTurns(8))).toMatchInlineSnapshot(`
    "expect(model).toStopWithinTurns(8)

    Expected the loop to stop within 8 turns, but it called the model once past the end of the script.

        messages[0]  user       "go"
        messages[1]  assistant  search({})  call_1
        messages[2]  tool       answers call_1  "{\\"ran\\":\\"search\\"}"

    Stop when a turn asks for no tool; or script the turns that the loop is meant to ask for."
  `);
});

test("marks the first turn too many", () => {
  expect(failureOf(() => expect(weather("openai-chat")).toStopWithinTurns(1))).toMatchInlineSnapshot(`
    "expect(messages).toStopWithinTurns(1)

    Expected the loop to stop within 1 turn, but it took 2 turns.

        messages[0]  user       "weather in Paris?"
        messages[1]  assistant  get_weather({"city":"Paris"})  call_1
        messages[2]  tool       answers call_1  "{\\"tempC\\":14}"
      > messages[3]  assistant  "It is 14 degrees in Paris."

    Check the cap before the model is called: with a cap of 1, call 2 must not happen."
  `);
});

test("names the call that nothing answers", () => {
  const messages = written("anthropic", { user: "go" }, { calls: [asks("search", {}, "call_1")] });
  expect(failureOf(() => expect(messages).toStopWithinTurns(1))).toMatchInlineSnapshot(`
    "expect(messages).toStopWithinTurns(1)

    Expected the loop to stop within 1 turn with no call left open, but nothing answers call_1.

        messages[0]  user       "go"
      > messages[1]  assistant  search({})  call_1

    The Anthropic Messages API would answer 400: messages.1: \`tool_use\` ids were found without \`tool_result\` blocks immediately after: call_1. Each \`tool_use\` block must have a corresponding \`tool_result\` block in the next message. (anthropic/unanswered-call)
    Insert { role: "user", content: [{ type: "tool_result", tool_use_id: "call_1", content: "…" }] } directly after messages[1]."
  `);
});

test(".not says how many turns it took", () => {
  expect(failureOf(() => expect(weather("openai-chat")).not.toStopWithinTurns(2))).toMatchInlineSnapshot(`
    "expect(messages).not.toStopWithinTurns(2)

    Expected the loop not to stop within 2 turns, but it took 2 turns.

        messages[0]  user       "weather in Paris?"
        messages[1]  assistant  get_weather({"city":"Paris"})  call_1
        messages[2]  tool       answers call_1  "{\\"tempC\\":14}"
        messages[3]  assistant  "It is 14 degrees in Paris.""
  `);
});

test(".not says how often a model was called", async () => {
  const model = await spokenModel(["done"]);
  expect(failureOf(() => expect(model).not.toStopWithinTurns(2))).toMatchInlineSnapshot(`
    "expect(model).not.toStopWithinTurns(2)

    Expected the loop not to stop within 2 turns, but the model was called once.

        messages[0]  user       "weather in Paris?"
        messages[1]  assistant  "done""
  `);
});

test("refuses a number of turns that is none", () => {
  expect(failureOf(() => expect([]).toStopWithinTurns(0))).toMatchInlineSnapshot(
    `"[vitest-tool-loop] toStopWithinTurns() takes a whole number of turns, at least 1, as first argument, found 0."`,
  );
  expect(failureOf(() => expect([]).not.toStopWithinTurns(Number.NaN))).toMatchInlineSnapshot(
    `"[vitest-tool-loop] toStopWithinTurns() takes a whole number of turns, at least 1, as first argument, found NaN."`,
  );
  // @ts-expect-error a number is no text
  expect(failureOf(() => expect([]).toStopWithinTurns(1, { giveUp: 3 }))).toMatchInlineSnapshot(
    `"[vitest-tool-loop] toStopWithinTurns() cannot use the option giveUp: expected a string or RegExp, found 3."`,
  );
});

test("refuses to leave open what nobody asked for, but where a model may have asked before", async () => {
  expect(
    failureOf(() => expect(weather("anthropic")).toStopWithinTurns(2, { open: ["call_9"] })),
  ).toMatchInlineSnapshot(
    `"[vitest-tool-loop] toStopWithinTurns() cannot use the option open: expected ids of calls in the conversation (calls: call_1), found "call_9"."`,
  );
  expect(await spokenModel(["done"])).toStopWithinTurns(2, { open: ["call_9"] });
});

test("refuses a model that was never called: it would stop within any number of turns", () => {
  expect(failureOf(() => expect(scriptedModel.lenient("done")).toStopWithinTurns(3))).toMatchInlineSnapshot(
    `"[vitest-tool-loop] toStopWithinTurns() has nothing to judge: expected a model that was called, found one that never was. Await the loop, and check that it calls this model. If it should not, say expect(model).not.toHaveBeenCalled()."`,
  );
});
