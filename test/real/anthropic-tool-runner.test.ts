import Anthropic from "@anthropic-ai/sdk";
import { betaZodTool } from "@anthropic-ai/sdk/helpers/beta/zod";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { modelFetch, repeat, type ScriptedModel, scriptedModel, toolCall } from "../../src/index.js";

type Tool = (args: { city: string }) => unknown;

/** The SDK's own loop, unmodified, with a tool `get_weather`. */
function toolRunner(
  model: ScriptedModel,
  getWeather: Tool,
  options: { thread?: false; max_iterations?: number; system?: string } = {},
) {
  const client = new Anthropic({ apiKey: "test", fetch: modelFetch(model) });
  return client.beta.messages.toolRunner({
    model: "claude-test",
    max_tokens: 100,
    messages: [{ role: "user", content: "weather?" }],
    tools: [
      betaZodTool({
        name: "get_weather",
        description: "The weather in a city",
        inputSchema: z.object({ city: z.string() }),
        run: async (args) => JSON.stringify(await getWeather(args)),
      }),
    ],
    ...options,
  });
}

const paris = () => ({ tempC: 14 });

const modes = [
  ["a message thread", {}],
  ["thread: false", { thread: false }],
] as const;

describe.each(modes)("@anthropic-ai/sdk toolRunner with %s", (_, mode) => {
  test("appends the turn as blocks and the result to a user message", async () => {
    const model = scriptedModel(toolCall("get_weather", { city: "Paris" }, "toolu_1"), "14 degrees.");
    const last = await toolRunner(model, paris, mode).runUntilDone();
    expect(last.content).toEqual([{ type: "text", text: "14 degrees.", citations: null }]);
    expect(model.seen[0]).toEqual([{ role: "user", content: "weather?" }]);
    expect(model.seen[1]).toEqual([
      { role: "user", content: "weather?" },
      {
        role: "assistant",
        content: [{ type: "tool_use", id: "toolu_1", name: "get_weather", input: { city: "Paris" } }],
      },
      { role: "user", content: [{ type: "tool_result", tool_use_id: "toolu_1", content: '{"tempC":14}' }] },
    ]);
    expect(model).toHaveAppendedToolResult("toolu_1", { tempC: 14 });
    expect(model).toMatchToolCallIds(["toolu_1"]);
    expect(model).toStopWithinTurns(2);
  });

  test("runs parallel calls at once and appends their results to one message, in the order of the calls", async () => {
    const finished: string[] = [];
    let releaseSlow = () => {};
    const slow = new Promise<void>((resolve) => (releaseSlow = resolve));
    const model = scriptedModel(
      [toolCall("get_weather", { city: "Slow" }, "slow"), toolCall("get_weather", { city: "Fast" }, "fast")],
      "Done.",
    );
    await toolRunner(
      model,
      async ({ city }) => {
        if (city === "Slow") await slow;
        else releaseSlow();
        finished.push(city);
        return city;
      },
      mode,
    ).runUntilDone();
    expect(finished).toEqual(["Fast", "Slow"]);
    expect(model.seen[1]!.slice(2)).toEqual([
      {
        role: "user",
        content: [
          { type: "tool_result", tool_use_id: "slow", content: '"Slow"' },
          { type: "tool_result", tool_use_id: "fast", content: '"Fast"' },
        ],
      },
    ]);
    expect(model).toMatchToolCallIds(["slow", "fast"]);
  });

  test.each([
    ["a made-up tool", toolCall.unchecked("get_wether", {}, "toolu_1"), "Error: Tool 'get_wether' not found"],
    ["arguments that break the schema", toolCall.unchecked("get_weather", { city: 42 }, "toolu_1"), "expected string"],
    ["a tool that throws", toolCall("get_weather", { city: "boom" }, "toolu_1"), "Error: boom at /home/me/app.ts"],
  ])("answers %s with an error result that holds the message", async (_case, call, words) => {
    const model = scriptedModel(call, "Sorry.");
    const runner = toolRunner(
      model,
      ({ city }) => {
        throw new Error(`${city} at /home/me/app.ts`);
      },
      mode,
    );
    expect((await runner.runUntilDone()).content).toMatchObject([{ text: "Sorry." }]);
    expect(model.seen[1]!.at(-1)).toEqual({
      role: "user",
      content: [
        {
          type: "tool_result",
          tool_use_id: "toolu_1",
          is_error: true,
          content: expect.stringContaining(words),
        },
      ],
    });
  });

  test("gives up at its cap with a turn that asks for a tool", async () => {
    const model = scriptedModel(repeat(toolCall("get_weather", { city: "Paris" })));
    const last = await toolRunner(model, paris, { ...mode, max_iterations: 3 }).runUntilDone();
    expect(last.stop_reason).toBe("tool_use");
    expect(model).toStopWithinTurns(3, { open: ["call_3"] });
    expect(model).not.toStopWithinTurns(2, { open: ["call_3"] });
  });

  test("sends what the mode says, and seen is the whole conversation either way", async () => {
    const model = scriptedModel(
      toolCall("get_weather", { city: "Paris" }, "toolu_1"),
      toolCall("get_weather", { city: "Rome" }, "toolu_2"),
      "Done.",
    );
    await toolRunner(model, paris, { ...mode, system: "Be brief." }).runUntilDone();
    const sent = model.requests.map(({ body }) => (body as { messages: unknown[] }).messages.length);
    expect(sent).toEqual("thread" in mode ? [1, 3, 5] : [1, 1, 1]);
    expect(model.seen.map((messages) => messages.length)).toEqual([1, 3, 5]);
    expect(model.requests.map(({ system }) => system)).toEqual(["Be brief.", "Be brief.", "Be brief."]);
    expect(model.requests.map(({ tools }) => tools?.map(({ name }) => name))).toEqual([
      ["get_weather"],
      ["get_weather"],
      ["get_weather"],
    ]);
  });
});
