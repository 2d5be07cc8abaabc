import { expect, test, vi } from "vitest";
import { z } from "zod";
import { capability, createTestRuntime, defineTool, runTool, type ToolDefinition } from "../../src/index.js";
import { rejectionOf, thrownBy } from "../support/rejection.js";

interface Docs {
  find(query: string): string[];
}

const search = defineTool({
  name: "search_docs",
  inputSchema: z.object({ query: z.string().trim() }),
  contextSchema: z.object({ docs: z.custom<Docs>((value) => value !== undefined, "docs are missing") }),
  outputSchema: z.object({ hits: z.array(z.string()) }),
  async execute({ query }, ctx) {
    ctx.data.write("searched", query);
    return { hits: ctx.context.docs.find(query) };
  },
});
const docs: Docs = { find: (query) => [`about ${query}`] };

const research = defineTool({
  name: "research",
  inputSchema: z.object({ topic: z.string() }),
  contextSchema: z.object({ docs: z.custom<Docs>() }),
  tools: { search },
  async execute({ topic }, ctx) {
    const { hits } = await ctx.tools.search({ query: ` ${topic} ` });
    return { summary: hits.join() };
  },
});

const input = { topic: "tenancy" };
const anything = z.object({});

test("a nested tool runs for real, through its schemas, with the outer context", async () => {
  const run = await createTestRuntime().runTool(research, { input, context: { docs } });
  expect(run.expectOutput()).toEqual({ summary: "about tenancy" });
  expect(run.toolRuns).toEqual([
    { tool: "search", input: { query: " tenancy " }, output: { hits: ["about tenancy"] } },
  ]);
  expect(run.dataWrites).toEqual([{ name: "searched", value: "tenancy" }]);
});

test("a nested tool is replaced by a function, which gets the parsed input", async () => {
  const double = vi.fn(async (_input: { query: string }) => ({ hits: ["x", "y"] }));
  const run = await createTestRuntime({ tools: { search: double } }).runTool(research, { input, context: { docs } });
  expect(run.expectOutput()).toEqual({ summary: "x,y" });
  expect(double.mock.calls[0]![0]).toEqual({ query: "tenancy" });
});

test("a nested tool is replaced by another tool", async () => {
  const double = defineTool({
    name: "d",
    inputSchema: z.object({ query: z.string() }),
    execute: () => ({ hits: ["d"] }),
  });
  const run = await createTestRuntime({ tools: { search: double } }).runTool(research, { input, context: { docs } });
  expect(run.expectOutput()).toEqual({ summary: "d" });
});

test("a double that breaks the nested tool's outputSchema threw: it would prove nothing", async () => {
  const runtime = createTestRuntime({ tools: { search: async () => ({ hits: "none" }) } });
  const run = await runtime.runTool(research, { input, context: { docs } });
  expect(run.expectThrew()).toMatchObject({ code: "tool_contract" });
});

test("tools are replaced at any depth, and an unknown key is refused", async () => {
  const outer = defineTool({
    name: "outer",
    inputSchema: anything,
    contextSchema: z.object({ docs: z.custom<Docs>() }),
    tools: { research },
    execute: (_input, ctx) => ctx.tools.research({ topic: "deep" }),
  });
  const runtime = createTestRuntime({ tools: { search: () => ({ hits: ["replaced"] }) } });
  const run = await runtime.runTool(outer, { input: {}, context: { docs } });
  expect(run.expectOutput()).toEqual({ summary: "replaced" });
  expect(run.toolRuns.map(({ tool }) => tool)).toEqual(["research", "search"]);
  const unknown = createTestRuntime({ tools: { serach: () => ({ hits: [] }) } });
  expect((await rejectionOf(unknown.runTool(outer, { input: {}, context: { docs } }))).message).toMatchInlineSnapshot(
    `"[vitest-tool-loop] The runtime replaces serach, which outer does not call: expected only research, search. Use the key under which the tool is declared in \`tools\`."`,
  );
  expect((await rejectionOf(unknown.runTool(search, { input: { query: "a" }, context: { docs } }))).message).toContain(
    "it calls no tools",
  );
});

