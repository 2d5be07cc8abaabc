import { DynamicTool, tool } from "@langchain/core/tools";
import { Command, interrupt, MemorySaver, MessagesAnnotation, StateGraph } from "@langchain/langgraph";
import { expect, test, vi } from "vitest";
import { z } from "zod";
import { runTool } from "../../../src/index.js";

const weather = tool(async ({ city }, config) => `${city} for ${config.configurable?.thread_id}`, {
  name: "weather",
  description: "w",
  schema: z.object({ city: z.string().toUpperCase() }),
});

test("a tool completes with the wire value, which it parses once", async () => {
  expect(await runTool(weather, { input: { city: "Paris" }, threadId: "t1" })).toHaveOutput("PARIS for t1");
  expect(await runTool(weather, { rawInput: '{"city":"Paris"}', threadId: "t1" })).toHaveOutput("PARIS for t1");
});

test("input its schema does not allow is failed, with the path, before the tool starts", async () => {
  const run = await runTool(weather, { rawInput: { city: 1 } });
  expect(run).toHaveFailedWith({ code: "invalid_input", message: /^Invalid input for weather: city: / });
  expect(run.attempts).toBe(0);
});

test("a JSON schema is LangChain's to check", async () => {
  const add = tool(async (input) => String((input as { n: number }).n), {
    name: "add",
    description: "a",
    schema: { type: "object", properties: { n: { type: "number" } }, required: ["n"] },
  });
  expect(await runTool(add, { input: { n: 1 } })).toHaveOutput("1");
  expect(await runTool(add, { rawInput: "{}" })).toHaveFailedWith({ code: "invalid_input" });
});

test("a tool of a text takes a text", async () => {
  const shout = new DynamicTool({ name: "shout", description: "s", func: async (text) => text.toUpperCase() });
  expect(await runTool(shout, { input: "hey" })).toHaveOutput("HEY");
});

test("a throw is a throw, and an abort cancels", async () => {
  const broken = tool(
    async () => {
      throw new RangeError("off");
    },
    { name: "broken", description: "b", schema: z.object({}) },
  );
  expect(await runTool(broken, { input: {} })).toHaveThrown(RangeError);
  const started = vi.fn();
  const hangs = tool(
    (_input, config) => {
      started(config.signal);
      return new Promise<string>(() => {});
    },
    { name: "hangs", description: "h", schema: z.object({}) },
  );
  const controller = new AbortController();
  const pending = runTool(hangs, { input: {}, signal: controller.signal });
  await vi.waitFor(() => expect(started).toHaveBeenCalled());
  controller.abort("stop");
  expect((await pending).expectCancelled()).toBe("stop");
  expect(started.mock.calls[0]![0]).toMatchObject({ aborted: true });
});

const send = vi.fn();
const sendMail = tool(
  async ({ to }) => {
    const { approved } = interrupt<{ ask: string }, { approved: boolean }>({ ask: `Mail ${to}?` });
    if (!approved) return "not sent";
    const subject = interrupt<string, string>("Subject?");
    send(to, subject);
    return `sent ${subject}`;
  },
  { name: "send_mail", description: "s", schema: z.object({ to: z.string() }) },
);

test("interrupts suspend, are answered in order, and the tool runs once per attempt", async () => {
  const first = await runTool(sendMail, { input: { to: "ann" } });
  expect(first).toBeSuspendedOn("interrupt", { ask: "Mail ann?" });
  const second = await first.resume("interrupt", { approved: true });
  expect(second).toBeSuspendedOn("interrupt", "Subject?");
  expect(send).not.toHaveBeenCalled();
  const done = await second.resume("interrupt", "Hello");
  expect(done).toHaveOutput("sent Hello");
  expect(done.attempts).toBe(3);
  expect(send).toHaveBeenCalledExactlyOnceWith("ann", "Hello");
  expect(await first.resume("interrupt", { approved: false })).toHaveOutput("not sent");
});

test("a tool that catches its interrupt is suspended all the same", async () => {
  const greedy = tool(
    async () => {
      try {
        return String(interrupt("Sure?"));
      } catch {
        return "went on";
      }
    },
    { name: "greedy", description: "g", schema: z.object({}) },
  );
  expect(await runTool(greedy, { input: {} })).toBeSuspendedOn("interrupt");
});

test("the result of a graph that waits is suspended on its interrupt", async () => {
  const graph = new StateGraph(MessagesAnnotation)
    .addNode("ask", () => {
      const answer = interrupt({ question: "Go on?" });
      return { messages: [{ role: "assistant", content: String(answer) }] };
    })
    .addEdge("__start__", "ask")
    .compile({ checkpointer: new MemorySaver() });
  const thread = { configurable: { thread_id: "t1" } };
  const paused = await graph.invoke({ messages: [] }, thread);
  expect(paused).toBeSuspendedOn("interrupt", { question: "Go on?" });
  expect(await graph.getState(thread)).toBeSuspendedOn("interrupt");
  const done = await graph.invoke(new Command({ resume: "yes" }), thread);
  expect(done).not.toBeSuspendedOn("interrupt");
  expect(await graph.getState(thread)).not.toBeSuspendedOn("interrupt");
});
