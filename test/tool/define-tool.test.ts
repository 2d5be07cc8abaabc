import { expect, test } from "vitest";
import { z } from "zod";
import { capability, defineTool } from "../../src/index.js";
import { thrownBy } from "../support/rejection.js";

const inputSchema = z.object({});
const execute = () => null;
const messageFor = (definition: unknown) => thrownBy(() => defineTool(definition as never)).message;

test("a definition that cannot work is refused with a sentence that names the tool", () => {
  expect(messageFor(undefined)).toMatchInlineSnapshot(
    `"[vitest-tool-loop] defineTool() needs a definition: expected an object, found undefined."`,
  );
  expect(messageFor({ inputSchema, execute })).toMatchInlineSnapshot(
    `"[vitest-tool-loop] defineTool() needs a name: expected a text, found undefined. Add name: "…"."`,
  );
  expect(messageFor({ name: "x", inputSchema })).toMatchInlineSnapshot(
    `"[vitest-tool-loop] The tool x cannot be defined: expected execute to be a function, found undefined. Add execute(input, ctx)."`,
  );
  expect(messageFor({ name: "x", inputSchema: { type: "object" }, execute })).toMatchInlineSnapshot(
    `"[vitest-tool-loop] The tool x cannot be defined: expected inputSchema to be a Standard Schema, found {"type":"object"}. Use a schema of zod, valibot or arktype."`,
  );
  expect(messageFor({ name: "x", inputSchema, outputSchema: 1, execute })).toContain("outputSchema");
  expect(
    messageFor({ name: "x", inputSchema, suspends: { approve: { payloadSchema: true } }, execute }),
  ).toMatchInlineSnapshot(
    `"[vitest-tool-loop] The tool x cannot be defined: expected suspends.approve.payloadSchema to be a Standard Schema, found true. Use a schema of zod, valibot or arktype."`,
  );
  expect(messageFor({ name: "x", inputSchema, tools: { search: {} }, execute })).toMatchInlineSnapshot(
    `"[vitest-tool-loop] The tool x cannot be defined: expected tools.search to be made by defineTool(), found {}."`,
  );
});

test("a capability may not take a name that ctx already has", () => {
  for (const name of [
    "context",
    "signal",
    "threadId",
    "agentId",
    "attempt",
    "fail",
    "suspend",
    "data",
    "agents",
    "tools",
  ]) {
    expect(messageFor({ name: "x", inputSchema, capabilities: { [name]: capability() }, execute })).toContain(
      `ctx.${name} exists already`,
    );
  }
  expect(defineTool({ name: "x", inputSchema, capabilities: { sandbox: capability() }, execute })).toMatchObject({
    name: "x",
  });
});

test("a tool may be spread into a variant of itself", () => {
  const tool = defineTool({ name: "x", inputSchema, execute });
  expect({ ...tool, name: "y" }).toMatchObject({ name: "y", description: undefined });
});
