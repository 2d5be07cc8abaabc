import { betaTool } from "@anthropic-ai/sdk/helpers/beta/json-schema";
import { betaZodTool } from "@anthropic-ai/sdk/helpers/beta/zod";
import { ToolError } from "@anthropic-ai/sdk/lib/tools/ToolError";
import { expect, test, vi } from "vitest";
import { z } from "zod";
import { runTool } from "../../../src/index.js";

const weather = betaZodTool({
  name: "weather",
  description: "w",
  inputSchema: z.object({ city: z.string().toUpperCase() }),
  run: async ({ city }) => `${city}: 14`,
});

test("a zod tool takes the wire value and parses it once", async () => {
  expect(await runTool(weather, { input: { city: "Paris" } })).toHaveOutput("PARIS: 14");
  expect(await runTool(weather, { rawInput: '{"city":"Paris"}' })).toHaveOutput("PARIS: 14");
});

test("input its schema does not allow is failed, with the path, before the tool starts", async () => {
  const run = await runTool(weather, { rawInput: { city: 1 } });
  expect(run).toHaveFailedWith({ code: "invalid_input", message: /^Invalid input for weather: city: / });
  expect(run.attempts).toBe(0);
});

test("a tool of a JSON schema gets the input, the call and the signal", async () => {
  const run = vi.fn(async (_input: object, _context?: object) => [{ type: "text" as const, text: "ok" }]);
  const { signal } = new AbortController();
  const echo = betaTool({
    name: "echo",
    description: "e",
    inputSchema: { type: "object", properties: { text: { type: "string" } } },
    run,
  });
  expect(await runTool(echo, { input: { text: "a" }, signal })).toHaveOutput([{ type: "text", text: "ok" }]);
  expect(run).toHaveBeenCalledWith(
    { text: "a" },
    expect.objectContaining({
      signal,
      toolUse: { type: "tool_use", id: "call_1", name: "echo", input: { text: "a" } },
    }),
  );
});

test("a ToolError is a failure on purpose, any other throw is a throw", async () => {
  const failing = (error: Error) =>
    betaZodTool({
      name: "failing",
      description: "f",
      inputSchema: z.object({}),
      run: async (): Promise<string> => {
        throw error;
      },
    });
  expect((await runTool(failing(new ToolError("No record.")), { input: {} })).expectFailed()).toEqual({
    code: "tool_failed",
    message: "No record.",
  });
  const blocks = new ToolError([
    { type: "text", text: "See:" },
    { type: "image", source: { type: "base64", media_type: "image/png", data: "" } },
  ]);
  expect(await runTool(failing(blocks), { input: {} })).toHaveFailedWith({ message: "See:\n[image]" });
  expect(await runTool(failing(new RangeError("off")), { input: {} })).toHaveThrown(RangeError);
});
