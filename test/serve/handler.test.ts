import Anthropic from "@anthropic-ai/sdk";
import OpenAI from "openai";
import { describe, expect, test } from "vitest";
import { modelFetch, scriptedModel, toolCall, turn } from "../../src/index.js";
import { failureOf } from "../support/failure.js";
import { PATHS, poster } from "./post.js";

const HELLO = [{ role: "user", content: "hello" }];
const usage = { inputTokens: 900, outputTokens: 20, cachedInputTokens: 800 };
const weatherTool = {
  name: "get_weather",
  description: "The weather in a city",
  schema: { type: "object", properties: { city: { type: "string" } } },
};
const offered = {
  "openai-chat": [
    {
      type: "function",
      function: { name: "get_weather", description: weatherTool.description, parameters: weatherTool.schema },
    },
  ],
  anthropic: [{ name: "get_weather", description: weatherTool.description, input_schema: weatherTool.schema }],
};

describe("modelFetch", () => {
  test("answers a chat completion as OpenAI writes it", async () => {
    const model = scriptedModel(turn("Let me look.", toolCall("get_weather", { city: "Paris" }), { usage }));
    const post = poster(model, PATHS["openai-chat"]);
    const { status, body } = await post({ model: "gpt-test", messages: HELLO, tools: offered["openai-chat"] });
    expect(status).toBe(200);
    expect(body).toEqual({
      id: expect.stringMatching(/^chatcmpl-/),
      object: "chat.completion",
      created: expect.any(Number),
      model: "gpt-test",
      choices: [
        {
          index: 0,
          message: {
            role: "assistant",
            content: "Let me look.",
            refusal: null,
            annotations: [],
            tool_calls: [
              { id: "call_1", type: "function", function: { name: "get_weather", arguments: '{"city":"Paris"}' } },
            ],
          },
          logprobs: null,
          finish_reason: "tool_calls",
        },
      ],
      usage: {
        prompt_tokens: 900,
        completion_tokens: 20,
        total_tokens: 920,
        prompt_tokens_details: { cached_tokens: 800, audio_tokens: 0 },
        completion_tokens_details: expect.anything(),
      },
      service_tier: "default",
      system_fingerprint: null,
    });
  });

  test("answers a message as Anthropic writes it", async () => {
    const reasoning = { text: "Paris, so look.", signature: "sig" };
    const model = scriptedModel(turn("Let me look.", toolCall("get_weather", { city: "Paris" }), { usage, reasoning }));
    const post = poster(model, PATHS.anthropic);
    const { status, body } = await post({ model: "claude-test", messages: HELLO, tools: offered.anthropic });
    expect(status).toBe(200);
    expect(body).toEqual({
      id: expect.stringMatching(/^msg_/),
      type: "message",
      role: "assistant",
      model: "claude-test",
      content: [
        { type: "thinking", thinking: "Paris, so look.", signature: "sig" },
        { type: "text", text: "Let me look.", citations: null },
        { type: "tool_use", id: "call_1", name: "get_weather", input: { city: "Paris" } },
      ],
      stop_reason: "tool_use",
      stop_sequence: null,
      stop_details: null,
      container: null,
      usage: expect.objectContaining({ input_tokens: 900, output_tokens: 20, cache_read_input_tokens: 800 }),
    });
  });

  test.each(Object.entries(PATHS))("gives every response of %s an id of its own", async (_, path) => {
    const post = poster(scriptedModel("one", "two"), path);
    const [one, two] = [await post({ messages: HELLO }), await post({ messages: HELLO })];
    expect(one.body.id).not.toBe(two.body.id);
  });

  test("records what an OpenAI request carries", async () => {
    const model = scriptedModel("hi");
    const body = {
      model: "gpt-test",
      messages: [{ role: "system", content: "Be brief." }, ...HELLO],
      tools: offered["openai-chat"],
      tool_choice: "auto",
      temperature: 0,
    };
    await poster(model, PATHS["openai-chat"])(body);
    expect(model.requests).toEqual([
      {
        messages: body.messages,
        tools: [weatherTool],
        model: "gpt-test",
        toolChoice: "auto",
        settings: { temperature: 0 },
        signal: expect.any(AbortSignal),
        dialect: "openai-chat",
        body,
      },
    ]);
  });

  test("records what an Anthropic request carries", async () => {
    const model = scriptedModel("hi");
    const body = {
      model: "claude-test",
      max_tokens: 10,
      system: [{ type: "text", text: "Be brief." }],
      messages: HELLO,
      tools: offered.anthropic,
      tool_choice: { type: "auto" },
    };
    await poster(model, PATHS.anthropic)(body);
    expect(model.requests).toEqual([
      {
        messages: HELLO,
        system: "Be brief.",
        tools: [weatherTool],
        model: "claude-test",
        toolChoice: { type: "auto" },
        settings: { max_tokens: 10 },
        signal: expect.any(AbortSignal),
        dialect: "anthropic",
        body,
      },
    ]);
  });

  test("says what it serves to a request for something else", async () => {
    const { status, body } = await poster(scriptedModel.lenient("hi"), "/v1/embeddings")({ input: "x" });
    expect(status).toBe(404);
    expect(body.error.message).toMatchInlineSnapshot(
      `"[vitest-tool-loop] The scripted model does not serve this request: expected POST …/chat/completions, POST …/v1/messages, found POST /v1/embeddings."`,
    );
  });

  test("says which method an address takes", async () => {
    const post = poster(scriptedModel.lenient("hi"), PATHS.anthropic);
    const { status, body } = await post("", { method: "PUT" });
    expect(status).toBe(405);
    expect(body.error.message).toMatchInlineSnapshot(
      `"[vitest-tool-loop] The scripted model does not serve this request: expected POST …/v1/messages, found PUT /v1/messages."`,
    );
  });

  test.each([
    ["no JSON", "{", "expected a body of JSON, found none"],
    ["a list", "[]", "expected an object, found []"],
    ["no messages", "{}", "expected a list of messages, found undefined, at messages"],
  ])("answers a body that is %s with the 400 of the provider", async (_, text, sentence) => {
    const model = scriptedModel.lenient("hi");
    const openai = await poster(model, PATHS["openai-chat"])(text);
    expect(openai.status).toBe(400);
    expect(openai.body).toEqual({
      error: { message: expect.stringContaining(sentence), type: "invalid_request_error", param: null, code: null },
    });
    const anthropic = await poster(model, PATHS.anthropic)(text);
    expect(anthropic.status).toBe(400);
    expect(anthropic.body).toEqual({
      type: "error",
      error: { type: "invalid_request_error", message: expect.stringContaining(sentence) },
      request_id: null,
    });
    expect(model.requests).toHaveLength(0);
  });

  test("answers a call past the end so that no SDK tries again", async () => {
    const model = scriptedModel.lenient("one");
    const client = new OpenAI({ apiKey: "test", fetch: modelFetch(model) });
    const ask = () => client.chat.completions.create({ model: "gpt-test", messages: [{ role: "user", content: "x" }] });
    await ask();
    const error = await ask().catch((error) => error);
    expect(error).toBeInstanceOf(OpenAI.BadRequestError);
    expect(error.message).toContain(
      "The loop called the model more times than scripted: call 2, but the script has 1 turn.",
    );
    expect(error.headers.get("x-should-retry")).toBe("false");
    expect(model.overruns).toBe(1);
  });

  test("rejects with a scripted error, as a connection that fails", async () => {
    const model = scriptedModel(new Error("socket hang up"), "hi");
    const client = new Anthropic({ apiKey: "test", maxRetries: 0, fetch: modelFetch(model) });
    const ask = () =>
      client.messages.create({ model: "m", max_tokens: 9, messages: [{ role: "user", content: "hello" }] });
    const error = await ask().catch((error) => error);
    expect(error).toBeInstanceOf(Anthropic.APIConnectionError);
    expect(error.cause.message).toBe("socket hang up");
    expect((await ask()).content).toMatchObject([{ text: "hi" }]);
  });

  test("rejects when the request is aborted, and an abort before it takes no turn", async () => {
    const model = scriptedModel("hi");
    const post = poster(model, PATHS["openai-chat"]);
    const reason = new Error("the user left");
    await expect(post({ messages: HELLO }, { signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
    expect((await post({ messages: HELLO })).status).toBe(200);
  });

  test("tells a thread it does not know as the API does, and the SDK starts a new one", async () => {
    const model = scriptedModel("one", "two");
    const client = new Anthropic({ apiKey: "test", fetch: modelFetch(model) });
    const thread = client.beta.messages.thread({ model: "m", max_tokens: 9 });
    await thread.send({ role: "user", content: "hello" });
    const unknown = await poster(
      model,
      PATHS.anthropic,
    )({
      messages: HELLO,
      thread: { type: "continue", previous_message_id: "msg_other" },
    });
    expect(unknown.status).toBe(404);
    expect(unknown.body.error).toMatchObject({ type: "not_found_error", details: { error_code: "thread_not_found" } });
    await thread.send({ role: "user", content: "again" });
    expect(model.seen.at(-1)).toEqual([
      { role: "user", content: "hello" },
      { role: "assistant", content: [{ type: "text", text: "one" }] },
      { role: "user", content: "again" },
    ]);
  });

  test("needs a scripted model", () => {
    expect(failureOf(() => modelFetch((async () => "hi") as never))).toMatchInlineSnapshot(
      `"[vitest-tool-loop] modelFetch() needs a scripted model: expected what scriptedModel(…) returns, found [function]. Script the turns first, then pass the model."`,
    );
  });
});
