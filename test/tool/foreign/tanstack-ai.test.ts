import { toolDefinition } from "@tanstack/ai";
import { expect, test, vi } from "vitest";
import { z } from "zod";
import { runTool } from "../../../src/index.js";
import { rejectionOf } from "../../support/rejection.js";

const definition = toolDefinition({
  name: "add_to_cart",
  description: "adds",
  inputSchema: z.object({ id: z.string(), quantity: z.coerce.number<string>() }),
  outputSchema: z.object({ total: z.number() }),
});

test("a server tool completes, and its events are recorded", async () => {
  const add = definition.server(async ({ quantity }, context) => {
    context?.emitCustomEvent("progress", { percent: 50 });
    return { total: Number(quantity) };
  });
  const run = await runTool(add, { input: { id: "a", quantity: 2 } });
  expect(run).toHaveOutput({ total: 2 });
  expect(run).toHaveWritten("progress", { percent: 50 });
  expect(await runTool(add, { rawInput: '{"id":"a","quantity":"3"}' })).toHaveOutput({ total: 3 });
  expect(await runTool(add, { rawInput: { quantity: 1 } })).toHaveFailedWith({
    code: "invalid_input",
    message: /id: /,
  });
});

test("an output that breaks its schema threw, as in its loop", async () => {
  const wrong = definition.server(async () => ({ total: "many" }) as never);
  expect(await runTool(wrong, { input: { id: "a", quantity: 1 } })).toHaveThrown(
    /^Output validation failed for tool add_to_cart: total: /,
  );
});

test("approval is asked for before the tool starts", async () => {
  const execute = vi.fn(async () => ({ total: 1 }));
  const asking = toolDefinition({ name: "buy", description: "b", inputSchema: z.object({}), needsApproval: true });
  const waiting = await runTool(asking.server(execute), { input: {} });
  expect(waiting).toBeSuspendedOn("approval", {});
  expect([waiting.attempts, execute.mock.calls.length]).toEqual([0, 0]);
  expect(await waiting.resume("approval", { approved: true })).toHaveOutput({ total: 1 });
  expect(await waiting.resume("approval", { approved: false })).toHaveFailedWith("The call was denied.");
});

test("a definition without a server side is refused", async () => {
  expect((await rejectionOf(runTool(definition as never, { input: {} } as never))).message).toContain(
    "The TanStack AI tool add_to_cart cannot be run",
  );
});

test("an abort cancels, and its signal reaches the tool", async () => {
  const controller = new AbortController();
  const signals: unknown[] = [];
  const hangs = definition.server((_input, context) => {
    signals.push(context?.abortSignal);
    return new Promise(() => {});
  });
  const pending = runTool(hangs, { input: { id: "a", quantity: 1 }, signal: controller.signal });
  await vi.waitFor(() => expect(signals).toEqual([controller.signal]));
  controller.abort();
  expect(await pending).toBeCancelled();
});
