import Anthropic from "@anthropic-ai/sdk";
import OpenAI from "openai";
import { describe, expect, test } from "vitest";
import {
  cutStream,
  malformedChunk,
  modelFetch,
  type ScriptedModel,
  scriptedModel,
  toolCall,
  turn,
} from "../../src/index.js";

const schema = { type: "object" as const, properties: { city: { type: "string" } } };
const WORDS = "Let me look at the weather there.";

function runTools(model: ScriptedModel, ran: unknown[] = []) {
  const client = new OpenAI({ apiKey: "test", logLevel: "off", fetch: modelFetch(model) });
  return client.chat.completions.runTools({
    model: "gpt-test",
    stream: true,
    stream_options: { include_usage: true },
    messages: [{ role: "user", content: "weather?" }],
    tools: [
      {
        type: "function",
        function: {
          name: "get_weather",
          description: "The weather in a city",
          parameters: schema,
          parse: JSON.parse,
          function: (args: unknown) => {
            ran.push(args);
            return "14";
          },
        },
      },
    ],
  });
}

function toolRunner(model: ScriptedModel, ran: unknown[] = [], mode: { thread?: false } = {}) {
  const client = new Anthropic({ apiKey: "test", fetch: modelFetch(model) });
  return client.beta.messages.toolRunner({
    model: "claude-test",
    max_tokens: 100,
    stream: true,
    messages: [{ role: "user", content: "weather?" }],
    tools: [
      {
        name: "get_weather",
        description: "The weather in a city",
        input_schema: schema,
        parse: (input) => input,
        run: (args: unknown) => {
          ran.push(args);
          return "14";
        },
      },
    ],
    ...mode,
  });
}

const usage = { inputTokens: 900, outputTokens: 20 };
const twoCalls = turn(
  WORDS,
  toolCall("get_weather", { city: "Paris" }, "a"),
  toolCall("get_weather", { city: "São Paulo, Brazil" }, "b"),
  { usage },
);

