import { RequestContext } from "@mastra/core/request-context";
import { createTool } from "@mastra/core/tools";
import { expect, test, vi } from "vitest";
import { z } from "zod";
import { runTool } from "../../../src/index.js";
import { rejectionOf } from "../../support/rejection.js";

const publish = vi.fn();
const publishPost = createTool({
  id: "publish-post",
  description: "publishes",
  inputSchema: z.object({ draftId: z.string() }),
  outputSchema: z.object({ published: z.boolean() }),
  suspendSchema: z.object({ question: z.string() }),
  resumeSchema: z.object({ approved: z.boolean() }),
  execute: async ({ draftId }, context) => {
    const { resumeData, suspend } = context.agent!;
    if (!resumeData) {
      await suspend({ question: `Publish ${draftId}?` });
      return undefined as never;
    }
    if (!(resumeData as { approved: boolean }).approved) throw new Error("Denied.");
    publish(draftId);
    return { published: true };
  },
});

test("a tool suspends, and is resumed with the answer", async () => {
  const waiting = await runTool(publishPost, { input: { draftId: "d1" } });
  expect(waiting).toBeSuspendedOn("suspend", { question: "Publish d1?" });
  expect(publish).not.toHaveBeenCalled();
  const done = await waiting.resume("suspend", { approved: true });
  expect(done).toHaveOutput({ published: true });
  expect(done.attempts).toBe(2);
  expect(publish).toHaveBeenCalledExactlyOnceWith("d1");
  expect(await waiting.resume("suspend", { approved: false })).toHaveThrown("Denied.");
  expect((await rejectionOf(waiting.resume("suspend", { approved: "yes" }))).message).toContain("payloadSchema");
});

test("a tool may suspend again after it was resumed", async () => {
  const wizard = createTool({
    id: "wizard",
    description: "asks twice",
    inputSchema: z.object({}),
    resumeSchema: z.object({ step: z.number() }),
    execute: async (_input, context) => {
      const step = (context.agent!.resumeData as { step: number } | undefined)?.step ?? 0;
      if (step === 2) return "done";
      await context.agent!.suspend({ after: step });
      return undefined;
    },
  });
  const first = await runTool(wizard, { input: {} });
  const second = await first.resume("suspend", { step: 1 });
  expect(second).toBeSuspendedOn("suspend", { after: 1 });
  expect(await second.resume("suspend", { step: 2 })).toHaveOutput("done");
});

test("the wire value is the input: Mastra parses for itself", async () => {
  const add = createTool({
    id: "add",
    description: "adds",
    inputSchema: z.object({ a: z.string().transform(Number) }),
    execute: async ({ a }) => ({ a }),
  });
  expect(await runTool(add, { input: { a: "2" } })).toHaveOutput({ a: 2 });
  expect(await runTool(add, { rawInput: '{"a":"2"}' })).toHaveOutput({ a: 2 });
  expect(await runTool(add, { rawInput: { a: {} } })).toHaveFailedWith({
    code: "invalid_input",
    message: /Tool input validation failed for add.*\n- a: /,
  });
});

test("an output that breaks its schema threw", async () => {
  const wrong = createTool({
    id: "wrong",
    description: "wrong",
    inputSchema: z.object({}),
    outputSchema: z.object({ n: z.number() }),
    execute: async () => ({ n: "x" }) as never,
  });
  expect(await runTool(wrong, { input: {} })).toHaveThrown(/Tool output validation failed for wrong/);
});

test("approval is asked for before the tool starts", async () => {
  const execute = vi.fn(async () => "gone");
  const remove = createTool({
    id: "remove",
    description: "r",
    inputSchema: z.object({}),
    requireApproval: true,
    execute,
  });
  const waiting = await runTool(remove, { input: {} });
  expect(waiting).toBeSuspendedOn("approval");
  expect([waiting.attempts, execute.mock.calls.length]).toEqual([0, 0]);
  expect(await waiting.resume("approval", { approved: true })).toHaveOutput("gone");
  expect(await waiting.resume("approval", { approved: false })).toHaveFailedWith({ code: "denied" });
});

test("the context reaches the tool as its request context, the signal and the ids as an agent gives them", async () => {
  const who = createTool({
    id: "who",
    description: "who",
    inputSchema: z.object({}),
    execute: async (_input, { requestContext, abortSignal, agent, writer }) => {
      await writer?.write({ percent: 50 });
      await writer?.custom({ type: "data-note", data: "half" });
      return {
        user: requestContext?.get("user"),
        aborted: abortSignal?.aborted,
        ids: [agent?.agentId, agent?.threadId],
      };
    },
  });
  const output = { user: "Ann", aborted: false, ids: ["a1", "t1"] };
  const options = { input: {}, agentId: "a1", threadId: "t1" };
  const plain = await runTool(who, { ...options, context: { user: "Ann" } });
  expect(plain).toHaveOutput(output);
  expect(plain).toHaveWritten("writer", { percent: 50 });
  expect(plain).toHaveWritten("data-note", "half");
  expect(await runTool(who, { ...options, context: new RequestContext([["user", "Ann"]]) })).toHaveOutput(output);
});

test("a throw is a throw, and an abort cancels", async () => {
  const broken = createTool({
    id: "broken",
    description: "b",
    inputSchema: z.object({}),
    execute: async () => {
      throw new RangeError("off");
    },
  });
  expect(await runTool(broken, { input: {} })).toHaveThrown(RangeError);
  const hangs = createTool({
    id: "h",
    description: "h",
    inputSchema: z.object({}),
    execute: () => new Promise(() => {}),
  });
  const controller = new AbortController();
  const pending = runTool(hangs, { input: {}, signal: controller.signal });
  controller.abort();
  expect(await pending).toBeCancelled();
});
