import { expect, test } from "vitest";
import { z } from "zod";
import { createInMemorySandbox, createTestRuntime, defineTool, runTool } from "../../src/index.js";
import { failureOf } from "../support/failure.js";
import { rejectionOf } from "../support/rejection.js";
import { withoutFrames } from "../support/runs.js";

type Execute = (
  input: unknown,
  ctx: { suspend: (name: never) => unknown; tools: Record<string, (input: unknown) => unknown> },
) => unknown;

function tool(execute: Execute, rest: object = {}) {
  return defineTool({ name: "t", inputSchema: z.any(), execute: execute as never, ...rest });
}

test("a thrown value that cannot even be looked at is threw, like any other", async () => {
  const { proxy, revoke } = Proxy.revocable({}, {});
  revoke();
  const run = await runTool(
    tool(() => {
      throw proxy;
    }),
    { input: 1 },
  );
  expect(run.status).toBe("threw");
});

test.each(["toString", "constructor", "__proto__"])(
  "a name that every object inherits is declared by nobody: %s",
  async (name) => {
    const suspending = await runTool(
      tool((_input, ctx) => ctx.suspend(name as never)),
      { input: 1 },
    );
    expect(suspending.status).toBe("threw");

    const real = tool(() => "the tool itself");
    const calling = tool((_input, ctx) => ctx.tools[name]!({ a: 1 }), { tools: Object.fromEntries([[name, real]]) });
    expect(await createTestRuntime().runTool(calling, { input: 1 })).toMatchObject({ output: "the tool itself" });
  },
);

test("a capability is not supplied by what every object inherits", async () => {
  const needy = tool(() => 1, { capabilities: { valueOf: {} } });
  await expect(runTool(needy, { input: 1, capabilities: {} } as never)).rejects.toThrow(
    "it needs the capability valueOf",
  );
  await expect(runTool(needy, { input: 1, capabilities: null } as never)).rejects.toThrow(
    "expected capabilities to be an object, found null",
  );
});

test("resume refuses what is no signal, as runTool does", async () => {
  const waiting = await runTool(
    tool((_input, ctx) => ctx.suspend("ask" as never), { suspends: { ask: {} } }),
    { input: 1 },
  );
  await expect(waiting.resume("ask" as never, 1 as never, { signal: new AbortController() as never })).rejects.toThrow(
    /^\[vitest-tool-loop\] The tool t cannot be resumed: expected signal to be an AbortSignal/,
  );
  expect((await waiting.resume("ask" as never, 1 as never, null as never)).status).toBe("completed");
});

test("a runtime says what it takes", () => {
  expect(() => createTestRuntime({ tools: null as never })).toThrow(
    "takes { tools?, agents? }, each keyed by name: found null as tools",
  );
  expect(() => createTestRuntime(null as never)).toThrow("found null as tools");
});

test("an option that is none, misspelt or null, is refused with the nearest there is", async () => {
  const call = (options: unknown) =>
    rejectionOf(
      runTool(
        tool(() => 1),
        options as never,
      ),
    ).then((error) => error.message);
  expect(await call({ input: 1, treadId: "t" })).toMatchInlineSnapshot(
    `"[vitest-tool-loop] runTool() has no option "treadId": expected input, rawInput, context, capabilities, signal, threadId, agentId or approval. Did you mean "threadId"?"`,
  );
  expect(await call({ input: 1, threadId: 7 })).toMatchInlineSnapshot(
    `"[vitest-tool-loop] runTool() cannot use the option threadId: expected a string, found 7."`,
  );
  expect(await call({ input: 1, approval: null })).toMatchInlineSnapshot(
    `"[vitest-tool-loop] runTool() cannot use the option approval: expected true, false or a function, found null."`,
  );
  expect(await call(null)).toMatchInlineSnapshot(
    `"[vitest-tool-loop] The tool t cannot be run: expected input or rawInput, found neither. Use runTool(tool, { input: { … } })."`,
  );
  expect(failureOf(() => tool(() => 1, { outputSchma: z.any() }))).toMatchInlineSnapshot(
    `"[vitest-tool-loop] The tool t has no option "outputSchma": expected name, description, inputSchema, outputSchema, contextSchema, suspends, capabilities, tools or execute. Did you mean "outputSchema"?"`,
  );
  expect(failureOf(() => tool(() => 1, { suspends: null }))).toMatchInlineSnapshot(
    `"[vitest-tool-loop] The tool t cannot use the option suspends: expected an object of { inputSchema?, payloadSchema? }, by name, found null."`,
  );
  expect(failureOf(() => tool(() => 1, { suspends: { approve: null } }))).toContain('found {"approve":null}');
  expect(failureOf(() => tool(() => 1, { tools: null }))).toContain("expected an object, by name, found null");
  expect(failureOf(() => createTestRuntime({ tool: {} } as never))).toMatchInlineSnapshot(
    `"[vitest-tool-loop] createTestRuntime() has no option "tool": expected tools or agents. Did you mean "tools"?"`,
  );
  expect(failureOf(() => createInMemorySandbox({ file: {} } as never))).toMatchInlineSnapshot(
    `"[vitest-tool-loop] createInMemorySandbox() has no option "file": expected cwd, files, env or commands. Did you mean "files"?"`,
  );
  expect(failureOf(() => createInMemorySandbox(null as never))).toContain("found null");
  expect(
    (
      await runTool(
        tool(() => 1),
        { input: 1, threadId: undefined } as never,
      )
    ).expectOutput(),
  ).toBe(1);
});

