import { stripVTControlCharacters } from "node:util";
import { expect, test, vi } from "vitest";
import { z } from "zod";
import { defineTool, runTool, type Suspensions } from "../../src/index.js";
import { rejectionOf } from "../support/rejection.js";

const anything = z.object({});

const publishPost = defineTool({
  name: "publish_post",
  inputSchema: z.object({ draftId: z.string() }),
  contextSchema: z.object({ publish: z.custom<(id: string, by: string) => void>() }),
  suspends: {
    approve: {
      inputSchema: z.object({ draftId: z.string() }),
      payloadSchema: z.object({ approved: z.boolean(), by: z.string().default("someone") }),
    },
  },
  async execute({ draftId }, ctx) {
    ctx.data.write("attempt", ctx.attempt);
    const { approved, by } = await ctx.suspend("approve", { draftId });
    if (!approved) return ctx.fail(`Denied by ${by}.`);
    ctx.context.publish(draftId, by);
    return { published: true };
  },
});
const start = (publish: (id: string, by: string) => void = () => {}) =>
  runTool(publishPost, { input: { draftId: "draft_1" }, context: { publish } });

/** Asks for each name in turn, and returns the answers. What it asks for may differ from attempt to attempt. */
const asker = (...attempts: string[][]) =>
  defineTool({
    name: "asker",
    inputSchema: anything,
    suspends: { first: {}, second: {}, third: {} } as Suspensions,
    async execute(_input, ctx) {
      const answers = [];
      const names = attempts[Math.min(ctx.attempt, attempts.length) - 1]!;
      for (const name of names) answers.push(await ctx.suspend(name as "first"));
      return answers;
    },
  });

const plain = (error: unknown) => stripVTControlCharacters((error as Error).message);

test("a resumed tool runs again from the start and gets the parsed payload", async () => {
  const publish = vi.fn();
  const waiting = await start(publish);
  expect(waiting.expectSuspended()).toEqual({ name: "approve", input: { draftId: "draft_1" } });
  expect(publish).not.toHaveBeenCalled();
  const done = await waiting.resume("approve", { approved: true });
  expect(done.expectOutput()).toEqual({ published: true });
  expect(publish).toHaveBeenCalledExactlyOnceWith("draft_1", "someone");
});

test("approve and deny branch from one handle, which never changes", async () => {
  const waiting = await start();
  const denied = await waiting.resume("approve", { approved: false, by: "Ann" });
  const approved = await waiting.resume("approve", { approved: true });
  expect(denied.expectFailed().message).toBe("Denied by Ann.");
  expect(approved.expectOutput()).toEqual({ published: true });
  expect([waiting.status, waiting.attempts, waiting.suspendHistory, waiting.dataWrites]).toEqual([
    "suspended",
    1,
    [{ name: "approve", input: { draftId: "draft_1" } }],
    [{ name: "attempt", value: 1 }],
  ]);
});

test("attempts, writes and the history of suspensions run on, per branch", async () => {
  const waiting = await start();
  const denied = await waiting.resume("approve", { approved: false, by: "Ann" });
  const approved = await waiting.resume("approve", { approved: true });
  for (const branch of [denied, approved]) {
    expect(branch.attempts).toBe(2);
    expect(branch.dataWrites).toEqual([
      { name: "attempt", value: 1 },
      { name: "attempt", value: 2 },
    ]);
    expect(branch.data).toEqual({ attempt: 2 });
  }
  expect(denied.suspendHistory).toEqual([
    { name: "approve", input: { draftId: "draft_1" }, payload: { approved: false, by: "Ann" } },
  ]);
  expect(approved.suspendHistory[0]!.payload).toEqual({ approved: true });
});

test("earlier suspensions are answered in call order", async () => {
  const tool = asker(["first", "second", "third"]);
  let run = await runTool(tool, { input: {} });
  run = await run.resume("first", 1);
  expect(run.expectSuspended().name).toBe("second");
  run = await run.resume("second", 2);
  run = await run.resume("third", 3);
  expect(run.expectOutput()).toEqual([1, 2, 3]);
  expect(run.attempts).toBe(4);
});

