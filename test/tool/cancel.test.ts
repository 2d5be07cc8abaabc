import { expect, test } from "vitest";
import { z } from "zod";
import { defineTool, runTool } from "../../src/index.js";

const anything = z.object({});

/** A tool whose end the test decides; it never listens to the signal. */
function deaf() {
  let end!: { resolve(value: unknown): void; reject(error: unknown): void };
  const ended = new Promise((resolve, reject) => {
    end = { resolve, reject };
  });
  let write!: (name: string, value: unknown) => void;
  const tool = defineTool({
    name: "deaf",
    inputSchema: anything,
    execute(_input, ctx) {
      write = ctx.data.write;
      return ended;
    },
  });
  return { tool, end, write: (name: string, value: unknown) => write(name, value) };
}

test("a run aborted before the start never starts the tool", async () => {
  const reason = new Error("The user left.");
  const run = await runTool(deaf().tool, { input: {}, signal: AbortSignal.abort(reason) });
  expect(run.expectCancelled()).toBe(reason);
  expect(run.attempts).toBe(0);
});

test("an abort right after the call meets a running tool", async () => {
  const controller = new AbortController();
  const pending = runTool(deaf().tool, { input: {}, signal: controller.signal });
  controller.abort();
  const run = await pending;
  expect(run.expectCancelled()).toMatchObject({ name: "AbortError" });
  expect(run.attempts).toBe(1);
});

test("an abort does not wait for a tool that never ends", async () => {
  const controller = new AbortController();
  const never = defineTool({ name: "never", inputSchema: anything, execute: () => new Promise(() => {}) });
  const pending = runTool(never, { input: {}, signal: controller.signal });
  controller.abort("enough");
  expect((await pending).expectCancelled()).toBe("enough");
});

test.each([
  ["an output", (end: ReturnType<typeof deaf>["end"]) => end.resolve("late")],
  ["a throw", (end: ReturnType<typeof deaf>["end"]) => end.reject(new Error("late"))],
])("an abort beats %s that comes after it", async (_what, finish) => {
  const { tool, end } = deaf();
  const controller = new AbortController();
  const pending = runTool(tool, { input: {}, signal: controller.signal });
  controller.abort();
  finish(end);
  expect((await pending).status).toBe("cancelled");
});

test("an abort beats the failure and the suspension the tool answers it with", async () => {
  const controller = new AbortController();
  const polite = defineTool({
    name: "polite",
    inputSchema: z.object({ how: z.enum(["fail", "suspend", "return"]) }),
    suspends: { later: {} },
    async execute({ how }, ctx) {
      await new Promise((resolve) => ctx.signal.addEventListener("abort", resolve));
      if (how === "fail") return ctx.fail("Stopped.");
      if (how === "suspend") return ctx.suspend("later");
      return "stopped";
    },
  });
  const pending = (["fail", "suspend", "return"] as const).map((how) =>
    runTool(polite, { input: { how }, signal: controller.signal }),
  );
  controller.abort();
  expect((await Promise.all(pending)).map((run) => run.status)).toEqual(["cancelled", "cancelled", "cancelled"]);
});

test("an abort by the tool itself beats what it returns", async () => {
  const controller = new AbortController();
  const tool = defineTool({
    name: "self",
    inputSchema: anything,
    execute() {
      controller.abort();
      return "done";
    },
  });
  expect((await runTool(tool, { input: {}, signal: controller.signal })).status).toBe("cancelled");
});

test("an output that comes before the abort stands", async () => {
  const { tool, end } = deaf();
  const controller = new AbortController();
  const pending = runTool(tool, { input: {}, signal: controller.signal });
  end.resolve("in time");
  const run = await pending;
  controller.abort();
  expect(run.expectOutput()).toBe("in time");
});

test("writes after the abort are dropped, in a listener of the abort too", async () => {
  const controller = new AbortController();
  const tool = defineTool({
    name: "chatty",
    inputSchema: anything,
    execute(_input, ctx) {
      ctx.data.write("before", 1);
      ctx.signal.addEventListener("abort", () => ctx.data.write("during", 2));
      return new Promise(() => {});
    },
  });
  const pending = runTool(tool, { input: {}, signal: controller.signal });
  controller.abort();
  expect((await pending).dataWrites).toEqual([{ name: "before", value: 1 }]);
});

test("writes after the end are dropped", async () => {
  const { tool, end, write } = deaf();
  const pending = runTool(tool, { input: {} });
  write("early", 1);
  end.resolve("done");
  const run = await pending;
  write("late", 2);
  expect(run.dataWrites).toEqual([{ name: "early", value: 1 }]);
});

test("the tool's own AbortError without an abort is a throw", async () => {
  const tool = defineTool({
    name: "own",
    inputSchema: anything,
    execute() {
      throw new DOMException("own timeout", "AbortError");
    },
  });
  const run = await runTool(tool, { input: {}, signal: new AbortController().signal });
  expect(run.expectThrew()).toMatchObject({ name: "AbortError", message: "own timeout" });
});

const waits = defineTool({
  name: "waits",
  inputSchema: anything,
  suspends: { approve: {} },
  execute: (_input, ctx) => ctx.suspend("approve"),
});

test("a run resumed after its abort is cancelled without an attempt", async () => {
  const controller = new AbortController();
  const waiting = await runTool(waits, { input: {}, signal: controller.signal });
  controller.abort("gone");
  expect(waiting.status).toBe("suspended");
  const resumed = await waiting.resume("approve", true);
  expect([resumed.expectCancelled(), resumed.attempts]).toEqual(["gone", 1]);
});

test("a resumed run may have a signal of its own", async () => {
  const first = new AbortController();
  const waiting = await runTool(waits, { input: {}, signal: first.signal });
  first.abort();
  const signal = new AbortController().signal;
  expect((await waiting.resume("approve", true, { signal })).expectOutput()).toBe(true);
  expect((await waiting.resume("approve", true, { signal: AbortSignal.abort("no") })).expectCancelled()).toBe("no");
});