test("without a runtime, a tool that calls tools is refused with the name of what it needs", async () => {
  const error = await rejectionOf(runTool(research, { input, context: { docs } }));
  expect(error.message).toMatchInlineSnapshot(
    `"[vitest-tool-loop] The tool research calls other tools (search), which need a runtime. Run it in one: createTestRuntime({ tools: { … } }).runTool(tool, { … })."`,
  );
});

test("a nested tool that declares another context sees the outer one through its own schema", async () => {
  const outer = (schema: z.ZodType) =>
    defineTool({
      name: "outer",
      inputSchema: anything,
      contextSchema: schema,
      tools: { search },
      execute: (_input, ctx) => ctx.tools.search({ query: "a" }),
    });
  const fits = await createTestRuntime().runTool(outer(z.any()), { input: {}, context: { docs, other: 1 } });
  expect(fits.expectOutput()).toEqual({ hits: ["about a"] });
  const misfit = await createTestRuntime().runTool(outer(z.any()), { input: {}, context: { other: 1 } });
  expect(misfit.expectThrew()).toMatchInlineSnapshot(
    `[ToolContractError: [vitest-tool-loop] The tool search_docs declares a context that the context of outer, which calls it, does not satisfy: docs: docs are missing. Pass a context that satisfies both, or replace search_docs in createTestRuntime({ tools }).]`,
  );
});

test("a context that both tools declare with one schema is not parsed again, nor is that of a function", async () => {
  const shared = z.object({ since: z.string().transform((text) => new Date(text)) });
  const seen: unknown[] = [];
  const reader = (contextSchema: typeof shared) =>
    defineTool({
      name: "reader",
      inputSchema: anything,
      contextSchema,
      execute: (_input, ctx) => seen.push(ctx.context) > 0,
    });
  const outer = (read: ReturnType<typeof reader>) =>
    defineTool({
      name: "outer",
      inputSchema: anything,
      contextSchema: shared,
      tools: { read },
      execute: (_input, ctx) => ctx.tools.read({}),
    });
  const context = { since: new Date(0) };
  const real = await createTestRuntime().runTool(outer(reader(shared)), { input: {}, context });
  expect(real.expectOutput()).toBe(true);
  const double = createTestRuntime({ tools: { read: (_input, ctx) => seen.push(ctx.context) > 0 } });
  const replaced = await double.runTool(outer(reader(z.object(shared.shape))), { input: {}, context });
  expect(replaced.expectOutput()).toBe(true);
  expect(seen.map((each) => each === context)).toEqual([true, true]);
});

const nested = defineTool({
  name: "nested",
  inputSchema: z.object({ how: z.enum(["fail", "throw", "suspend", "hang"]) }),
  suspends: { confirm: { payloadSchema: z.object({ ok: z.boolean() }) } },
  async execute({ how }, ctx): Promise<unknown> {
    if (how === "fail") return ctx.fail({ message: "Nested failure.", code: "nested" });
    if (how === "throw") throw new RangeError("nested");
    if (how === "suspend") return ctx.suspend("confirm");
    return new Promise(() => {});
  },
});
const caller = defineTool({
  name: "caller",
  inputSchema: z.object({ how: z.enum(["fail", "throw", "suspend", "hang"]), handles: z.boolean().optional() }),
  suspends: { first: {} },
  tools: { nested },
  async execute({ how, handles }, ctx): Promise<unknown> {
    if (how === "suspend") await ctx.suspend("first");
    try {
      return await ctx.tools.nested({ how });
    } catch (error) {
      if (handles) return "handled";
      throw error;
    }
  },
});

test("what a nested tool does propagates as itself", async () => {
  const runtime = createTestRuntime();
  const failed = await runtime.runTool(caller, { input: { how: "fail" } });
  expect(failed.expectFailed()).toEqual({ code: "nested", message: "Nested failure." });
  expect(failed.toolRuns).toEqual([{ tool: "nested", input: { how: "fail" } }]);
  expect((await runtime.runTool(caller, { input: { how: "throw" } })).expectThrew()).toBeInstanceOf(RangeError);
  const handled = await runtime.runTool(caller, { input: { how: "fail", handles: true } });
  expect(handled.expectOutput()).toBe("handled");
});