describe("a streamed answer", () => {
  test("openai runTools puts the words and the calls together again", async () => {
    const ran: unknown[] = [];
    const model = scriptedModel(twoCalls, "14 degrees.");
    const runner = runTools(model, ran);
    const deltas: string[] = [];
    runner.on("content", (delta) => deltas.push(delta));
    expect(await runner.finalContent()).toBe("14 degrees.");
    expect(ran).toEqual([{ city: "Paris" }, { city: "São Paulo, Brazil" }]);
    expect(deltas.length).toBeGreaterThan(5);
    expect(deltas.join("")).toBe(`${WORDS}14 degrees.`);
    expect(model.seen[1]![1]).toEqual({
      role: "assistant",
      content: WORDS,
      tool_calls: [
        { id: "a", type: "function", function: { name: "get_weather", arguments: '{"city":"Paris"}' } },
        { id: "b", type: "function", function: { name: "get_weather", arguments: '{"city":"São Paulo, Brazil"}' } },
      ],
    });
    expect(model).toMatchToolCallIds(["a", "b"]);
    expect(await runner.totalUsage()).toMatchObject({ prompt_tokens: 900, completion_tokens: 20 });
  });

  test.each([
    ["a message thread", {}],
    ["thread: false", { thread: false }],
  ] as const)("@anthropic-ai/sdk toolRunner with %s puts the words and the calls together again", async (_, mode) => {
    const ran: unknown[] = [];
    const model = scriptedModel(twoCalls, "14 degrees.");
    const last = await toolRunner(model, ran, mode).runUntilDone();
    expect(last).toMatchObject({ content: [{ type: "text", text: "14 degrees." }], stop_reason: "end_turn" });
    expect(ran).toEqual([{ city: "Paris" }, { city: "São Paulo, Brazil" }]);
    expect(model.seen[1]![1]).toMatchObject({
      role: "assistant",
      content: [
        { type: "text", text: WORDS },
        { type: "tool_use", id: "a", name: "get_weather", input: { city: "Paris" } },
        { type: "tool_use", id: "b", name: "get_weather", input: { city: "São Paulo, Brazil" } },
      ],
    });
    expect(model).toMatchToolCallIds(["a", "b"]);
  });

  test("@anthropic-ai/sdk keeps the thoughts and their signature, and the usage", async () => {
    const reasoning = { text: "Paris is in France.", signature: "sig" };
    const client = new Anthropic({
      apiKey: "test",
      fetch: modelFetch(scriptedModel(turn("14.", { reasoning, usage }))),
    });
    const stream = client.messages.stream({
      model: "m",
      max_tokens: 9,
      messages: [{ role: "user", content: "weather?" }],
    });
    expect(await stream.finalMessage()).toMatchObject({
      content: [
        { type: "thinking", thinking: "Paris is in France.", signature: "sig" },
        { type: "text", text: "14." },
      ],
      usage: { input_tokens: 900, output_tokens: 20 },
    });
  });

  test("@anthropic-ai/sdk gets the calls the provider runs, and their results", async () => {
    const search = { id: "srvtoolu_1", name: "web_search", arguments: '{"query":"Paris weather"}', result: [] };
    const model = scriptedModel(turn("It is 14 degrees.", { serverCalls: [search] }));
    const client = new Anthropic({ apiKey: "test", fetch: modelFetch(model) });
    const stream = client.messages.stream({
      model: "m",
      max_tokens: 9,
      messages: [{ role: "user", content: "weather?" }],
    });
    expect((await stream.finalMessage()).content).toMatchObject([
      { type: "server_tool_use", id: "srvtoolu_1", name: "web_search", input: { query: "Paris weather" } },
      { type: "web_search_tool_result", tool_use_id: "srvtoolu_1", content: [] },
      { type: "text", text: "It is 14 degrees." },
    ]);
  });

  test("openai runTools answers arguments that are cut off with the parser's words", async () => {
    const ran: unknown[] = [];
    const model = scriptedModel(toolCall("get_weather", '{"city": "Par', "a"), "Sorry.");
    await runTools(model, ran).finalContent();
    expect(ran).toEqual([]);
    expect(model).toHaveAppendedToolResult("a", expect.stringContaining("Unterminated string in JSON"));
  });

  // A known fault of this SDK: what a stream cuts off is repaired, and the tool runs without it.
  test("@anthropic-ai/sdk toolRunner runs the tool on arguments that are cut off", async () => {
    const ran: unknown[] = [];
    const model = scriptedModel(toolCall("get_weather", '{"city":"Paris","dry_run":tru', "a"), "Done.");
    await toolRunner(model, ran).runUntilDone();
    expect(ran).toEqual([{ city: "Paris" }]);
  });

  test("cutStream breaks the connection after so many chunks", async () => {
    const model = scriptedModel(cutStream(WORDS, { afterChunks: 3 }));
    const deltas: string[] = [];
    const runner = runTools(model).on("content", (delta) => deltas.push(delta));
    await expect(runner.finalContent()).rejects.toThrow("terminated: the connection broke, as scripted");
    expect(deltas).toEqual(["Let", " me"]);
  });

  test("an abort ends the stream where it is", async () => {
    const runner = runTools(scriptedModel(WORDS));
    const deltas: string[] = [];
    runner.on("content", (delta) => {
      deltas.push(delta);
      runner.abort();
    });
    await expect(runner.finalContent()).rejects.toThrow("Request was aborted.");
    expect(deltas.length).toBeLessThan(WORDS.split(" ").length);
  });

  test('a turn that finishes as "cut" just ends', async () => {
    const client = new Anthropic({ apiKey: "test", fetch: modelFetch(scriptedModel(turn(WORDS, { finish: "cut" }))) });
    const stream = client.messages.stream({
      model: "m",
      max_tokens: 9,
      messages: [{ role: "user", content: "weather?" }],
    });
    await expect(stream.finalMessage()).rejects.toThrow("stream ended without producing a Message with role=assistant");
  });

  test("malformedChunk garbles one chunk in the middle", async () => {
    const runner = runTools(scriptedModel(malformedChunk(WORDS)));
    await expect(runner.finalContent()).rejects.toThrow("malformed server-sent event JSON");
  });
});
