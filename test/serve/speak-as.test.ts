import { describe, expect, test } from "vitest";
import { rateLimited, scriptedModel, speakAs, toolCall, turn } from "../../src/index.js";
import { rejectionOf } from "../support/rejection.js";

const HELLO = [{ role: "user", content: "hello" }];

describe("speakAs", () => {
  test("speaks the assistant message of Chat Completions", async () => {
    const model = scriptedModel(turn("Let me look.", toolCall("get_weather", { city: "Paris" })), "14 degrees.");
    const ask = speakAs(model, "openai-chat");
    expect(await ask(HELLO)).toEqual({
      role: "assistant",
      content: "Let me look.",
      tool_calls: [
        { id: "call_1", type: "function", function: { name: "get_weather", arguments: '{"city":"Paris"}' } },
      ],
    });
    expect(await ask(HELLO)).toEqual({ role: "assistant", content: "14 degrees." });
  });

  test("speaks the assistant message of Anthropic", async () => {
    const model = scriptedModel(turn("Let me look.", toolCall("get_weather", { city: "Paris" })));
    expect(await speakAs(model, "anthropic")(HELLO)).toEqual({
      role: "assistant",
      content: [
        { type: "text", text: "Let me look." },
        { type: "tool_use", id: "call_1", name: "get_weather", input: { city: "Paris" } },
      ],
    });
  });

  test("a loop that appends the message as it comes passes the matchers", async () => {
    const model = scriptedModel(toolCall("get_weather", { city: "Paris" }), "14 degrees.");
    const ask = speakAs(model, "anthropic");
    const messages: unknown[] = [...HELLO];
    messages.push(await ask(messages));
    messages.push({ role: "user", content: [{ type: "tool_result", tool_use_id: "call_1", content: "14" }] });
    messages.push(await ask(messages));
    expect(messages).toHaveAppendedToolResult("call_1", 14);
    expect(model).toHaveAppendedToolResult("call_1", 14);
    expect(model).toMatchToolCallIds(["call_1"]);
    expect(model).toStopWithinTurns(2);
  });

  test("the call is recorded with its dialect and what the loop passes", async () => {
    const model = scriptedModel("hi");
    const { signal } = new AbortController();
    await speakAs(model, "anthropic")(HELLO, {
      tools: [{ name: "get_weather" }],
      signal,
      settings: { temperature: 0 },
    });
    expect(model.requests).toEqual([
      { messages: HELLO, tools: [{ name: "get_weather" }], signal, settings: { temperature: 0 }, dialect: "anthropic" },
    ]);
    expect(model).toHaveBeenCalledTimes(1);
  });

  test("faults and errors reject", async () => {
    const model = scriptedModel(rateLimited(), new Error("down"));
    const ask = speakAs(model, "openai-chat");
    await expect(ask(HELLO)).rejects.toMatchObject({ name: "FaultError", status: 429 });
    await expect(ask(HELLO)).rejects.toThrow("down");
  });

  test("a loop that passes no messages is told so", async () => {
    const ask = speakAs(scriptedModel.lenient("hi"), "openai-chat");
    expect(await rejectionOf(ask("hello" as never))).toMatchInlineSnapshot(
      `[UsageError: [vitest-tool-loop] The scripted model was called without messages: expected an array, found "hello". A model function takes the messages first: model(messages, options).]`,
    );
  });

  test("an unknown dialect is refused with the known ones", () => {
    expect(() => speakAs(scriptedModel.lenient("hi"), "openai")).toThrow(
      'There is no dialect "openai": expected one of "openai-chat", "anthropic".',
    );
  });
});
