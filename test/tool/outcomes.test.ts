import { stripVTControlCharacters } from "node:util";
import { expect, test } from "vitest";
import { z } from "zod";
import { defineTool, type RunToolHandle, runTool } from "../../src/index.js";
import { rejectionOf, thrownBy } from "../support/rejection.js";

class DatabaseDownError extends Error {
  override readonly name = "DatabaseDownError";
}

interface Records {
  get(id: string): { id: string } | undefined;
}

const getRecord = defineTool({
  name: "get_record",
  inputSchema: z.object({ id: z.string() }),
  contextSchema: z.object({ records: z.custom<Records>() }),
  async execute({ id }, ctx) {
    return ctx.context.records.get(id) ?? ctx.fail(`No record ${id}.`);
  },
});
const records: Records = { get: (id) => (id === "a" ? { id } : undefined) };
const explodingRecords: Records = {
  get() {
    throw new DatabaseDownError("The database is down.");
  },
};

const anything = z.object({});
const wait = defineTool({
  name: "publish",
  inputSchema: anything,
  suspends: { approve: { inputSchema: z.object({ title: z.string() }) } },
  execute: (_input, ctx) => ctx.suspend("approve", { title: "Hello" }),
});

/** One run of each outcome. */
async function everyOutcome(): Promise<Record<RunToolHandle["status"], RunToolHandle>> {
  return {
    completed: await runTool(getRecord, { input: { id: "a" }, context: { records } }),
    suspended: await runTool(wait, { input: {} }),
    failed: await runTool(getRecord, { input: { id: "missing" }, context: { records } }),
    threw: await runTool(getRecord, { input: { id: "a" }, context: { records: explodingRecords } }),
    cancelled: await runTool(getRecord, { input: { id: "a" }, context: { records }, signal: AbortSignal.abort() }),
  };
}

const CHECKS = {
  completed: "expectOutput",
  suspended: "expectSuspended",
  failed: "expectFailed",
  threw: "expectThrew",
  cancelled: "expectCancelled",
} as const;

/** A message without colours, and with stack frames reduced to the fact that they are there. */
function plain(message: string): string {
  return stripVTControlCharacters(message).replace(/(\n\s+at .*)+/g, "\n    at …");
}

test("each outcome is told by its status and its own check", async () => {
  const runs = await everyOutcome();
  expect(runs.completed.expectOutput()).toEqual({ id: "a" });
  expect(runs.suspended.expectSuspended()).toEqual({ name: "approve", input: { title: "Hello" } });
  expect(runs.failed.expectFailed()).toStrictEqual({ code: "tool_failed", message: "No record missing." });
  expect(runs.threw.expectThrew()).toBeInstanceOf(DatabaseDownError);
  expect(runs.cancelled.expectCancelled()).toMatchObject({ name: "AbortError" });
  expect(Object.entries(runs).map(([status, run]) => [status, run.status])).toEqual(
    Object.keys(CHECKS).map((status) => [status, status]),
  );
});

test("each status has its own field", async () => {
  const runs = await everyOutcome();
  expect(runs.completed).toMatchObject({ output: { id: "a" } });
  expect(runs.suspended).toMatchObject({ suspend: { name: "approve", input: { title: "Hello" } } });
  expect(runs.failed).toMatchObject({ error: { code: "tool_failed" } });
  expect(runs.threw).toMatchObject({ error: { name: "DatabaseDownError" } });
  expect(runs.cancelled).toMatchObject({ error: { name: "AbortError" } });
  expect(runs.completed).not.toHaveProperty("error");
  expect(runs.suspended).not.toHaveProperty("output");
});

test("every check throws on every other outcome and says what the tool did instead", async () => {
  const runs = await everyOutcome();
  for (const expected of Object.keys(CHECKS) as (keyof typeof CHECKS)[]) {
    for (const [status, run] of Object.entries(runs)) {
      if (status === expected) continue;
      const error = thrownBy(() => run[CHECKS[expected]]());
      expect(error).toMatchObject({ name: "OutcomeError", code: "outcome" });
      expect(error.message).toContain(`expected status "${expected}", found "${status}"`);
      expect(error.message).toContain(CHECKS[status as keyof typeof CHECKS]);
      expect(error.stack).not.toContain("src/tool/handle.ts");
    }
  }
});

