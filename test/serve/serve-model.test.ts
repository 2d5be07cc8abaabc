import { expect, test } from "vitest";
import { serveModel } from "../../src/index.js";
import { type ChildRun, runVitest } from "../support/child-vitest.js";

const AGENT = `
import OpenAI from "openai";
import Anthropic from "@anthropic-ai/sdk";

// Made at module level: they took hold of fetch before any test began.
const openai = new OpenAI({ apiKey: "test" });
const anthropic = new Anthropic({ apiKey: "test" });

export async function chat(prompt, system = "You help.", model = "gpt-5") {
  const messages = [{ role: "system", content: system }, { role: "user", content: prompt }];
  const { choices } = await openai.chat.completions.create({ model, messages });
  return choices[0].message.content;
}

export async function ask(prompt, system = "You help.") {
  const messages = [{ role: "user", content: prompt }];
  const { content } = await anthropic.messages.create({ model: "claude-opus-5", max_tokens: 9, system, messages });
  return content[0].text;
}`;

const IMPORTS = `
import { expect, test } from "vitest";
import { scriptedModel, serveModel } from "vitest-tool-loop";
import { ask, chat } from "./agent.js";
`;

function messagesOf(run: ChildRun, name: string): string[] {
  return run.test(name).errors.map(({ message }) => message);
}

test("serves clients made at module level, and each test its own models", async () => {
  const run = await runVitest({
    files: {
      "agent.js": AGENT,
      "a.test.js": `${IMPORTS}
        test("one model, two APIs", async () => {
          await serveModel(scriptedModel("from the script", "again"));
          expect(await chat("hi")).toBe("from the script");
          expect(await ask("hi")).toBe("again");
        });
        test("is gone after its test", () => chat("hi"));
        test("leaves turns over", async () => {
          await serveModel(scriptedModel("spoken", "never spoken"));
          await chat("hi");
        });
        test("a forgotten await", async () => {
          const serving = serveModel(scriptedModel("too late"));
          await chat("hi").catch(() => {});
          await serving;
        });
        test.concurrent.each(["a", "b", "c"])("concurrent %s", async (name) => {
          await serveModel(scriptedModel(name, name + name));
          expect([await chat("1"), await ask("2")]).toEqual([name, name + name]);
        });
        test("is closed by hand", async () => {
          const served = await serveModel(scriptedModel.lenient("hello"));
          served.close();
          served.close();
          await chat("hi").catch(() => {});
        });`,
    },
  });
  expect(run.failed).toEqual(["is gone after its test", "leaves turns over", "a forgotten await", "is closed by hand"]);
  expect(messagesOf(run, "is gone after its test").at(-1)).toMatch(
    /made a stray request: POST https:\/\/api\.openai\.com/,
  );
  expect(messagesOf(run, "leaves turns over")[0]).toMatch(/"never spoken"/);
  expect(messagesOf(run, "a forgotten await").at(-1)).toMatch(/await/);
  expect(messagesOf(run, "is closed by hand").at(-1)).toMatch(/stray request: POST https:\/\/api\.openai\.com/);
});

test("tells several models apart by what the requests hold", async () => {
  const run = await runVitest({
    files: {
      "agent.js": AGENT,
      "a.test.js": `${IMPORTS}
        test("by system text, model and hosts", async () => {
          await serveModel(scriptedModel("planned", "planned too"), { when: { system: /planner/ } });
          await serveModel(scriptedModel("worked"), { when: { system: "worker" } });
          await serveModel(scriptedModel("small"), { when: { model: "gpt-5-mini" }, hosts: ["api.openai.com"] });
          await serveModel(scriptedModel("asked"), { when: (request) => request.messages.at(-1).content === "odd" });
          expect(await chat("hi", "You are a worker.")).toBe("worked");
          expect(await chat("hi", "You are a planner.")).toBe("planned");
          expect(await ask("hi", "You are a planner.")).toBe("planned too");
          expect(await chat("hi", "You help.", "gpt-5-mini")).toBe("small");
          expect(await ask("odd")).toBe("asked");
        });
        test("two take it", async () => {
          await serveModel(scriptedModel.lenient("a"), { when: { system: /You/ } });
          await serveModel(scriptedModel.lenient("b"));
          await chat("hi").catch(() => {});
        });
        test("none takes it", async () => {
          await serveModel(scriptedModel.lenient("a"), { when: { system: /planner/ } });
          await chat("hi").catch(() => {});
        });
        test("another host", async () => {
          await serveModel(scriptedModel.lenient("a"), { hosts: ["llm.invalid"] });
          await chat("hi").catch(() => {});
        });`,
    },
  });
  expect(run.failed).toEqual(["two take it", "none takes it", "another host"]);
  expect(messagesOf(run, "two take it")).toMatchInlineSnapshot(`
    [
      "[vitest-tool-loop] Two served models take the same request: expected one, found model 1 (when {"system":"/You/"}) and model 2 (no when). Give each a \`when\` that only its own requests meet.",
    ]
  `);
  expect(messagesOf(run, "none takes it")).toMatchInlineSnapshot(`
    [
      "[vitest-tool-loop] No served model takes the request: expected one of model 1 (when {"system":"/planner/"}), found a request for gpt-5. Serve a model whose \`when\` it meets.",
    ]
  `);
  expect(messagesOf(run, "another host").at(-1)).toMatch(/stray request: POST https:\/\/api\.openai\.com/);
});

test("works for a whole file, and beside a server of the user's own", async () => {
  const run = await runVitest({
    files: {
      "agent.js": AGENT,
      "file.test.js": `${IMPORTS}
        import { beforeAll } from "vitest";
        beforeAll(() => serveModel(scriptedModel.lenient("for the file", "and on")));
        test("first", async () => expect(await chat("hi")).toBe("for the file"));
        test("second", async () => {
          await serveModel(scriptedModel("for the test"), { when: { model: "gpt-5-mini" } });
          expect(await chat("hi", "You help.", "gpt-5-mini").catch(() => "two take it")).toBe("two take it");
        });
        test("third", async () => expect(await ask("hi")).toBe("and on"));`,
      "own.test.js": `${IMPORTS}
        import { http, HttpResponse } from "msw";
        import { setupServer } from "msw/node";
        import { afterAll, beforeAll } from "vitest";
        const server = setupServer(http.get("https://shop.invalid/stock", () => HttpResponse.json({ left: 3 })));
        beforeAll(() => server.listen({ onUnhandledRequest: "error", onUnhandledFrame: "error" }));
        afterAll(() => server.close());
        test("both answer", async () => {
          await serveModel(scriptedModel("hello"));
          expect(await chat("hi")).toBe("hello");
          expect(await (await fetch("https://shop.invalid/stock")).json()).toEqual({ left: 3 });
        });`,
    },
  });
  expect(run.failed).toEqual(["second"]);
  expect(messagesOf(run, "second").join("\n")).toMatch(/never spoken|Two served models/);
});

test("says what it needs", async () => {
  await expect(serveModel("hello" as never)).rejects.toThrow(
    'serveModel() needs a scripted model: expected what scriptedModel(…) returns, found "hello".',
  );
  const run = await runVitest({
    setup: false,
    files: { "agent.js": AGENT, "a.test.js": `${IMPORTS} test("alone", () => serveModel(scriptedModel("hi")));` },
  });
  expect(messagesOf(run, "alone")[0]).toMatch(
    /serveModel\(\) needs the setup line, and it did not run\. Add setupFiles/,
  );
});
