import OpenAI from "openai";
import { describe, expect, test } from "vitest";
import { modelFetch, repeat, type ScriptedModel, type ScriptItem, scriptedModel, toolCall } from "../../src/index.js";

const weatherSchema = {
  type: "object",
  properties: { city: { type: "string" } },
  required: ["city"],
  additionalProperties: false,
};

type Tool = (args: { city: string }) => unknown;

/** The SDK's own loop, unmodified, with a tool `get_weather`. */
function runTools(model: ScriptedModel, getWeather: Tool, options: { maxChatCompletions?: number } = {}) {
  const client = new OpenAI({ apiKey: "test", fetch: modelFetch(model) });
  return client.chat.completions.runTools(
    {
      model: "gpt-test",
      messages: [{ role: "user", content: "weather?" }],
      tools: [
        {
          type: "function",
          function: {
            name: "get_weather",
            description: "The weather in a city",
            parameters: weatherSchema,
            parse: JSON.parse,
            function: getWeather as never,
          },
        },
      ],
    },
    options,
  );
}

const paris = () => ({ tempC: 14 });

describe("openai runTools", () => {
  test("appends the turn verbatim and each result as a tool message of text", async () => {
    const model = scriptedModel(toolCall("get_weather", { city: "Paris" }, "call_1"), "14 degrees.");
    const runner = runTools(model, paris);
    expect(await runner.finalContent()).toBe("14 degrees.");
    expect(model.seen).toEqual([
      [{ role: "user", content: "weather?" }],
      [
        { role: "user", content: "weather?" },
        {
          role: "assistant",
          content: null,
          tool_calls: [
            { id: "call_1", type: "function", function: { name: "get_weather", arguments: '{"city":"Paris"}' } },
          ],
        },
        { role: "tool", tool_call_id: "call_1", content: '{"tempC":14}' },
      ],
    ]);
    expect(model).toHaveAppendedToolResult("call_1", { tempC: 14 });
    expect(runner.messages).toHaveAppendedToolResult("call_1", { tempC: 14 });
    expect(runner.messages).toMatchToolCallIds(["call_1"]);
    expect(model).toStopWithinTurns(2);
  });

  test("runs parallel calls at once and appends their results in the order of the calls", async () => {
    const finished: string[] = [];
    let releaseSlow = () => {};
    const slow = new Promise<void>((resolve) => (releaseSlow = resolve));
    const model = scriptedModel(
      [toolCall("get_weather", { city: "Slow" }, "slow"), toolCall("get_weather", { city: "Fast" }, "fast")],
      "Done.",
    );
    const runner = runTools(model, async ({ city }) => {
      if (city === "Slow") await slow;
      else releaseSlow();
      finished.push(city);
      return city;
    });
    await runner.finalContent();
    expect(finished).toEqual(["Fast", "Slow"]);
    expect(model.seen[1]!.slice(2)).toEqual([
      { role: "tool", tool_call_id: "slow", content: "Slow" },
      { role: "tool", tool_call_id: "fast", content: "Fast" },
    ]);
    expect(model).toMatchToolCallIds(["slow", "fast"]);
  });

  test("answers a made-up tool with what there is", async () => {
    const model = scriptedModel(toolCall.unchecked("get_wether", {}, "call_1"), "Sorry.");
    expect(await runTools(model, paris).finalContent()).toBe("Sorry.");
    expect(model.seen[1]!.at(-1)).toEqual({
      role: "tool",
      tool_call_id: "call_1",
      content: 'Invalid tool_call: "get_wether". Available options are: "get_weather". Please try again',
    });
  });

  test("lets the error of a tool escape, and leaves the call unanswered", async () => {
    const model = scriptedModel(toolCall("get_weather", { city: "Paris" }, "call_1"));
    const runner = runTools(model, () => {
      throw new Error("boom");
    });
    await expect(runner.finalContent()).rejects.toThrow("boom");
    expect(runner.messages.map(({ role }) => role)).toEqual(["user", "assistant"]);
    expect(runner.messages).not.toMatchToolCallIds();
  });

  test.each([
    ['{"city": "Par', "Unterminated string in JSON at position 13"],
    ["", "Unexpected end of JSON input"],
  ])(
    "answers arguments that are no JSON (%j) with the parser's words, and keeps them verbatim",
    async (args, words) => {
      const model = scriptedModel(toolCall("get_weather", args, "call_1"), "Sorry.");
      await runTools(model, paris).finalContent();
      expect(model.seen[1]!.slice(1)).toEqual([
        expect.objectContaining({
          tool_calls: [{ id: "call_1", type: "function", function: { name: "get_weather", arguments: args } }],
        }),
        { role: "tool", tool_call_id: "call_1", content: expect.stringContaining(words) },
      ]);
    },
  );

  test("runs the tool on arguments that break its schema", async () => {
    const cities: unknown[] = [];
    const model = scriptedModel(toolCall.unchecked("get_weather", { city: 42 }), "Done.");
    await runTools(model, ({ city }) => cities.push(city)).finalContent();
    expect(cities).toEqual([42]);
  });

  test.each([
    [{ maxChatCompletions: 3 }, 3],
    [{}, 10],
  ])("gives up without an answer at its cap (%o)", async (options, turns) => {
    const again: ScriptItem = toolCall("get_weather", { city: "Paris" });
    const model = scriptedModel(repeat(again));
    const runner = runTools(model, paris, options);
    expect(await runner.finalContent()).toBeNull();
    expect(model).toStopWithinTurns(turns);
    expect(model).not.toStopWithinTurns(turns - 1);
    expect(runner.messages.at(-1)).toMatchObject({ role: "tool" });
  });

  test("an abort in a tool rejects, and the result is there", async () => {
    const model = scriptedModel(toolCall("get_weather", { city: "Paris" }, "call_1"));
    const runner = runTools(model, () => {
      runner.abort();
      return "late";
    });
    await expect(runner.finalContent()).rejects.toThrow("Request was aborted.");
    expect(runner.messages.at(-1)).toEqual({ role: "tool", tool_call_id: "call_1", content: "late" });
  });
});