/** A schema whose verdict is what `validate` returns. */
const schema = (validate: (value: unknown) => unknown) =>
  ({ "~standard": { version: 1, vendor: "own", validate } }) as unknown as z.ZodAny;
const down = new Error("The lookup is down.");
const throwing = schema(() => {
  throw down;
});

test("a schema that throws is the tool's own code: the tool threw", async () => {
  const run = await runTool(
    tool(() => 1, { inputSchema: throwing }),
    { rawInput: {} },
  );
  expect(run.expectThrew()).toBe(down);
  expect(run.attempts).toBe(0);
  expect(
    (
      await runTool(
        tool(() => 1, { outputSchema: throwing }),
        { input: 1 },
      )
    ).expectThrew(),
  ).toBe(down);

  const asking = { suspends: { ask: { inputSchema: throwing } } };
  const swallowing = tool(async (_input, ctx) => Promise.resolve(ctx.suspend("ask" as never)).catch(() => {}), asking);
  expect((await runTool(swallowing, { input: 1 })).expectThrew()).toMatchInlineSnapshot(
    `[ToolContractError: [vitest-tool-loop] The tool t could not suspend on ask: expected its inputSchema to judge undefined, found that it threw Error: The lookup is down. Correct the schema.]`,
  );

  const answered = { suspends: { ask: { payloadSchema: throwing } } };
  const waiting = await runTool(
    tool((_input, ctx) => ctx.suspend("ask" as never), answered),
    { input: 1 },
  );
  const refused = await rejectionOf(waiting.resume("ask" as never, { a: 1 } as never));
  expect(refused.message).toMatchInlineSnapshot(
    `"[vitest-tool-loop] The run of t cannot be resumed: expected its payloadSchema for ask to judge {"a":1}, found that it threw Error: The lookup is down. Correct the schema."`,
  );
  expect(refused.cause).toBe(down);
});

test.each([undefined, null, true, { issues: true }, { issues: [null] }])(
  "a schema that answers %j gave no verdict",
  async (verdict) => {
    const run = await runTool(
      tool(() => 1, { inputSchema: schema(() => verdict) }),
      { rawInput: {} },
    );
    expect(run.expectThrew()).toMatchObject({ message: expect.stringContaining("A schema gave no verdict: ") });
  },
);

test("a schema that gives no verdict is named by its tool", async () => {
  const run = await runTool(
    tool(() => 1, { inputSchema: schema(() => undefined) }),
    { rawInput: {} },
  );
  expect(withoutFrames(failureOf(run.expectOutput))).toMatchInlineSnapshot(`
    "[vitest-tool-loop] t did not return: expected status "completed", found "threw".
    t threw ToolContractError: [vitest-tool-loop] A schema gave no verdict: expected its validate() to return { value } or { issues: [{ message }] }, found undefined. Correct the schema, or use one of zod, valibot or arktype.
        at …
    Correct the tool, or expect this with expectThrew().

    - Expected
    + Received

      Object {
    -   "status": "completed",
    +   "error": [ToolContractError: [vitest-tool-loop] A schema gave no verdict: expected its validate() to return { value } or { issues: [{ message }] }, found undefined. Correct the schema, or use one of zod, valibot or arktype.],
    +   "status": "threw",
      }"
  `);
});
