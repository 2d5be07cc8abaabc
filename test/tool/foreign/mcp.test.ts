import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { InMemoryTransport } from "@modelcontextprotocol/sdk/inMemory.js";
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { afterAll, expect, test, vi } from "vitest";
import { z } from "zod";
import { mcpTool, runTool } from "../../../src/index.js";

const started = vi.fn();
const aborted = vi.fn();
const server = new McpServer({ name: "test", version: "1.0.0" });
server.registerTool("weather", { inputSchema: { city: z.string() } }, async ({ city }) => ({
  content: [{ type: "text", text: `${city}: 14` }],
}));
server.registerTool("forecast", { inputSchema: {}, outputSchema: { days: z.number() } }, async () => ({
  content: [],
  structuredContent: { days: 3 },
}));
server.registerTool("refuse", { inputSchema: {} }, async () => ({
  isError: true,
  content: [{ type: "text", text: "No record." }],
}));
server.registerTool("hang", { inputSchema: {} }, (_input, { signal }) => {
  started();
  signal.addEventListener("abort", aborted);
  return new Promise(() => {});
});

const client = new Client({ name: "test", version: "1.0.0" });
const [clientSide, serverSide] = InMemoryTransport.createLinkedPair();
await server.connect(serverSide);
await client.connect(clientSide);
afterAll(() => client.close());

test("the output is the result as the protocol has it", async () => {
  const run = await runTool(mcpTool(client, "weather"), { input: { city: "Paris" } });
  expect(run).toHaveOutput({ content: [{ type: "text", text: "Paris: 14" }] });
  expect(await runTool(mcpTool(client, "forecast"), { input: {} })).toHaveOutput(
    expect.objectContaining({ structuredContent: { days: 3 } }),
  );
});

test("a plain object of client and name will do, and raw input is read", async () => {
  expect(await runTool({ client, name: "weather" }, { rawInput: '{"city":"Rome"}' })).toHaveOutput({
    content: [{ type: "text", text: "Rome: 14" }],
  });
});

test("a result that is an error is failed, with its words", async () => {
  const run = await runTool(mcpTool(client, "refuse"), { input: {} });
  expect(run.expectFailed()).toEqual({ code: "tool_failed", message: "No record." });
});

test("input that the server refuses is invalid", async () => {
  const run = await runTool(mcpTool(client, "weather"), { rawInput: { city: 1 } });
  expect(run).toHaveFailedWith({ code: "invalid_input", message: /city/ });
});

test("input that is no object threw, before anything is sent", async () => {
  expect(await runTool(mcpTool(client, "weather"), { rawInput: "[1]" })).toHaveThrown(
    "The MCP tool weather takes an object as its input, found [1].",
  );
});

test("an abort cancels the run and the server's call", async () => {
  const controller = new AbortController();
  const pending = runTool(mcpTool(client, "hang"), { input: {}, signal: controller.signal });
  await vi.waitFor(() => expect(started).toHaveBeenCalled());
  controller.abort("stop");
  expect((await pending).expectCancelled()).toBe("stop");
  await vi.waitFor(() => expect(aborted).toHaveBeenCalled());
});
