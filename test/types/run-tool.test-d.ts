import { type } from "arktype";
import * as v from "valibot";
import { expectTypeOf, test } from "vitest";
import { z } from "zod";
import { capability, createTestRuntime, defineTool, runTool } from "../../src/index.js";

interface Docs {
  find(query: string): string[];
}
interface Shell {
  exec(command: string): Promise<string>;
}

const search = defineTool({
  name: "search",
  inputSchema: z.object({ query: z.string(), since: z.iso.datetime().transform((text) => new Date(text)) }),
  contextSchema: z.object({ docs: z.custom<Docs>() }),
  execute(input, ctx) {
    expectTypeOf(input).toEqualTypeOf<{ query: string; since: Date }>();
    expectTypeOf(ctx.context.docs).toEqualTypeOf<Docs>();
    expectTypeOf(ctx.signal).toEqualTypeOf<AbortSignal>();
    // @ts-expect-error: it declares no suspensions.
    void ctx.suspend("approve");
    return { hits: ctx.context.docs.find(input.query) };
  },
});
const docs: Docs = { find: () => [] };

const publish = defineTool({
  name: "publish",
  inputSchema: z.object({ id: z.string() }),
  outputSchema: z.object({ published: z.boolean(), at: z.string().transform(Number) }),
  suspends: {
    approve: {
      inputSchema: z.object({ title: z.string() }),
      payloadSchema: z.object({ approved: z.boolean(), at: z.string().transform(Number) }),
    },
    pick: {},
  },
  async execute(_input, ctx) {
    const answer = await ctx.suspend("approve", { title: "Hello" });
    expectTypeOf(answer).toEqualTypeOf<{ approved: boolean; at: number }>();
    expectTypeOf(await ctx.suspend("pick")).toEqualTypeOf<unknown>();
    // @ts-expect-error: the suspension is not declared.
    void ctx.suspend("aprove", { title: "Hello" });
    // @ts-expect-error: its input is.
    void ctx.suspend("approve", { name: "Hello" });
    // @ts-expect-error: and required.
    void ctx.suspend("approve");
    if (!answer.approved) return ctx.fail("Denied.");
    return { published: true, at: "1" };
  },
});

const build = defineTool({
  name: "build",
  inputSchema: z.object({ target: z.string() }),
  capabilities: { shell: capability<Shell>() },
  execute: (input, ctx) => {
    expectTypeOf(ctx.shell).toEqualTypeOf<Shell>();
    return ctx.shell.exec(`make ${input.target}`);
  },
});
const shell: Shell = { exec: async () => "" };

const research = defineTool({
  name: "research",
  inputSchema: z.object({ topic: z.string() }),
  tools: { search, publish },
  async execute(input, ctx) {
    const found = await ctx.tools.search({ query: input.topic, since: "2026-01-01T00:00:00Z" });
    expectTypeOf(found).toEqualTypeOf<{ hits: string[] }>();
    // @ts-expect-error: a nested tool's input has the type before its schema.
    void ctx.tools.search({ query: 1 });
    return found.hits.length;
  },
});

test("input and context are the parsed output types", async () => {
  const run = await runTool(search, { input: { query: "a", since: new Date(0) }, context: { docs } });
  expectTypeOf(run.expectOutput()).toEqualTypeOf<{ hits: string[] }>();
  // @ts-expect-error: the parsed type is a Date.
  void runTool(search, { input: { query: "a", since: "2026-01-01T00:00:00Z" }, context: { docs } });
  // @ts-expect-error: the context is declared, so it is required.
  void runTool(search, { input: { query: "a", since: new Date(0) } });
  // @ts-expect-error: and must satisfy its schema's output.
  void runTool(search, { input: { query: "a", since: new Date(0) }, context: { docs: 1 } });
  // @ts-expect-error: some input is required.
  void runTool(search, { context: { docs } });
  // @ts-expect-error: only one of them.
  void runTool(search, { input: { query: "a", since: new Date(0) }, rawInput: "{}", context: { docs } });
});