test("the same suspension may be asked for twice", async () => {
  const tool = asker(["first", "first"]);
  const once = await (await runTool(tool, { input: {} })).resume("first", 1);
  expect(once.expectSuspended().name).toBe("first");
  expect((await once.resume("first", 2)).expectOutput()).toEqual([1, 2]);
});

test("a resumed tool that asks in another order threw, with both orders", async () => {
  const waiting = await runTool(asker(["first"], ["second"]), { input: {} });
  const threw = await waiting.resume("first", 1);
  expect(plain(threw.expectThrew())).toMatchInlineSnapshot(`
    "[vitest-tool-loop] The resumed tool asked for other suspensions than it had before; each must be asked again, in the same order. Answered before, and asked this time:

    - Answered
    + Asked again

      Array [
    -   "first",
    +   "second",
      ]"
  `);
});

test("a resumed tool that does not ask again threw, for an approval could be skipped so", async () => {
  const waiting = await runTool(asker(["first"], []), { input: {} });
  const threw = await waiting.resume("first", 1);
  expect(plain(threw.expectThrew())).toMatchInlineSnapshot(`
    "[vitest-tool-loop] The resumed tool returned without asking again for ["first"]: an approval could be skipped so. A resumed tool runs from the start and must ask again. Answered before, and asked this time:

    - Answered
    + Asked again

    - Array [
    -   "first",
    - ]
    + Array []"
  `);
});

test("a resumed tool that fails or throws before asking again did just that", async () => {
  const tool = defineTool({
    name: "moody",
    inputSchema: z.object({ fails: z.boolean() }),
    suspends: { go: {} },
    async execute({ fails }, ctx) {
      if (ctx.attempt === 1) await ctx.suspend("go");
      if (fails) ctx.fail("Too late.");
      throw new Error("broken");
    },
  });
  const failed = await (await runTool(tool, { input: { fails: true } })).resume("go", 1);
  expect(failed.expectFailed().message).toBe("Too late.");
  const threw = await (await runTool(tool, { input: { fails: false } })).resume("go", 1);
  expect(threw.expectThrew()).toMatchObject({ message: "broken" });
});

test("a tool that catches its suspension is suspended all the same", async () => {
  const after = (end: () => unknown) =>
    defineTool({
      name: "greedy",
      inputSchema: anything,
      suspends: { approve: {} },
      async execute(_input, ctx) {
        try {
          await ctx.suspend("approve");
        } catch {
          return end();
        }
      },
    });
  const returned = await runTool(
    after(() => "done"),
    { input: {} },
  );
  expect(returned.expectSuspended().name).toBe("approve");
  const threw = await runTool(
    after(() => {
      throw new Error("lost");
    }),
    { input: {} },
  );
  expect(threw.expectSuspended().name).toBe("approve");
});

test("a suspension that is not awaited suspends, and leaves no unhandled rejection", async () => {
  const tool = defineTool({
    name: "forgetful",
    inputSchema: anything,
    suspends: { approve: {} },
    execute(_input, ctx) {
      void ctx.suspend("approve");
      return "published";
    },
  });
  expect((await runTool(tool, { input: {} })).expectSuspended().name).toBe("approve");
});

test.each(["first", "second"])(
  "of concurrent suspensions the first wins, also when the %s is slow to check",
  async (slow) => {
    const slowly = z.unknown().refine(async () => new Promise((resolve) => setImmediate(() => resolve(true))));
    const tool = defineTool({
      name: "both",
      inputSchema: anything,
      suspends: { first: {}, second: {}, [slow]: { inputSchema: slowly } } as Suspensions,
      execute: (_input, ctx) => Promise.all([ctx.suspend("first", 1), ctx.suspend("second", 2)]),
    });
    const first = await runTool(tool, { input: {} });
    expect(first.expectSuspended()).toEqual({ name: "first", input: 1 });
    const second = await first.resume("first", "a");
    expect(second.expectSuspended().name).toBe("second");
    expect((await second.resume("second", "b")).expectOutput()).toEqual(["a", "b"]);
  },
);

