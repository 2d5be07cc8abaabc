import { type } from "arktype";
import * as v from "valibot";
import { expect, test, vi } from "vitest";
import { z } from "zod";
import { defineTool, runTool } from "../../src/index.js";

const execute = vi.fn((input: unknown) => input);
const search = defineTool({
  name: "search",
  inputSchema: z.object({
    query: z.string(),
    limit: z.coerce.number().default(10),
    filters: z.array(z.object({ from: z.string() })).optional(),
  }),
  execute: (input) => execute(input),
});

test("JSON text goes through the schema, as in a loop", async () => {
  const run = await runTool(search, { rawInput: '{"query":"tenancy","limit":"3","extra":true}' });
  expect(run.expectOutput()).toEqual({ query: "tenancy", limit: 3 });
});

test("a value goes through the schema too", async () => {
  const run = await runTool(search, { rawInput: { query: "tenancy" } });
  expect(run.expectOutput()).toEqual({ query: "tenancy", limit: 10 });
});

test("the empty text that models send for no arguments is an empty object", async () => {
  const none = defineTool({ name: "none", inputSchema: z.object({}), execute: (input) => input });
  expect((await runTool(none, { rawInput: "" })).expectOutput()).toEqual({});
});

test("input the schema does not allow is failed, with the paths, and never reaches the tool", async () => {
  execute.mockClear();
  const run = await runTool(search, { rawInput: { query: 1, filters: [{ from: "a" }, { from: 2 }] } });
  expect(run.expectFailed()).toMatchInlineSnapshot(`
    {
      "code": "invalid_input",
      "message": "Invalid input for search: query: Invalid input: expected string, received number; filters[1].from: Invalid input: expected string, received number",
    }
  `);
  expect(run.attempts).toBe(0);
  expect(execute).not.toHaveBeenCalled();
});

test("text that is not JSON is failed, with the place", async () => {
  const cut = await runTool(search, { rawInput: '{"query":"ten' });
  expect(cut.expectFailed()).toMatchObject({ code: "invalid_input" });
  expect(cut.expectFailed().message).toMatch(/^Invalid input for search: not JSON at character \d+: /);
});

test("input is not parsed again", async () => {
  const run = await runTool(search, { input: { query: "a", limit: 1, filters: undefined } });
  expect(run.expectOutput()).toEqual({ query: "a", limit: 1 });
});

test("valibot and arktype schemas are read like zod's", async () => {
  const withValibot = defineTool({
    name: "v",
    inputSchema: v.object({ n: v.pipe(v.string(), v.transform(Number)) }),
    execute: (input) => input.n,
  });
  expect((await runTool(withValibot, { rawInput: '{"n":"4"}' })).expectOutput()).toBe(4);
  expect((await runTool(withValibot, { rawInput: "{}" })).expectFailed()).toMatchInlineSnapshot(`
    {
      "code": "invalid_input",
      "message": "Invalid input for v: n: Invalid key: Expected "n" but received undefined",
    }
  `);
  const withArktype = defineTool({ name: "a", inputSchema: type({ n: "number" }), execute: (input) => input.n });
  expect((await runTool(withArktype, { rawInput: '{"n":4}' })).expectOutput()).toBe(4);
  expect((await runTool(withArktype, { rawInput: '{"n":"4"}' })).expectFailed()).toMatchInlineSnapshot(`
    {
      "code": "invalid_input",
      "message": "Invalid input for a: n: n must be a number (was a string)",
    }
  `);
});

test("a run aborted while its input is read never starts the tool", async () => {
  const controller = new AbortController();
  const pending = runTool(search, { rawInput: { query: "a" }, signal: controller.signal });
  controller.abort();
  const run = await pending;
  expect([run.status, run.attempts]).toEqual(["cancelled", 0]);
});
