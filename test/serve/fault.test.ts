import Anthropic from "@anthropic-ai/sdk";
import OpenAI from "openai";
import { describe, expect, test, vi } from "vitest";
import {
  cutByLength,
  cutStream,
  hangs,
  malformedChunk,
  modelFetch,
  overloaded,
  rateLimited,
  refusal,
  type ScriptedModel,
  scriptedModel,
  serverError,
  toolCall,
  turn,
} from "../../src/index.js";
import { PATHS, poster } from "./post.js";

const HELLO = [{ role: "user" as const, content: "hello" }];
const TOOLS = {
  "openai-chat": [{ type: "function", function: { name: "wipe", parameters: { type: "object" } } }],
  anthropic: [{ name: "wipe", input_schema: { type: "object" } }],
};

function askOpenAI(model: ScriptedModel, options: { signal?: AbortSignal } = {}) {
  const client = new OpenAI({ apiKey: "test", fetch: modelFetch(model) });
  return client.chat.completions.create({ model: "m", messages: HELLO }, options);
}

function askAnthropic(model: ScriptedModel) {
  const client = new Anthropic({ apiKey: "test", fetch: modelFetch(model) });
  return client.messages.create({ model: "m", max_tokens: 9, messages: HELLO });
}

describe("a scripted fault over HTTP", () => {
  test.each([
    ["rateLimited()", rateLimited(), 429, "rate_limit_error", 429, "rate_limit_exceeded"],
    ["overloaded()", overloaded(), 529, "overloaded_error", 503, null],
    ["serverError()", serverError(), 500, "api_error", 500, null],
  ])("%s has the status and the body of each provider", async (_, fault, status, type, openaiStatus, code) => {
    const model = scriptedModel(fault, fault);
    const anthropic = await poster(model, PATHS.anthropic)({ messages: HELLO });
    expect(anthropic).toMatchObject({ status, body: { type: "error", error: { type, message: expect.any(String) } } });
    const openai = await poster(model, PATHS["openai-chat"])({ messages: HELLO });
    expect(openai).toMatchObject({ status: openaiStatus, body: { error: { code, message: expect.any(String) } } });
    expect([anthropic, openai].map(({ headers }) => headers.get("retry-after"))).toEqual([null, null]);
  });

  test("rateLimited says how long to wait, and the SDKs try again: each attempt takes a turn", async () => {
    const model = scriptedModel(
      rateLimited({ retryAfterSeconds: 0 }),
      "hi",
      rateLimited({ retryAfterSeconds: 0 }),
      "hi",
    );
    expect((await askOpenAI(model)).choices[0]!.message.content).toBe("hi");
    expect((await askAnthropic(model)).content).toMatchObject([{ text: "hi" }]);
    expect(model.requests).toHaveLength(4);
    const { headers } = await poster(
      scriptedModel(rateLimited({ retryAfterSeconds: 7 })),
      PATHS.anthropic,
    )({
      messages: HELLO,
    });
    expect(headers.get("retry-after")).toBe("7");
  });

  test("hangs answers nothing until the client gives up", async () => {
    const controller = new AbortController();
    const model = scriptedModel(hangs());
    const asked = askOpenAI(model, { signal: controller.signal });
    await vi.waitUntil(() => model.requests.length === 1);
    controller.abort();
    await expect(asked).rejects.toBeInstanceOf(OpenAI.APIUserAbortError);
  });

  test("refusal is a field at OpenAI, and a stop reason at Anthropic", async () => {
    const model = scriptedModel(refusal("I cannot help with that."), refusal("I cannot help with that."));
    expect((await askOpenAI(model)).choices[0]).toMatchObject({
      finish_reason: "stop",
      message: { content: null, refusal: "I cannot help with that." },
    });
    expect(await askAnthropic(model)).toMatchObject({
      stop_reason: "refusal",
      content: [{ type: "text", text: "I cannot help with that." }],
    });
  });

  test("cutByLength stops words in the middle, and says so", async () => {
    const model = scriptedModel(cutByLength("0123456789"), cutByLength("0123456789"));
    expect((await askOpenAI(model)).choices[0]).toMatchObject({
      finish_reason: "length",
      message: { content: "01234" },
    });
    expect(await askAnthropic(model)).toMatchObject({ stop_reason: "max_tokens", content: [{ text: "01234" }] });
  });

  test("cutByLength stops the last call in its arguments, which Anthropic cannot show", async () => {
    const script = cutByLength(turn(toolCall("wipe", { path: "/a" }), toolCall("wipe", { path: "/b" })));
    const model = scriptedModel(script, script);
    const openai = await poster(model, PATHS["openai-chat"])({ messages: HELLO, tools: TOOLS["openai-chat"] });
    expect(openai.body.choices[0].finish_reason).toBe("length");
    expect(
      openai.body.choices[0].message.tool_calls.map(
        (call: OpenAI.ChatCompletionMessageFunctionToolCall) => call.function.arguments,
      ),
    ).toEqual(['{"path":"/a"}', '{"path"']);
    const anthropic = await poster(model, PATHS.anthropic)({ messages: HELLO, tools: TOOLS.anthropic });
    expect(anthropic.body.stop_reason).toBe("max_tokens");
    expect(anthropic.body.content.map(({ input }: { input: unknown }) => input)).toEqual([{ path: "/a" }, {}]);
  });

  test.each([
    ["cutStream", cutStream("hi")],
    ['a turn that finishes as "cut"', turn("hi", { finish: "cut" })],
  ])("%s breaks the connection in the middle of the body", async (_, item) => {
    await expect(askOpenAI(scriptedModel(item))).rejects.toThrow("terminated: the connection broke, as scripted");
  });

  test("malformedChunk ends with a body that is no JSON", async () => {
    await expect(askAnthropic(scriptedModel(malformedChunk("hi")))).rejects.toThrow(SyntaxError);
  });
});
