import { afterAll, beforeAll, expect, test } from "vitest";
import { runVitest } from "../support/child-vitest.js";
import { type Outside, startOutside } from "../support/outside.js";

let outside: Outside;
beforeAll(async () => {
  outside = await startOutside();
});
afterAll(() => outside.close());

const messages = (errors: readonly { message: string }[]) =>
  errors.map(({ message }) => message.replaceAll(/127\.0\.0\.1:\d+/g, "127.0.0.1:PORT"));
/** Inside an SDK it depends on the Node whether the user's line is still on the stack. */
const withoutLine = (message: string) => message.replace(/, at .*?\. It/, ". It");

test("a stray to a model fails the test at once, although its client retries for longer than the test may take", async () => {
  const { tests, fileErrors, unhandled } = await runVitest({
    config: { testTimeout: 1000 },
    files: {
      "agent.ts": `
        export async function ask(times = 1000) {
          for (let attempt = 1; ; attempt++) {
            try {
              return await fetch("http://127.0.0.1:${outside.port}/v1/chat/completions", { method: "POST", body: "{}" });
            } catch (error) {
              if (attempt === times) throw error;
              await new Promise((again) => setTimeout(again, 300));
            }
          }
        }`,
      "a.test.ts": `
        import { afterEach, expect, onTestFinished, test } from "vitest";
        import { ask } from "./agent.ts";
        const ended = [];
        afterEach(({ task }) => { ended.push(task.name); });
        test("asks for ever", async () => { await ask(); });
        test("asks for ever, and swallows it", async () => { await ask().catch(() => {}); });
        test("hooks of both ran, in order", () => { expect(ended).toEqual(["asks for ever", "asks for ever, and swallows it"]); });
        test.concurrent("concurrent, guilty", async () => { await ask(); });
        test.concurrent("concurrent, innocent", async () => { await new Promise((done) => setTimeout(done, 200)); });
        let first = true;
        test("asks once, then is retried", { retry: 1 }, async ({ signal }) => {
          if (first) { first = false; await ask(); }
          await new Promise((done) => setTimeout(done, 400));
          expect(signal.aborted).toBe(false);
        });
        test.fails("is expected to fail", async () => { await ask(); });
        test("asks in time", async () => { await ask(2).catch(() => {}); await new Promise(() => {}); });
      `,
    },
  });
  expect(outside.arrivals).toEqual([]);
  expect(unhandled).toEqual([]);
  expect(messages(tests.find(({ name }) => name === "asks for ever")!.errors)).toMatchInlineSnapshot(`
    [
      "[vitest-tool-loop] The test "asks for ever" made a stray request: POST http://127.0.0.1:PORT/v1/chat/completions, at agent.ts:5:28. It was blocked. Script the model: await serveModel(model); or let it out: network.allow("http://127.0.0.1:PORT/v1/chat/completions"), or all servers of this machine: network.allow("loopback").",
    ]
  `);
  expect(tests.map(({ name, state, errors }) => `${name}: ${state}, ${errors.length} errors`)).toMatchInlineSnapshot(`
    [
      "asks for ever: failed, 1 errors",
      "asks for ever, and swallows it: failed, 1 errors",
      "hooks of both ran, in order: passed, 0 errors",
      "concurrent, guilty: failed, 1 errors",
      "concurrent, innocent: passed, 0 errors",
      "asks once, then is retried: passed, 1 errors",
      "is expected to fail: passed, 0 errors",
      "asks in time: failed, 1 errors",
    ]
  `);
  expect(tests.flatMap(({ errors }) => errors).filter(({ message }) => message.includes("timed out"))).toEqual([]);
  expect(messages(fileErrors)).toEqual([
    expect.stringContaining('The test "is expected to fail" made a stray request'),
  ]);
});

test("an SDK that retries a model it cannot reach fails with the stray's sentence", async () => {
  const { tests } = await runVitest({
    config: { testTimeout: 3000 },
    files: {
      "a.test.ts": `
        import Anthropic from "@anthropic-ai/sdk";
        import OpenAI from "openai";
        import { test } from "vitest";
        const messages = [{ role: "user", content: "hi" }];
        test("openai", async () => {
          const client = new OpenAI({ apiKey: "none", baseURL: "http://model.invalid/v1", maxRetries: 20 });
          await client.chat.completions.create({ model: "m", messages });
        });
        test("anthropic", async () => {
          const client = new Anthropic({ apiKey: "none", baseURL: "http://model.invalid", maxRetries: 20 });
          await client.messages.create({ model: "m", max_tokens: 5, messages });
        });
        test("not a model: its client has the last word", async () => {
          await fetch("http://other.invalid/users").catch(() => {});
        });
      `,
    },
  });
  expect(tests.map(({ errors }) => messages(errors).map(withoutLine))).toMatchInlineSnapshot(`
    [
      [
        "[vitest-tool-loop] The test "openai" made a stray request: POST http://model.invalid/v1/chat/completions. It was blocked. Script the model: await serveModel(model); or let it out: network.allow("http://model.invalid/v1/chat/completions").",
      ],
      [
        "[vitest-tool-loop] The test "anthropic" made a stray request: POST http://model.invalid/v1/messages. It was blocked. Script the model: await serveModel(model); or let it out: network.allow("http://model.invalid/v1/messages").",
      ],
      [
        "[vitest-tool-loop] The test "not a model: its client has the last word" made a stray request: GET http://other.invalid/users. It was blocked. Answer it: await network.use(http.get("http://other.invalid/users", () => HttpResponse.json({}))); or let it out: network.allow("http://other.invalid/users").",
      ],
    ]
  `);
});
