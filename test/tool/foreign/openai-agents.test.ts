import { Agent, run, setTracingDisabled, tool, Usage } from "@openai/agents";
import { expect, onTestFinished, test, vi } from "vitest";
import { z } from "zod";
import { runTool } from "../../../src/index.js";

class DatabaseDownError extends Error {}

const weather = tool({
  name: "weather",
  description: "w",
  parameters: z.object({ city: z.string() }),
  execute: async ({ city }, runContext) => `${city} for ${(runContext?.context as { user: string } | undefined)?.user}`,
});

test("a tool completes with the JSON text the model wrote, or with a value", async () => {
  const context = { user: "Ann" };
  expect(await runTool(weather, { input: { city: "Paris" }, context })).toHaveOutput("Paris for Ann");
  expect(await runTool(weather, { rawInput: '{"city":"Paris"}', context })).toHaveOutput("Paris for Ann");
});

test("input that is no JSON or breaks the schema is failed, although the SDK makes a sentence of it", async () => {
  const cut = await runTool(weather, { rawInput: '{"city":"Par' });
  expect(cut).toHaveFailedWith({
    code: "invalid_input",
    message: /^Invalid input for weather: not JSON at character /,
  });
  const wrong = () => runTool(weather, { rawInput: { city: 1 } });
  expect(await wrong()).toHaveFailedWith({ code: "invalid_input", message: /breaks the tool's parameters/ });
  vi.stubEnv("OPENAI_AGENTS_DONT_LOG_TOOL_DATA", "0");
  onTestFinished(() => {
    vi.unstubAllEnvs();
  });
  expect(await wrong()).toHaveFailedWith({ code: "invalid_input", message: /^Invalid input for weather: city: / });
});

const explode = async (): Promise<string> => {
  throw new DatabaseDownError("down");
};

test("a throw that the default error function hides in a sentence is seen through", async () => {
  const broken = tool({ name: "broken", description: "b", parameters: z.object({}), execute: explode });
  expect(await runTool(broken, { input: {} })).toHaveThrown(DatabaseDownError);
  const slow = tool({ name: "slow", description: "b", parameters: z.object({}), timeoutMs: 60_000, execute: explode });
  expect(await runTool(slow, { input: {} })).toHaveThrown(DatabaseDownError);
});

test("without an error function the throw is the tool's own", async () => {
  const raw = tool({ name: "raw", description: "r", parameters: z.object({}), errorFunction: null, execute: explode });
  expect(await runTool(raw, { input: {} })).toHaveThrown(DatabaseDownError);
});

test("the sentence of an error function of the tool's own is a failure", async () => {
  const polite = tool({
    name: "polite",
    description: "p",
    parameters: z.object({}),
    errorFunction: (_context, error) => `Try later: ${(error as Error).message}`,
    execute: explode,
  });
  expect((await runTool(polite, { input: {} })).expectFailed()).toEqual({
    code: "tool_failed",
    message: "Try later: down",
  });
});

test("a tool that handles its own rejections completes", async () => {
  const careful = tool({
    name: "careful",
    description: "c",
    parameters: z.object({}),
    execute: () => explode().catch(() => "handled"),
  });
  const original = Promise.prototype.catch;
  expect(await runTool(careful, { input: {} })).toHaveOutput("handled");
  expect(Promise.prototype.catch).toBe(original);
});

test("approval is asked for before the tool starts", async () => {
  const execute = vi.fn(async () => "deleted");
  const needsApproval = vi.fn(async (_context: unknown, { path }: { path: string }) => path !== "/tmp");
  const remove = tool({
    name: "remove",
    description: "r",
    parameters: z.object({ path: z.string() }),
    needsApproval,
    execute,
  });
  const waiting = await runTool(remove, { rawInput: '{"path":"/a"}' });
  expect(waiting).toBeSuspendedOn("approval", { path: "/a" });
  expect([waiting.attempts, execute.mock.calls.length]).toEqual([0, 0]);
  expect(await waiting.resume("approval", { approved: true })).toHaveOutput("deleted");
  expect(await waiting.resume("approval", { approved: false, reason: "No." })).toHaveFailedWith({
    code: "denied",
    message: "No.",
  });
  expect(await runTool(remove, { input: { path: "/tmp" } })).toHaveOutput("deleted");
});

test("an abort cancels, and its signal reaches the tool", async () => {
  const signals: unknown[] = [];
  const hangs = tool({
    name: "hangs",
    description: "h",
    parameters: z.object({}),
    execute: (_input, _context, details) => {
      signals.push(details?.signal);
      return new Promise<string>(() => {});
    },
  });
  const controller = new AbortController();
  const pending = runTool(hangs, { input: {}, signal: controller.signal });
  await vi.waitFor(() => expect(signals).toEqual([controller.signal]));
  controller.abort("stop");
  expect((await pending).expectCancelled()).toBe("stop");
});

test("the result of a run that waits for an approval is suspended on it", async () => {
  setTracingDisabled(true);
  const remove = (needsApproval: boolean) =>
    tool({
      name: "remove",
      description: "r",
      parameters: z.object({ path: z.string() }),
      needsApproval,
      execute: async () => "removed",
    });
  const call = { type: "function_call", id: "fc_1", callId: "call_1", name: "remove", status: "completed" } as const;
  const words = { type: "message", role: "assistant", status: "completed" } as const;
  const start = (needsApproval: boolean) => {
    const outputs = [
      { ...call, arguments: '{"path":"/a"}' },
      { ...words, id: "m1", content: [{ type: "output_text", text: "Done." }] },
    ];
    const model = { getResponse: async () => ({ usage: new Usage(), output: [outputs.shift()!] }) } as never;
    return run(new Agent({ name: "a", model, tools: [remove(needsApproval)] }), "remove /a");
  };
  const waiting = await start(true);
  expect(waiting).toBeSuspendedOn("approval", { path: "/a" });
  expect(waiting).toBeSuspendedOn("remove");
  expect(await start(false)).not.toBeSuspendedOn("approval");
});
