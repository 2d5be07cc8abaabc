import * as v7 from "ai";
import { MockLanguageModelV4 } from "ai/test";
import * as v6 from "ai-v6";
import { describe, expect, test, vi } from "vitest";
import { z } from "zod";
import { runTool } from "../../../src/index.js";
import { rejectionOf } from "../../support/rejection.js";

const inputSchema = z.object({ city: z.string(), days: z.coerce.number().default(1) });

// One text for both: their types differ in what no tool here uses.
describe.each([
  { version: "6", ...(v6 as unknown as Pick<typeof v7, "tool" | "jsonSchema">) },
  { version: "7", ...v7 },
])("AI SDK $version", ({ tool, jsonSchema }) => {
  const execute = vi.fn(async ({ city }: { city: string }, _options: object) => ({ city, tempC: 14 }));
  const weather = tool({ description: "weather", inputSchema, execute });

  test("a tool completes, with the call's options", async () => {
    const { signal } = new AbortController();
    const run = await runTool(weather, { input: { city: "Paris", days: 2 }, context: { units: "C" }, signal });
    expect(run).toHaveOutput({ city: "Paris", tempC: 14 });
    expect(execute).toHaveBeenLastCalledWith(
      { city: "Paris", days: 2 },
      expect.objectContaining({
        toolCallId: "call_1",
        messages: [],
        abortSignal: signal,
        context: { units: "C" },
        experimental_context: { units: "C" },
      }),
    );
  });

  test("raw input goes through the schema, as in the SDK's loop", async () => {
    const run = await runTool(weather, { rawInput: '{"city":"Paris","days":"3"}' });
    expect(run.status).toBe("completed");
    expect(execute).toHaveBeenLastCalledWith({ city: "Paris", days: 3 }, expect.anything());
    const invalid = await runTool(weather, { rawInput: { city: 1 } });
    expect(invalid).toHaveFailedWith({ code: "invalid_input", message: /^Invalid input for tool: city: / });
    expect(invalid.attempts).toBe(0);
  });

  test("a JSON schema validates when it can, and is taken at its word otherwise", async () => {
    const schema = { type: "object", properties: { n: { type: "number" } } } as const;
    const strict = tool({
      inputSchema: jsonSchema<{ n: number }>(schema, {
        validate: (value) =>
          typeof (value as { n: unknown }).n === "number"
            ? { success: true, value: value as { n: number } }
            : { success: false, error: new Error("n is no number") },
      }),
      execute: async ({ n }) => n,
    });
    expect(await runTool(strict, { rawInput: '{"n":"1"}' })).toHaveFailedWith("n is no number");
    expect(await runTool(strict, { rawInput: '{"n":1}' })).toHaveOutput(1);
    const loose = tool({ inputSchema: jsonSchema<{ n: number }>(schema), execute: async ({ n }) => n });
    expect(await runTool(loose, { rawInput: '{"n":"1"}' })).toHaveOutput("1");
  });

  test("the last of the results a tool streams is its output, and each is recorded", async () => {
    const streaming = tool({
      inputSchema: z.object({}),
      async *execute() {
        yield { percent: 10 };
        yield { percent: 100 };
      },
    });
    const run = await runTool(streaming, { input: {} });
    expect(run.expectOutput()).toEqual({ percent: 100 });
    expect(run.dataWrites).toEqual([
      { name: "preliminary", value: { percent: 10 } },
      { name: "preliminary", value: { percent: 100 } },
    ]);
  });

  test("an abort ends a stream of results, and closes it", async () => {
    const controller = new AbortController();
    const closed = vi.fn();
    const streaming = tool({
      inputSchema: z.object({}),
      async *execute() {
        try {
          yield 1;
          controller.abort("enough");
          yield 2;
        } finally {
          closed();
        }
      },
    });
    const run = await runTool(streaming, { input: {}, signal: controller.signal });
    expect(run.expectCancelled()).toBe("enough");
    expect(run.dataWrites).toEqual([{ name: "preliminary", value: 1 }]);
    await vi.waitFor(() => expect(closed).toHaveBeenCalledTimes(1));
  });

  test("a throw is a throw", async () => {
    const broken = tool({
      inputSchema: z.object({}),
      execute: async (): Promise<string> => {
        throw new RangeError("off");
      },
    });
    expect(await runTool(broken, { input: {} })).toHaveThrown(RangeError);
  });

  test("a tool that needs approval waits before it starts, and runs when approved", async () => {
    const execute = vi.fn(async () => "deleted");
    const asks = vi.fn((_input: unknown, _options: object) => true);
    const remove = tool({ inputSchema: z.object({ path: z.string() }), needsApproval: asks, execute });
    const waiting = await runTool(remove, { input: { path: "/a" } });
    expect(waiting).toBeSuspendedOn("approval", { path: "/a" });
    expect([waiting.attempts, execute.mock.calls.length]).toEqual([0, 0]);
    expect(asks).toHaveBeenCalledWith({ path: "/a" }, expect.objectContaining({ toolCallId: "call_1" }));
    const approved = await waiting.resume("approval", { approved: true });
    expect(approved).toHaveOutput("deleted");
    expect(approved.attempts).toBe(1);
    const denied = await waiting.resume("approval", { approved: false, reason: "Not this one." });
    expect(denied.expectFailed()).toEqual({ code: "denied", message: "Not this one." });
    expect(denied.attempts).toBe(0);
    expect(execute).toHaveBeenCalledTimes(1);
    expect((await rejectionOf(waiting.resume("approval", { yes: 1 } as never))).message).toContain(
      "expected { approved: boolean, reason?: string }",
    );
  });

  test("an abort while the approval is decided keeps the tool from starting", async () => {
    const controller = new AbortController();
    const execute = vi.fn(async () => "deleted");
    const decided = Promise.resolve(false);
    const remove = tool({ inputSchema: z.object({}), needsApproval: () => decided, execute });
    const pending = runTool(remove, { input: {}, signal: controller.signal });
    controller.abort();
    const run = await pending;
    await decided;
    await new Promise(setImmediate);
    expect([run.status, run.attempts, execute.mock.calls.length]).toEqual(["cancelled", 0, 0]);
  });

  test("approval that is kept outside of the tool is passed, and outweighs what the tool says", async () => {
    const long = (input: unknown) => (input as { city: string }).city.length > 5;
    const call = (city: string) => runTool(weather, { input: { city, days: 1 }, approval: long });
    expect(await call("Bratislava")).toBeSuspendedOn("approval");
    expect(await call("Paris")).toHaveOutput();
    const asking = tool({ inputSchema: z.object({}), needsApproval: true, execute: async () => 1 });
    expect(await runTool(asking, { input: {}, approval: false })).toHaveOutput(1);
  });

  test("a tool without execute is run elsewhere, and refused", async () => {
    const client = tool({ title: "confirm", inputSchema: z.object({}) });
    expect((await rejectionOf(runTool(client, { input: {} }))).message).toContain(
      "The AI SDK tool confirm cannot be run: expected execute to be a function, found undefined.",
    );
  });
});

test("the result of a run that waits for an approval is suspended on it", async () => {
  const usage = { inputTokens: { total: 1 }, outputTokens: { total: 1 } } as never;
  const model = new MockLanguageModelV4({
    doGenerate: {
      content: [{ type: "tool-call", toolCallId: "call_1", toolName: "remove", input: '{"path":"/a"}' }],
      finishReason: { unified: "tool-calls", raw: undefined },
      usage,
      warnings: [],
    },
  });
  const tools = { remove: v7.tool({ inputSchema: z.object({ path: z.string() }), execute: async () => "removed" }) };
  const run = (toolApproval: "user-approval" | "not-applicable") =>
    v7.generateText({ model, tools, prompt: "remove /a", toolApproval: { remove: toolApproval } });
  const waiting = await run("user-approval");
  expect(waiting).toBeSuspendedOn("approval", { path: "/a" });
  expect(waiting).toBeSuspendedOn("remove");
  expect(await run("not-applicable")).not.toBeSuspendedOn("approval");
});
