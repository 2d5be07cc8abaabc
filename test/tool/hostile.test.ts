import { expect, test } from "vitest";
import { z } from "zod";
import { createTestRuntime, defineTool, runTool } from "../../src/index.js";

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