test("a tool that catches its own mistake with a suspension threw all the same", async () => {
  const tool = defineTool({
    name: "hushed",
    inputSchema: anything,
    suspends: { first: {}, second: {} },
    async execute(_input, ctx) {
      return ctx.suspend(ctx.attempt === 1 ? "first" : "second").catch(() => "went on");
    },
  });
  const waiting = await runTool(tool, { input: {} });
  expect((await waiting.resume("first", 1)).expectThrew()).toMatchObject({ code: "tool_contract" });
});

test("an undeclared suspension threw, and so did an input its schema does not allow", async () => {
  const undeclared = asker(["fourth"]);
  expect(plain((await runTool(undeclared, { input: {} })).expectThrew())).toMatchInlineSnapshot(
    `"[vitest-tool-loop] The tool asker suspended on a name it does not declare: expected one of first, second, third, found "fourth". Add suspends: { fourth: {} } to its definition."`,
  );
  const none = defineTool({
    name: "bare",
    inputSchema: anything,
    execute: (_input, ctx) => (ctx.suspend as (name: string) => unknown)("approve"),
  });
  expect(plain((await runTool(none, { input: {} })).expectThrew())).toMatchInlineSnapshot(
    `"[vitest-tool-loop] The tool bare suspended on a name it does not declare: expected none, for it declares no suspends, found "approve". Add suspends: { approve: {} } to its definition."`,
  );
  const badInput = defineTool({
    name: "sloppy",
    inputSchema: anything,
    suspends: { approve: { inputSchema: z.object({ title: z.string() }) } },
    execute: (_input, ctx) => ctx.suspend("approve", { title: 1 } as never),
  });
  expect(plain((await runTool(badInput, { input: {} })).expectThrew())).toMatchInlineSnapshot(
    `"[vitest-tool-loop] The tool sloppy suspended on approve with an input its inputSchema does not allow: title: Invalid input: expected string, received number."`,
  );
});

test("a wrong name, a wrong payload and a run that is not waiting are refused without an attempt", async () => {
  const publish = vi.fn();
  const waiting = await start(publish);
  expect(plain(await rejectionOf(waiting.resume("aprove" as "approve", { approved: true })))).toMatchInlineSnapshot(
    `"[vitest-tool-loop] The run of publish_post cannot be resumed: it waits on "approve", found "aprove". Use resume("approve", …)."`,
  );
  expect(plain(await rejectionOf(waiting.resume("approve", { approved: "yes" } as never)))).toMatchInlineSnapshot(
    `"[vitest-tool-loop] The run of publish_post cannot be resumed: its payloadSchema for approve does not allow {"approved":"yes"}: approved: Invalid input: expected boolean, received string. Pass what whoever answers would send."`,
  );
  const done = await waiting.resume("approve", { approved: true });
  expect(plain(await rejectionOf(done.resume("approve", { approved: true })))).toMatchInlineSnapshot(
    `"[vitest-tool-loop] The run of publish_post cannot be resumed with "approve": it is not waiting. publish_post returned {"published":true}."`,
  );
  expect(done.attempts).toBe(2);
  expect(publish).toHaveBeenCalledTimes(1);
});

test("a payload is copied: what the tool or the test does to it changes no other branch", async () => {
  const tool = defineTool({
    name: "list",
    inputSchema: anything,
    suspends: { pick: { payloadSchema: z.array(z.string()) }, confirm: {} },
    async execute(_input, ctx) {
      const picked = await ctx.suspend("pick");
      picked.push("added");
      await ctx.suspend("confirm");
      return picked;
    },
  });
  const payload = ["a"];
  const picked = await (await runTool(tool, { input: {} })).resume("pick", payload);
  payload.push("changed outside");
  const done = await picked.resume("confirm", {});
  expect(done.expectOutput()).toEqual(["a", "added"]);
  expect(done.suspendHistory[0]!.payload).toEqual(["a"]);
});