test("a nested suspension is answered after those of the outer tool, in call order", async () => {
  const first = await createTestRuntime().runTool(caller, { input: { how: "suspend" } });
  const nestedWaits = await first.resume("first", {});
  expect(nestedWaits.expectSuspended().name).toBe("confirm");
  expect((await rejectionOf(nestedWaits.resume("confirm", { ok: "yes" } as never))).message).toContain("payloadSchema");
  const done = await nestedWaits.resume("confirm", { ok: true });
  expect(done.expectOutput()).toEqual({ ok: true });
  expect(done.attempts).toBe(3);
});

test("an abort cancels the nested tool with the outer one, and nothing is started after it", async () => {
  const controller = new AbortController();
  const agent = vi.fn();
  const late = defineTool({
    name: "late",
    inputSchema: anything,
    tools: { nested },
    async execute(_input, ctx) {
      await new Promise((resolve) => ctx.signal.addEventListener("abort", resolve));
      await ctx.agents.run("writer", "late").catch(() => {});
      await ctx.tools.nested({ how: "fail" });
    },
  });
  const runtime = createTestRuntime({ agents: { writer: agent } });
  const hanging = runtime.runTool(caller, { input: { how: "hang" }, signal: controller.signal });
  const pending = runtime.runTool(late, { input: {}, signal: controller.signal });
  controller.abort("stop");
  expect((await hanging).expectCancelled()).toBe("stop");
  const run = await pending;
  expect([run.status, run.agentRuns, run.toolRuns]).toEqual(["cancelled", [], []]);
  expect(agent).not.toHaveBeenCalled();
});

test("input a nested tool's schema does not allow is its failure", async () => {
  const sloppy = defineTool({
    name: "sloppy",
    inputSchema: anything,
    contextSchema: z.object({ docs: z.custom<Docs>() }),
    tools: { search },
    execute: (_input, ctx) => ctx.tools.search({ query: 1 } as never),
  });
  const run = await createTestRuntime().runTool(sloppy, { input: {}, context: { docs } });
  expect(run.expectFailed()).toMatchObject({
    code: "invalid_input",
    message: expect.stringContaining("search_docs: query"),
  });
});

test("a nested tool's capabilities must be supplied, unless it is replaced", async () => {
  const builder = defineTool({
    name: "builder",
    inputSchema: anything,
    capabilities: { clock: capability<() => number>() },
    execute: (_input, ctx) => ctx.clock(),
  });
  const outer = defineTool({
    name: "outer",
    inputSchema: anything,
    tools: { build: builder },
    execute: (_input, ctx) => ctx.tools.build({}),
  });
  const supplied = await createTestRuntime().runTool(outer, { input: {}, capabilities: { clock: () => 7 } });
  expect(supplied.expectOutput()).toBe(7);
  expect((await rejectionOf(createTestRuntime().runTool(outer, { input: {} }))).message).toContain("capability clock");
  const replaced = await createTestRuntime({ tools: { build: () => 8 } }).runTool(outer, { input: {} });
  expect(replaced.expectOutput()).toBe(8);
});

test("capabilities below a replaced tool are not needed, unless the same tool also runs for real", async () => {
  const deep = defineTool({
    name: "deep",
    inputSchema: anything,
    capabilities: { clock: capability<() => number>() },
    execute: (_input, ctx) => ctx.clock(),
  });
  const middle = defineTool({
    name: "middle",
    inputSchema: anything,
    tools: { deep },
    execute: (_i, ctx) => ctx.tools.deep({}),
  });
  const outer = (tools: { replaced: typeof middle; real?: typeof middle }) =>
    defineTool({ name: "outer", inputSchema: anything, tools, execute: (_input, ctx) => ctx.tools.replaced({}) });
  const runtime = createTestRuntime({ tools: { replaced: () => 8 } });
  expect((await runtime.runTool(outer({ replaced: middle }), { input: {} })).expectOutput()).toBe(8);
  const both = runtime.runTool(outer({ replaced: middle, real: middle }), { input: {} });
  expect((await rejectionOf(both)).message).toContain("capability clock");
});

test("a tool may call itself", async () => {
  const tools: Record<string, ToolDefinition> = {};
  const counter = defineTool({
    name: "counter",
    inputSchema: z.object({ from: z.number() }),
    tools,
    execute: async ({ from }, ctx) => (from === 0 ? "done" : ctx.tools.again!({ from: from - 1 })),
  });
  tools.again = counter;
  const run = await createTestRuntime().runTool(counter, { input: { from: 2 } });
  expect(run.expectOutput()).toBe("done");
  expect(run.toolRuns.map(({ input }) => input)).toEqual([{ from: 1 }, { from: 0 }]);
});