test("the message of a check that does not hold shows the output", async () => {
  const { completed } = await everyOutcome();
  expect(plain(thrownBy(completed.expectFailed).message)).toMatchInlineSnapshot(`
    "[vitest-tool-loop] get_record did not fail on purpose: expected status "failed", found "completed".
    get_record returned {"id":"a"}.
    Correct the tool, or expect this with expectOutput().

    - Expected
    + Received

      Object {
    -   "status": "failed",
    +   "output": Object {
    +     "id": "a",
    +   },
    +   "status": "completed",
      }"
  `);
});

test("the message of a check that does not hold shows what the run waits on", async () => {
  const { suspended } = await everyOutcome();
  expect(plain(thrownBy(suspended.expectOutput).message)).toMatchInlineSnapshot(`
    "[vitest-tool-loop] publish did not return: expected status "completed", found "suspended".
    publish is waiting on "approve", asked with {"title":"Hello"}.
    Correct the tool, or expect this with expectSuspended().

    - Expected
    + Received

      Object {
    -   "status": "completed",
    +   "status": "suspended",
    +   "suspend": Object {
    +     "input": Object {
    +       "title": "Hello",
    +     },
    +     "name": "approve",
    +   },
      }"
  `);
});

test("the message of a check that does not hold shows the failure", async () => {
  const { failed } = await everyOutcome();
  expect(plain(thrownBy(failed.expectThrew).message)).toMatchInlineSnapshot(`
    "[vitest-tool-loop] get_record did not throw: expected status "threw", found "failed".
    get_record failed on purpose, with code tool_failed: "No record missing."
    Correct the tool, or expect this with expectFailed().

    - Expected
    + Received

      Object {
    -   "status": "threw",
    +   "error": Object {
    +     "code": "tool_failed",
    +     "message": "No record missing.",
    +   },
    +   "status": "failed",
      }"
  `);
});

test("the message of a check that does not hold shows the stack of what was thrown, which is also its cause", async () => {
  const { threw } = await everyOutcome();
  const error = thrownBy(threw.expectOutput);
  expect(error.cause).toBe(threw.expectThrew());
  expect(error.message).toContain("outcomes.test.ts");
  expect(plain(error.message)).toMatchInlineSnapshot(`
    "[vitest-tool-loop] get_record did not return: expected status "completed", found "threw".
    get_record threw DatabaseDownError: The database is down.
        at …
    Correct the tool, or expect this with expectThrew().

    - Expected
    + Received

      Object {
    -   "status": "completed",
    +   "error": [DatabaseDownError: The database is down.],
    +   "status": "threw",
      }"
  `);
});

test("the message of a check that does not hold shows why the run was cancelled", async () => {
  const { cancelled } = await everyOutcome();
  expect(plain(thrownBy(cancelled.expectSuspended).message)).toMatchInlineSnapshot(`
    "[vitest-tool-loop] get_record is not waiting: expected status "suspended", found "cancelled".
    get_record was cancelled: AbortError: This operation was aborted.
    Correct the tool, or expect this with expectCancelled().

    - Expected
    + Received

      Object {
    -   "status": "suspended",
    +   "error": [AbortError: This operation was aborted],
    +   "status": "cancelled",
      }"
  `);
});

test("a check may be taken off the handle", async () => {
  const { expectOutput } = await runTool(getRecord, { input: { id: "a" }, context: { records } });
  expect(expectOutput()).toEqual({ id: "a" });
});

test("a failure carries its own code and whether to retry only when the tool says so", async () => {
  const busy = defineTool({
    name: "busy",
    inputSchema: anything,
    execute: (_input, ctx) => ctx.fail({ message: "Busy.", code: "rate_limited", retryable: true }),
  });
  const failed = await runTool(busy, { input: {} });
  expect(failed.expectFailed()).toStrictEqual({ code: "rate_limited", message: "Busy.", retryable: true });
});