test("raw input may be anything", () => {
  void runTool(search, { rawInput: "{", context: { docs } });
  void runTool(search, { rawInput: { query: 1 }, context: { docs } });
});

test("the output is the parsed output of its schema", async () => {
  const run = await runTool(publish, { input: { id: "1" } });
  expectTypeOf(run.expectOutput()).toEqualTypeOf<{ published: boolean; at: number }>();
  defineTool({
    name: "wrong",
    inputSchema: z.object({}),
    outputSchema: z.object({ ok: z.boolean() }),
    // @ts-expect-error: execute must return what the schema takes.
    execute: () => ({ ok: "yes" }),
  });
});

test("suspension names, inputs and payloads are inferred", async () => {
  const run = await runTool(publish, { input: { id: "1" } });
  expectTypeOf(run.expectSuspended()).toEqualTypeOf<
    { readonly name: "approve"; readonly input: { title: string } } | { readonly name: "pick"; readonly input: unknown }
  >();
  void run.resume("approve", { approved: true, at: "1" });
  void run.resume("pick", 3, { signal: new AbortController().signal });
  // @ts-expect-error: not declared.
  void run.resume("aprove", { approved: true, at: "1" });
  // @ts-expect-error: the payload is the wire value, a text.
  void run.resume("approve", { approved: true, at: 1 });
});

test("capabilities are required exactly when declared", () => {
  void runTool(build, { input: { target: "all" }, capabilities: { shell } });
  // @ts-expect-error: missing.
  void runTool(build, { input: { target: "all" } });
  // @ts-expect-error: one is missing.
  void runTool(build, { input: { target: "all" }, capabilities: {} });
  // @ts-expect-error: excess.
  void runTool(build, { input: { target: "all" }, capabilities: { shell, browser: 1 } });
  // @ts-expect-error: of another type.
  void runTool(build, { input: { target: "all" }, capabilities: { shell: 1 } });
  // @ts-expect-error: none is declared.
  void runTool(publish, { input: { id: "1" }, capabilities: { shell } });
});

test("status narrows the handle", async () => {
  const run = await runTool(publish, { input: { id: "1" } });
  switch (run.status) {
    case "completed":
      expectTypeOf(run.output).toEqualTypeOf<{ published: boolean; at: number }>();
      // @ts-expect-error: a completed run has no error.
      void run.error;
      break;
    case "suspended":
      if (run.suspend.name === "approve") expectTypeOf(run.suspend.input).toEqualTypeOf<{ title: string }>();
      break;
    case "failed":
      expectTypeOf(run.error).toEqualTypeOf<{
        readonly code: string;
        readonly message: string;
        readonly retryable?: boolean;
      }>();
      break;
    case "threw":
    case "cancelled":
      expectTypeOf(run.error).toEqualTypeOf<unknown>();
      break;
    default:
      expectTypeOf(run).toEqualTypeOf<never>();
  }
});

test("any Standard Schema types the input", async () => {
  const withValibot = defineTool({
    name: "v",
    inputSchema: v.object({ n: v.pipe(v.string(), v.transform(Number)) }),
    execute: (input) => input.n,
  });
  expectTypeOf((await runTool(withValibot, { input: { n: 1 } })).expectOutput()).toEqualTypeOf<number>();
  const withArktype = defineTool({
    name: "a",
    inputSchema: type({ n: "number" }),
    execute: async (input) => input.n,
  });
  expectTypeOf((await runTool(withArktype, { input: { n: 1 } })).expectOutput()).toEqualTypeOf<number>();
  // @ts-expect-error: a text is no number.
  void runTool(withArktype, { input: { n: "1" } });
});

test("a runtime knows the suspensions of nested tools", async () => {
  const runtime = createTestRuntime({
    tools: { search: async () => ({ hits: [] }) },
    agents: { writer: async () => "" },
  });
  const run = await runtime.runTool(research, { input: { topic: "a" } });
  expectTypeOf(run.expectOutput()).toEqualTypeOf<number>();
  void run.resume("approve", { approved: true, at: "1" });
  // @ts-expect-error: declared nowhere below.
  void run.resume("deny", {});
});