const delegate = defineTool({
  name: "delegate",
  inputSchema: z.object({ to: z.string(), what: z.unknown() }),
  execute: ({ to, what }, ctx) => ctx.agents.run(to, what),
});

test("an agent is a function from its input to its output, and is recorded", async () => {
  const runtime = createTestRuntime({ agents: { writer: async (input: { topic: string }) => `On ${input.topic}.` } });
  const run = await runtime.runTool(delegate, { input: { to: "writer", what: { topic: "tests" } } });
  expect(run.expectOutput()).toBe("On tests.");
  expect(run.agentRuns).toEqual([{ agent: "writer", input: { topic: "tests" }, output: "On tests." }]);
});

/** What the harness goes by: a function of messages that keeps what it has seen. */
function scripted(turn: object) {
  const seen: unknown[][] = [];
  return Object.assign(
    async (messages: unknown[]) => {
      seen.push(messages);
      return turn;
    },
    { seen, turns: [] },
  );
}

test("an agent may be a scripted model: it gets the input as a user message, its text is the output", async () => {
  const writer = scripted({ kind: "text", content: "Done." });
  const runtime = createTestRuntime({ agents: { writer } });
  const run = await runtime.runTool(delegate, { input: { to: "writer", what: "write" } });
  expect(run.expectOutput()).toBe("Done.");
  expect(writer.seen).toEqual([[{ role: "user", content: "write" }]]);
  const structured = await runtime.runTool(delegate, { input: { to: "writer", what: { topic: "a" } } });
  expect(structured.status).toBe("completed");
  expect(writer.seen[1]).toEqual([{ role: "user", content: '{"topic":"a"}' }]);
});

test("an agent whose model asks for tools threw: its double has nobody to run them", async () => {
  const writer = scripted({ kind: "tool_calls", calls: [{ id: "call_1", name: "x", arguments: "{}" }] });
  const run = await createTestRuntime({ agents: { writer } }).runTool(delegate, { input: { to: "writer", what: "a" } });
  expect(run.expectThrew()).toMatchInlineSnapshot(
    `[UsageError: [vitest-tool-loop] The agent writer asked for tools, which its double has nobody to run: expected a text turn, found {"kind":"tool_calls","calls":[{"id":"call_1","name":"x","arguments":"{}"}]}. Script the agent's final words, or use a function.]`,
  );
});

test("an agent without a double is recorded, then rejects with its name", async () => {
  const alone = await runTool(delegate, { input: { to: "writer", what: "write" } });
  expect(alone.agentRuns).toEqual([{ agent: "writer", input: "write" }]);
  expect(alone.expectThrew()).toMatchInlineSnapshot(
    `[UsageError: [vitest-tool-loop] The tool delegate delegated to the agent "writer", which has no double: expected none, for no agents were given. Give it one: createTestRuntime({ agents: { writer: async (input) => "…" } }).]`,
  );
  const other = await createTestRuntime({ agents: { editor: () => "" } }).runTool(delegate, {
    input: { to: "writer", what: "write" },
  });
  expect(other.expectThrew()).toMatchObject({ message: expect.stringContaining("expected one of editor") });
});

test("an agent that fails is the tool's to handle, and its run keeps no output", async () => {
  const runtime = createTestRuntime({ agents: { writer: () => Promise.reject(new Error("tired")) } });
  const run = await runtime.runTool(delegate, { input: { to: "writer", what: "a" } });
  expect(run.expectThrew()).toMatchObject({ message: "tired" });
  expect(run.agentRuns).toEqual([{ agent: "writer", input: "a" }]);
});

test("a double that is neither a tool nor a function is refused at once", () => {
  expect(thrownBy(() => createTestRuntime({ tools: { search: 1 as never } })).message).toMatchInlineSnapshot(
    `"[vitest-tool-loop] createTestRuntime() needs doubles: expected tools.search to be a tool or a function, found 1."`,
  );
  expect(thrownBy(() => createTestRuntime({ agents: { writer: "x" as never } })).message).toMatchInlineSnapshot(
    `"[vitest-tool-loop] createTestRuntime() needs doubles: expected agents.writer to be a function or a scripted model, found "x"."`,
  );
});
