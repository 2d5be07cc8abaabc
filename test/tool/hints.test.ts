import { expect, test, vi } from "vitest";
import { z } from "zod";
import { defineTool, type RunToolHandle, runTool } from "../../src/index.js";
import { failureOf } from "../support/failure.js";
import { rejectionOf } from "../support/rejection.js";
import { withoutFrames } from "../support/runs.js";

// biome-ignore lint/suspicious/noExplicitAny: what a test in JavaScript may write.
type Anything = any;

function tool(execute: (input: Anything, ctx: Anything) => unknown) {
  return defineTool({ name: "book", inputSchema: z.object({ id: z.string() }), execute });
}

/** The report of a run, from what the tool did. */
function said(run: RunToolHandle<Anything, Anything>): string {
  return withoutFrames(failureOf(run.expectOutput)).split("\n").slice(1, -10).join("\n");
}

test("a member that ctx does not have is told beside what it has", async () => {
  const run = await runTool(
    tool((_input, ctx) => ctx.failed("No.")),
    { input: { id: "a" } },
  );
  expect(run.expectThrew()).toEqual(new TypeError("ctx.failed is not a function"));
  expect(said(run)).toMatchInlineSnapshot(`
    "book threw TypeError: ctx.failed is not a function
        at …
    Hint: ctx has no failed: expected one of context, signal, threadId, agentId, attempt, fail, suspend, data, agents, tools. What the host supplies is declared under capabilities; what the test passes as context is ctx.context."
  `);
});

test("a member that is in ctx.context is told to be there", async () => {
  const run = await runTool(
    tool((_input, { ledger }) => ledger.find("a")),
    { input: { id: "a" }, context: { ledger: {} } } as Anything,
  );
  expect(said(run)).toMatchInlineSnapshot(`
    "book threw TypeError: Cannot read properties of undefined (reading 'find')
        at …
    Hint: ctx has no ledger; its context has. Use ctx.context.ledger."
  `);
});

test("asking for a member is no mistake, and the context stays a plain object", async () => {
  const execute = vi.fn((_input: unknown, ctx: Anything) => {
    ctx.logger?.info("hi");
    const copy = { ...ctx };
    return [Object.keys(copy).length, "logger" in ctx, ctx instanceof Object, String(ctx), ctx.attempt];
  });
  const run = await runTool(tool(execute), { input: { id: "a" } });
  expect(run.expectOutput()).toEqual([10, false, true, "[object Object]", 1]);
  expect(execute.mock.calls[0]![1]).toEqual({ ...execute.mock.calls[0]![1] });

  const own = await runTool(
    tool((_input, ctx) => {
      ctx.logger?.info("hi");
      throw new TypeError("own");
    }),
    { input: { id: "a" } },
  );
  expect(said(own)).not.toContain("Hint");
});

test("an input that the tool's own schema would have refused is blamed for what the tool made of it", async () => {
  const run = await runTool(
    tool(({ id }) => id.trim()),
    { input: { ID: "a" } } as Anything,
  );
  expect(said(run)).toMatchInlineSnapshot(`
    "book threw TypeError: Cannot read properties of undefined (reading 'trim')
        at …
    Hint: The input of the run, {"ID":"a"}, breaks the inputSchema of book: id: Invalid input: expected string, received undefined. Pass what the schema would make of a model's arguments, or the arguments as rawInput."
  `);
  const right = await runTool(
    tool(({ id }) => id.trim().missing.other),
    { input: { id: "a" } },
  );
  expect(said(right)).not.toContain("Hint");
});

test("a suspension that an input of the wrong type breaks blames the input", async () => {
  const asking = defineTool({
    name: "cancel_order",
    inputSchema: z.object({ id: z.string() }),
    suspends: { approve: { inputSchema: z.object({ id: z.string() }) } },
    execute: ({ id }, ctx) => ctx.suspend("approve", { id: id.length > 0 ? id : (7 as never) }),
  });
  const blamed = await runTool(asking, { input: { id: ["o_1"] as never } });
  expect(blamed.expectThrew()).toMatchInlineSnapshot(
    `[ToolContractError: [vitest-tool-loop] The tool cancel_order suspended on approve with an input its inputSchema does not allow: id: Invalid input: expected string, received array. The input of the run, {"id":["o_1"]}, breaks the inputSchema of cancel_order: id: Invalid input: expected string, received array. Pass what the schema would make of a model's arguments, or the arguments as rawInput.]`,
  );
  const own = await runTool(asking, { input: { id: "" } });
  expect(own.expectThrew()).toMatchInlineSnapshot(
    `[ToolContractError: [vitest-tool-loop] The tool cancel_order suspended on approve with an input its inputSchema does not allow: id: Invalid input: expected string, received number.]`,
  );
});

test.each<[string, unknown, string]>([
  [
    "a function",
    () => 1,
    "A function becomes one: defineTool({ name, inputSchema, execute: (input) => yourFunction(input) }).",
  ],
  [
    "a tool made by hand",
    { name: "search", handler: () => 1 },
    "It becomes one: defineTool({ name, inputSchema, execute: (input) => yourTool.handler(input) }).",
  ],
  ["a promise", Promise.resolve(tool(() => 1)), "Await it first."],
  [
    "what a model is shown",
    { type: "function", function: { name: "search" } },
    "This is what a model is shown of a tool. Pass the tool itself, with the function that does it.",
  ],
  ["a map of tools", { search: tool(() => 1) }, "It holds tools: pass one of them, as in runTool(tools.search, …)."],
  ["a name", { name: "search" }, "It has no function that does anything."],
])("%s is no tool, and what to do is said", async (_, value, advice) => {
  const { message } = await rejectionOf(runTool(value as never, { input: {} } as never));
  expect(message).toMatch(
    /^\[vitest-tool-loop\] runTool\(\) needs a tool: expected one made by defineTool\(\) or by .+, found /,
  );
  expect(message.endsWith(`. ${advice}`)).toBe(true);
});