test("a failure rethrown is failed, wrapped it threw, handled it is what the tool does", async () => {
  const outcomeOf = async (handle: (error: unknown) => unknown) => {
    const tool = defineTool({
      name: "careful",
      inputSchema: anything,
      execute(_input, ctx) {
        try {
          return ctx.fail({ message: "No.", code: "nope" });
        } catch (error) {
          return handle(error);
        }
      },
    });
    return runTool(tool, { input: {} });
  };
  const rethrown = await outcomeOf((error) => {
    throw error;
  });
  expect(rethrown.expectFailed()).toEqual({ code: "nope", message: "No." });
  const wrapped = await outcomeOf((cause) => {
    throw new Error("wrapped", { cause });
  });
  expect(wrapped.expectThrew()).toMatchObject({ message: "wrapped", cause: { code: "nope" } });
  const handled = await outcomeOf((error) => (error as { code: string }).code);
  expect(handled.expectOutput()).toBe("nope");
});

test("fail without a message is a mistake of the tool, in a sentence", async () => {
  const tool = defineTool({
    name: "mute",
    inputSchema: anything,
    execute: (_input, ctx) => ctx.fail(undefined as unknown as string),
  });
  expect((await runTool(tool, { input: {} })).expectThrew()).toMatchInlineSnapshot(
    `[UsageError: [vitest-tool-loop] ctx.fail() needs a message: expected a text or { message, code?, retryable? }, found undefined.]`,
  );
});

test("whatever is thrown is kept as it is", async () => {
  const tool = defineTool({
    name: "odd",
    inputSchema: anything,
    execute() {
      throw "just a text";
    },
  });
  const threw = await runTool(tool, { input: {} });
  expect(threw.expectThrew()).toBe("just a text");
  expect(plain(thrownBy(threw.expectOutput).message)).toContain('odd threw "just a text", which is no Error.');
});

test("a tool that throws before its first await threw, and does not reject", async () => {
  const tool = defineTool({
    name: "hasty",
    inputSchema: anything,
    execute(): string {
      throw new DatabaseDownError("at once");
    },
  });
  expect((await runTool(tool, { input: {} })).expectThrew()).toBeInstanceOf(DatabaseDownError);
});

test("input reaches each attempt as its own copy, context as itself", async () => {
  const input = { tags: ["a"], when: new Date(0), at: new URL("https://a.invalid") };
  const context = { seen: [] as unknown[] };
  const tool = defineTool({
    name: "mutator",
    inputSchema: z.object({ tags: z.array(z.string()), when: z.date(), at: z.instanceof(URL) }),
    contextSchema: z.object({ seen: z.array(z.unknown()) }),
    suspends: { go: {} },
    async execute(input, ctx) {
      ctx.context.seen.push(structuredClone(input.tags));
      expect(ctx.context).toBe(context);
      expect(input.when).toEqual(new Date(0));
      expect(input.at).toBeInstanceOf(URL);
      input.tags.push("changed");
      await ctx.suspend("go");
      return input.tags;
    },
  });
  const waiting = await runTool(tool, { input, context });
  input.tags.push("changed outside");
  const done = await waiting.resume("go", {});
  expect(done.expectOutput()).toEqual(["a", "changed"]);
  expect(context.seen).toEqual([["a"], ["a"]]);
});

test("thread and agent ids and the attempt reach the tool", async () => {
  const tool = defineTool({
    name: "ids",
    inputSchema: anything,
    execute: (_input, { threadId, agentId, attempt }) => ({ threadId, agentId, attempt }),
  });
  const run = await runTool(tool, { input: {}, threadId: "thread_1", agentId: "agent_1" });
  expect(run.expectOutput()).toEqual({ threadId: "thread_1", agentId: "agent_1", attempt: 1 });
  expect((await runTool(tool, { input: {} })).expectOutput()).toEqual({ attempt: 1 });
});

test("output goes through its schema", async () => {
  const tool = (count: unknown) =>
    defineTool({
      name: "count",
      inputSchema: anything,
      outputSchema: z.object({ count: z.number() }),
      execute: () => ({ count, secret: 1 }) as never,
    });
  expect((await runTool(tool(3), { input: {} })).expectOutput()).toStrictEqual({ count: 3 });
  const broken = await runTool(tool("three"), { input: {} });
  expect(broken.expectThrew()).toMatchInlineSnapshot(
    `[ToolContractError: [vitest-tool-loop] The tool count returned what its outputSchema does not allow: count: Invalid input: expected number, received string. Return what the schema says, or correct the schema.]`,
  );
});

test("an output that contains itself threw, in a sentence that names the tool", async () => {
  const tool = defineTool({
    name: "tree",
    inputSchema: anything,
    execute() {
      const node: Record<string, unknown> = { name: "root" };
      node.parent = node;
      return node;
    },
  });
  expect((await runTool(tool, { input: {} })).expectThrew()).toMatchInlineSnapshot(
    `[ToolContractError: [vitest-tool-loop] The tool tree returned a value that no model can be sent: expected JSON, found a value that contains itself. Return plain data.]`,
  );
});

test("data writes are recorded in order, as they were when written", async () => {
  const tool = defineTool({
    name: "writer",
    inputSchema: anything,
    execute(_input, ctx) {
      const progress = { percent: 10 };
      ctx.data.write("progress", progress);
      progress.percent = 100;
      ctx.data.write("note", "half way");
      ctx.data.write("progress", progress);
      return null;
    },
  });
  const run = await runTool(tool, { input: {} });
  expect(run.dataWrites).toEqual([
    { name: "progress", value: { percent: 10 } },
    { name: "note", value: "half way" },
    { name: "progress", value: { percent: 100 } },
  ]);
  expect(run.data).toEqual({ progress: { percent: 100 }, note: "half way" });
});

test("a tool that fails after writing keeps its writes", async () => {
  const tool = defineTool({
    name: "half",
    inputSchema: anything,
    execute(_input, ctx) {
      ctx.data.write("step", 1);
      return ctx.fail("Stopped.");
    },
  });
  expect((await runTool(tool, { input: {} })).dataWrites).toEqual([{ name: "step", value: 1 }]);
});

test("a call that cannot work rejects with a sentence that names the tool", async () => {
  const call = (options: object) => rejectionOf(runTool(getRecord, options as never)).then((error) => error.message);
  expect(await call({ input: { id: "a" } })).toMatchInlineSnapshot(
    `"[vitest-tool-loop] The tool get_record cannot be run: it declares a contextSchema, but no context was given. Add context: { … }."`,
  );
  expect(await call({ context: { records } })).toMatchInlineSnapshot(
    `"[vitest-tool-loop] The tool get_record cannot be run: expected input or rawInput, found neither. Use runTool(tool, { input: { … } })."`,
  );
  expect(await call({ input: {}, rawInput: {}, context: { records } })).toMatchInlineSnapshot(
    `"[vitest-tool-loop] The tool get_record cannot be run: expected input or rawInput, found both. Keep one."`,
  );
  expect(await call({ input: {}, context: { records }, signal: new AbortController() })).toMatchInlineSnapshot(
    `"[vitest-tool-loop] The tool get_record cannot be run: expected signal to be an AbortSignal, found {}. Pass controller.signal."`,
  );
  expect(await call(undefined as never)).toContain("found neither");
});

test("capabilities reach the tool as themselves, and are required exactly when declared", async () => {
  const { capability } = await import("../../src/index.js");
  const clock = { now: () => 7 };
  const tool = defineTool({
    name: "clocked",
    inputSchema: anything,
    capabilities: { clock: capability<typeof clock>() },
    execute: (_input, ctx) => ctx.clock === clock && ctx.clock.now(),
  });
  expect((await runTool(tool, { input: {}, capabilities: { clock } })).expectOutput()).toBe(7);
  const call = (options: object) => rejectionOf(runTool(tool, options as never)).then((error) => error.message);
  expect(await call({ input: {} })).toMatchInlineSnapshot(
    `"[vitest-tool-loop] The tool clocked cannot be run: it needs the capability clock. Add capabilities: { clock: … }."`,
  );
  expect(await call({ input: {}, capabilities: { clock, extra: 1 } })).toMatchInlineSnapshot(
    `"[vitest-tool-loop] The tool clocked cannot be run: it declares no capability extra: expected clock. Remove what it does not declare."`,
  );
});

test("what is no tool is refused with what was found", async () => {
  const error = await rejectionOf(runTool({ name: "x" } as never, { input: {} } as never));
  expect(error).toMatchObject({ name: "UsageError" });
  expect(error.message).toContain('found {"name":"x"}');
});
