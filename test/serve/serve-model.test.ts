import { beforeAll, expect, test } from "vitest";
import { scriptedModel, serveModel } from "../../src/index.js";
import { type ChildRun, runVitest } from "../support/child-vitest.js";
import { rejectionOf } from "../support/rejection.js";

/** The code under test: its clients are made when it is imported, and keep the `fetch` they found. */
const AGENT = `
import Anthropic from "@anthropic-ai/sdk";
import OpenAI from "openai";

export const client = new OpenAI();
export const anthropic = new Anthropic();

const tools = [
  { type: "function", function: { name: "get_weather", parameters: { type: "object", properties: { city: { type: "string" } } } } },
];

export async function runAgent(client: OpenAI, prompt: string): Promise<string> {
  const messages: OpenAI.ChatCompletionMessageParam[] = [{ role: "user", content: prompt }];
  for (let step = 0; step < 8; step++) {
    const { choices } = await client.chat.completions.create({ model: "gpt-test", messages, tools });
    const { message } = choices[0]!;
    if (!message.tool_calls) return message.content ?? "";
    messages.push(message);
    for (const call of message.tool_calls) messages.push({ role: "tool", tool_call_id: call.id, content: '{"tempC":14}' });
  }
  return "I give up.";
}

export async function ask(system: string, model = "gpt-test"): Promise<string | null> {
  const messages = [{ role: "developer", content: system }, { role: "user", content: "go" }];
  const { choices } = await client.chat.completions.create({ model, messages });
  return choices[0]!.message.content;
}

export async function askAnthropic(system: string): Promise<string> {
  const messages = [{ role: "user", content: "go" }];
  const { content } = await anthropic.messages.create({ model: "claude-test", max_tokens: 100, system, messages });
  return content[0].text;
}

export const swallowed = (work: Promise<unknown>) => work.catch((error) => error);
`;

const PRELUDE = `
import { http, HttpResponse } from "msw";
import { setupServer } from "msw/node";
import OpenAI from "openai";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { modelFetch, network, overloaded, rateLimited, scriptedModel, serveModel, serverError, toolCall } from "vitest-tool-loop";
import { anthropic, ask, askAnthropic, client, runAgent, swallowed } from "./agent";
`;

const SERVED = `
test("asks for the weather, then answers", async () => {
  const model = scriptedModel(toolCall("get_weather", { city: "Paris" }), "14 degrees.");
  await serveModel(model);
  expect(await runAgent(client, "weather in Paris?")).toBe("14 degrees.");
  expect(model).toHaveAppendedToolResult("call_1", { tempC: 14 });
  expect(model).toHaveCalledTool("get_weather");
});
test("a turn is left over", async () => {
  await serveModel(scriptedModel(toolCall("get_weather", { city: "Paris" }), "14 degrees.", "never spoken"));
  expect(await runAgent(client, "weather in Paris?")).toBe("14 degrees.");
});
test("the script is overrun", async () => {
  await serveModel(scriptedModel("hello"));
  await ask("You help.");
  await swallowed(ask("You help."));
});
test("the API refuses", async () => {
  await serveModel(scriptedModel("hello"));
  await swallowed(client.chat.completions.create({ model: "gpt-test", messages: [{ role: "tool", tool_call_id: "call_1", content: "14" }] }));
});
test("nothing is served any more", async () => {
  await swallowed(ask("You help."));
});
test("both APIs, one of them as a stream", async () => {
  await serveModel(scriptedModel("one", "two"));
  expect(await askAnthropic("You help.")).toBe("one");
  const stream = await client.chat.completions.create({ model: "m", messages: [{ role: "user", content: "go" }], stream: true });
  let text = "";
  for await (const chunk of stream) text += chunk.choices[0]?.delta.content ?? "";
  expect(text).toBe("two");
});
test("a scripted error is the connection's", async () => {
  await serveModel(scriptedModel(new Error("reset by peer"), "after another try"));
  const create = (options) => client.chat.completions.create({ model: "m", messages: [{ role: "user", content: "go" }] }, options);
  expect(await swallowed(create({ maxRetries: 0 }))).toBeInstanceOf(OpenAI.APIConnectionError);
  expect((await create()).choices[0].message.content).toBe("after another try");
});
test("a hanging model, and a client that gives up", async () => {
  await serveModel(scriptedModel(async () => new Promise(() => {})));
  const call = client.chat.completions.create({ model: "m", messages: [{ role: "user", content: "go" }] }, { signal: AbortSignal.timeout(50) });
  expect(await swallowed(call)).toBeInstanceOf(OpenAI.APIUserAbortError);
});
test("one after another", async () => {
  const first = await serveModel(scriptedModel("first"));
  expect(await ask("You help.")).toBe("first");
  first.close();
  await serveModel(scriptedModel("second"));
  expect(await ask("You help.")).toBe("second");
});
describe.concurrent("at the same time", () => {
  const sleep = (ms) => new Promise((done) => setTimeout(done, ms));
  for (const name of ["ann", "bob"]) test(name, async ({ expect }) => {
    await serveModel(scriptedModel(name, name));
    expect(await ask("You help.")).toBe(name);
    await sleep(20);
    expect(await askAnthropic("You help.")).toBe(name);
  });
  test("has none", async () => {
    await sleep(10);
    await swallowed(ask("You help."));
  });
});
`;

const TOLD_APART = `
test("sub-agents", async () => {
  await serveModel(scriptedModel("worked", "worked"), { when: { system: /work/g } });
  await serveModel(scriptedModel("planned", "planned"), { when: { system: "You plan" } });
  await serveModel(scriptedModel("named"), { when: { model: "gpt-other" } });
  await serveModel(scriptedModel("chosen"), { when: (request) => request.messages.length === 1 && request.system === "You choose." });
  expect(await ask("You plan.")).toBe("planned");
  expect(await ask("You work.")).toBe("worked");
  expect(await ask("You help.", "gpt-other")).toBe("named");
  expect(await askAnthropic("You work.")).toBe("worked");
  expect(await askAnthropic("You plan.")).toBe("planned");
  expect(await askAnthropic("You choose.")).toBe("chosen");
});
test("two match", async () => {
  await serveModel(scriptedModel("never spoken"), { when: { system: /plan/, model: "gpt-test" } });
  await serveModel(scriptedModel(toolCall("spawn", { n: 2 })));
  await swallowed(ask("You plan."));
  await swallowed(ask("You plan."));
});
test("none matches", async () => {
  await serveModel(scriptedModel("never spoken"), { when: { system: "You plan" } });
  await serveModel(scriptedModel("nor this"), { when: (request) => request.model === "other" });
  const error = await swallowed(ask("You help."));
  expect(error.status).toBe(400);
  expect(error.headers.get("x-should-retry")).toBe("false");
});
test("a when that throws", async () => {
  await serveModel(scriptedModel.lenient("never spoken"), { when: () => { throw new RangeError("mine"); } });
  await swallowed(ask("You help."));
});
test("a when that answers later", async () => {
  await serveModel(scriptedModel.lenient("never spoken"), { when: async () => true });
  await swallowed(ask("You help."));
});
test("at some hosts", async () => {
  await serveModel(scriptedModel("here"), { hosts: ["model.invalid"] });
  await serveModel(scriptedModel("there"), { hosts: ["*.other.invalid"] });
  expect(await ask("You help.")).toBe("here");
  const there = new OpenAI({ baseURL: "http://eu.other.invalid/v1" });
  expect(await runAgent(there, "go")).toBe("there");
  await swallowed(runAgent(new OpenAI({ baseURL: "http://third.invalid/v1", maxRetries: 0 }), "go"));
});
describe("a file that serves", () => {
  beforeAll(async () => { await serveModel(scriptedModel("file", "file", "file")); });
  test("first", async () => { expect(await ask("You help.")).toBe("file"); });
  test("the test's own are asked before", async () => {
    await serveModel(scriptedModel("test"), { when: { system: /help/ } });
    expect([await ask("You help."), await ask("You plan.")]).toEqual(["test", "file"]);
  });
  test("last", async () => { expect(await ask("You help.")).toBe("file"); });
});
`;

const ASSERTS = `
const check = (messages) => { expect(messages.at(-1).content).toBe("stop"); return "fine"; };
test("swallowed", async () => {
  await serveModel(scriptedModel(check, "never spoken"));
  await swallowed(ask("You help."));
});
test("not swallowed", async () => {
  await serveModel(scriptedModel(check));
  await ask("You help.");
});
test("a lenient script", async () => {
  await serveModel(scriptedModel.lenient(check));
  await swallowed(ask("You help."));
});
test("called as a function, not swallowed", async () => {
  await scriptedModel(check)([{ role: "user", content: "go" }]);
});
test("it throws no error", async () => {
  await swallowed(scriptedModel(() => { throw "text"; })([]));
});
test("once, no retries", async () => {
  const model = scriptedModel(() => { throw new RangeError("mine"); });
  await serveModel(model);
  const error = await swallowed(ask("You help."));
  expect(model.requests).toHaveLength(1);
  expect(error.message).toBe("400 [vitest-tool-loop] The test's own code threw: RangeError: mine");
});
test("it holds", async () => {
  await serveModel(scriptedModel((messages) => { expect(messages.at(-1).content).toBe("go"); return "fine"; }));
  expect(await ask("You help.")).toBe("fine");
});
`;

const OWN_SERVER = `
const server = setupServer(http.get("http://shop.invalid/a", () => HttpResponse.text("theirs")));
beforeAll(() => server.listen({ onUnhandledRequest: "error" }));
afterAll(() => server.close());
test("both answer", async () => {
  await serveModel(scriptedModel("ours"));
  expect(await ask("You help.")).toBe("ours");
  expect(await fetch("http://shop.invalid/a").then((response) => response.text())).toBe("theirs");
});
test("other handlers of the test come before, or after", async () => {
  await network.use(http.get("*/v1/models", () => HttpResponse.text("models")), http.post("*/chat/completions", () => HttpResponse.error()));
  await serveModel(scriptedModel("ours"));
  expect(await ask("You help.")).toBe("ours");
  expect(await fetch("http://model.invalid/v1/models").then((response) => response.text())).toBe("models");
});
test("the server alone", async () => {
  expect(await fetch("http://shop.invalid/a").then((response) => response.text())).toBe("theirs");
});
test("what neither answers", async () => {
  await serveModel(scriptedModel.lenient("ours"));
  await swallowed(fetch("http://model.invalid/v1/models"));
});
`;

const FORGOTTEN = `
test("forgets to await", async () => {
  serveModel(scriptedModel.lenient("hello"));
  await swallowed(ask("You help."));
});
`;

const REFUSED = [{ role: "tool", tool_call_id: "call_1", content: "14" }];

/** Nobody but the test that asks can answer for what is served here. */
const FILE_WIDE = `
const REFUSED = ${JSON.stringify(REFUSED)};
const post = (fetch, path, messages = REFUSED) => fetch("http://model.invalid" + path, { method: "POST", body: JSON.stringify({ model: "m", max_tokens: 5, messages }) });
const viaFetch = modelFetch(scriptedModel(toolCall("made_up"), "hi", "hi"));
const served = scriptedModel("hi", "hi");
beforeAll(async () => {
  await serveModel(served);
  await swallowed(post(fetch, "/v1/chat/completions"));
});
test("a swallowed refusal", async () => { await swallowed(post(fetch, "/v1/chat/completions")); });
test("a swallowed refusal of modelFetch", async () => { await swallowed(post(viaFetch, "/v1/chat/completions")); });
test("a turn that cannot be", async () => { await swallowed(post(viaFetch, "/v1/chat/completions", [{ role: "user", content: "go" }])); });
test.concurrent("at the same time, refused", async () => { await swallowed(post(fetch, "/v1/messages", [{ role: "assistant", content: "hi" }, { role: "user", content: [{ type: "tool_result", tool_use_id: "a", content: "" }] }])); });
test.concurrent("at the same time, innocent", async () => { expect(await ask("You help.")).toBe("hi"); });
`;

const FAULTS = `
const retried = [["rate limited", rateLimited({ retryAfterSeconds: 0.01 })], ["overloaded", overloaded()], ["server error", serverError()]];
for (const [name, fault] of retried) {
  test(name + ", openai", async () => { await serveModel(scriptedModel(fault, "hi")); expect(await ask("You help.")).toBe("hi"); });
  test(name + ", anthropic", async () => { await serveModel(scriptedModel(fault, "hi")); expect(await askAnthropic("You help.")).toBe("hi"); });
}
test("what MSW answers is a response like any other", async () => {
  await network.use(http.get("http://a.invalid/", () => HttpResponse.json({ a: 1 }, { status: 201, statusText: "Made", headers: [["x-b", "2"], ["set-cookie", "c=1"], ["set-cookie", "d=2"]] })));
  const response = await fetch("http://a.invalid/");
  const { url, status, statusText, redirected, headers } = response;
  expect({ url, status, statusText, redirected, b: headers.get("x-b"), cookies: headers.getSetCookie() })
    .toEqual({ url: "http://a.invalid/", status: 201, statusText: "Made", redirected: false, b: "2", cookies: ["c=1", "d=2"] });
  expect(await response.clone().json()).toEqual({ a: 1 });
  await response.body.cancel();
  await network.use(http.get("http://a.invalid/empty", () => new HttpResponse(null, { status: 204 })));
  expect((await fetch("http://a.invalid/empty")).body).toBe(null);
});
`;

const MOCKED = `
test("an answer of the mock's own", async () => {
  const model = scriptedModel.lenient("never spoken").mockResolvedValueOnce({ kind: "text", content: "instead" });
  await serveModel(model);
  expect(await ask("You help.")).toBe("instead");
});
test("a refused request", async () => {
  await serveModel(scriptedModel.lenient("never spoken").mockResolvedValueOnce({ kind: "text", content: "instead" }));
  await swallowed(client.chat.completions.create({ model: "gpt-test", messages: ${JSON.stringify(REFUSED)} }));
});
test("a call of a tool that was not offered", async () => {
  const calls = [{ id: "call_1", name: "made_up", arguments: "{}" }];
  await serveModel(scriptedModel.lenient("never spoken").mockResolvedValueOnce({ kind: "tool_calls", calls }));
  await swallowed(ask("You help."));
});
test("no answer", async () => {
  await serveModel(scriptedModel.lenient("never spoken").mockResolvedValueOnce(undefined));
  await swallowed(ask("You help."));
});
`;

const ENV = {
  OPENAI_BASE_URL: "http://model.invalid/v1",
  ANTHROPIC_BASE_URL: "http://model.invalid",
  OPENAI_API_KEY: "none",
  ANTHROPIC_API_KEY: "none",
};

let child: ChildRun;

// One child run for all: starting Vitest takes longer than any of these.
beforeAll(async () => {
  const sources = {
    served: SERVED,
    apart: TOLD_APART,
    asserts: ASSERTS,
    server: OWN_SERVER,
    forgotten: FORGOTTEN,
    wide: FILE_WIDE,
    faults: FAULTS,
    mocked: MOCKED,
  };
  const files = Object.entries(sources).map(([name, source]) => [
    `${name}.test.ts`,
    `${PRELUDE}describe("${name}", () => {${source}});`,
  ]);
  child = await runVitest({ files: { "agent.ts": AGENT, ...Object.fromEntries(files) }, env: ENV });
}, 120_000);

function failedIn(suite: string): string[] {
  return child.failed.filter((name) => name.startsWith(`${suite} > `)).map((name) => name.slice(suite.length + 3));
}

/** Everything a test failed with. */
function said(name: string): string {
  const messages = child.test(name).errors.map(({ message }) => message);
  return messages.join("\n---\n").replace(/agent\.ts:\d+:\d+/g, "agent.ts:LINE");
}

test("a model is served to clients made at module level until its test ends, and to no other test", () => {
  expect(failedIn("served")).toEqual([
    "a turn is left over",
    "the script is overrun",
    "the API refuses",
    "nothing is served any more",
    "at the same time > has none",
  ]);
  expect(said("served > nothing is served any more")).toMatchInlineSnapshot(
    `"[vitest-tool-loop] The test "served > nothing is served any more" made a stray request: POST http://model.invalid/v1/chat/completions, at agent.ts:LINE. It was blocked. Script the model: await serveModel(model); or let it out: network.allow("http://model.invalid/v1/chat/completions")."`,
  );
  expect(said("served > at the same time > has none")).toContain("made a stray request: POST http://model.invalid");
});

test("the test that served a model fails for its script and for what the API refuses", () => {
  expect(said("served > a turn is left over")).toMatchInlineSnapshot(`
    "[vitest-tool-loop] The script of "served > a turn is left over" was not spoken to its end: expected 1 more call of the model, but the loop stopped after 2 calls.

        script[0]  get_weather({"city":"Paris"})
        script[1]  "14 degrees."
      > script[2]  "never spoken"

    Check why the loop stopped early, or take what is left out of the script. A turn that may be spoken any number of times is repeat(…); a script that need not be spoken to its end is scriptedModel.lenient(…)."
  `);
  expect(said("served > the script is overrun")).toContain("call 2, but the script has 1 turn.");
  expect(said("served > the API refuses")).toContain("what OpenAI Chat Completions refuses");
});

test("a request that several served models match, or none, fails its test with the one sentence that lists them", () => {
  expect(failedIn("apart")).toEqual([
    "two match",
    "none matches",
    "a when that throws",
    "a when that answers later",
    "at some hosts",
  ]);
  expect(said("apart > two match")).toMatchInlineSnapshot(`
    "[vitest-tool-loop] A request is for more than one served model: expected one whose when matches, found 2, for POST http://model.invalid/v1/chat/completions, model "gpt-test", system text "You plan.".

        script[0] is "never spoken", served with when: { model: "gpt-test", system: /plan/ }
        script[0] is spawn({"n":2}), served for every request

    Tell them apart: await serveModel(model, { when: { system: /planner/ } }); or stop serving the first with its close()."
  `);
  expect(said("apart > none matches")).toMatchInlineSnapshot(`
    "[vitest-tool-loop] A request is for no served model: expected one whose when matches, found none, for POST http://model.invalid/v1/chat/completions, model "gpt-test", system text "You help.".

    Served are:

        script[0] is "never spoken", served with when: { system: "You plan" }
        script[0] is "nor this", served with when: (request) => request.model === "other"

    Correct the when, or serve a model for this request too."
  `);
  expect(said("apart > a when that throws")).toBe("mine");
  expect(said("apart > a when that answers later")).toMatchInlineSnapshot(
    `"[vitest-tool-loop] serveModel() cannot use its option when: expected a function that answers at once, found a promise, at when. Write { when: { system: /planner/ } }, or a function of the request."`,
  );
  expect(said("apart > at some hosts")).toContain(
    "made a stray request: POST http://third.invalid/v1/chat/completions",
  );
});

test("what a function of the script throws fails the test, and no client tries again", () => {
  expect(failedIn("asserts")).toEqual([
    "swallowed",
    "not swallowed",
    "a lenient script",
    "called as a function, not swallowed",
    "it throws no error",
    "once, no retries",
  ]);
  const assertion = "expected 'go' to be 'stop' // Object.is equality";
  expect(said("asserts > swallowed")).toBe(assertion);
  expect(child.test("asserts > swallowed").errors[0]!.at).toMatch(/^asserts\.test\.ts:/);
  expect(said("asserts > not swallowed")).toBe(
    `400 [vitest-tool-loop] The test's own code threw: AssertionError: ${assertion}\n---\n${assertion}`,
  );
  expect(said("asserts > a lenient script")).toBe(assertion);
  expect(said("asserts > called as a function, not swallowed")).toBe(assertion);
  expect(said("asserts > it throws no error")).toMatchInlineSnapshot(
    `"[vitest-tool-loop] A function of the script failed: expected it to return what the model says, found that it threw "text", at script[0]. To reject the call on purpose, return an Error."`,
  );
  expect(said("asserts > once, no retries")).toBe("mine");
});

test("what is refused of a model that no test served fails the test that asked, or the file", () => {
  expect(failedIn("wide")).toEqual([
    "a swallowed refusal",
    "a swallowed refusal of modelFetch",
    "a turn that cannot be",
    "at the same time, refused",
  ]);
  expect(said("wide > a swallowed refusal")).toContain("what OpenAI Chat Completions refuses: expected request 2");
  expect(said("wide > a swallowed refusal of modelFetch")).toContain("what OpenAI Chat Completions refuses");
  expect(said("wide > a turn that cannot be")).toContain("found a call of made_up, at script[0]");
  expect(said("wide > at the same time, refused")).toContain("what the Anthropic Messages API refuses");
  expect(child.fileErrors.map(({ file, message }) => [file, message])).toEqual([
    ["wide.test.ts", expect.stringContaining("what OpenAI Chat Completions refuses: expected request 1")],
  ]);
});

// Inside an SDK it depends on the Node whether the user's line is still on the stack.
test("a refusal points at the user's line", () => {
  expect(child.test("wide > a swallowed refusal").errors[0]!.at).toMatch(/^wide\.test\.ts:/);
  expect(child.test("wide > a turn that cannot be").errors[0]!.at).toMatch(/^wide\.test\.ts:/);
});

test("a client that retries a fault by itself gets its next turn", () => {
  expect(failedIn("faults")).toEqual([]);
  expect(child.tests.filter(({ name, state }) => name.startsWith("faults") && state === "passed")).toHaveLength(7);
});

test("another implementation of the mock is held against the request, as a script is", () => {
  expect(failedIn("mocked")).toEqual(["a refused request", "a call of a tool that was not offered", "no answer"]);
  expect(said("mocked > a refused request")).toContain("what OpenAI Chat Completions refuses");
  expect(said("mocked > a call of a tool that was not offered")).toMatchInlineSnapshot(
    `"[vitest-tool-loop] No model could answer so: expected a call of a tool that the request offers (it offers none), found a call of made_up, at what the mock's own implementation answered. Correct the name, or offer the tool. A model that makes up a tool is toolCall.unchecked("made_up", {})."`,
  );
  expect(said("mocked > no answer")).toMatchInlineSnapshot(
    `"[vitest-tool-loop] The script cannot be spoken: expected words, toolCall(…), a list of toolCall(…), turn(…), an AssistantTurn, an Error, a fault or a function, found undefined, at what the mock's own implementation answered. Check that it is defined when the script is made, or what the function returns."`,
  );
});

test("the user's own server and handlers keep working beside a served model", () => {
  expect(failedIn("server")).toEqual(["what neither answers"]);
  expect(said("server > what neither answers")).toContain("made a stray request: GET http://model.invalid/v1/models");
});

test("a request made before a forgotten await is a stray that says so", () => {
  expect(said("forgotten > forgets to await")).toMatchInlineSnapshot(
    `"[vitest-tool-loop] The test "forgotten > forgets to await" made a stray request: POST http://model.invalid/v1/chat/completions, at agent.ts:LINE. It was blocked. serveModel(…) was called, but not awaited before this request. Write: await serveModel(…)."`,
  );
});

test("without the setup line a sentence says what is missing", async () => {
  const run = await runVitest({
    setup: false,
    files: {
      "a.test.ts": `
        import { test } from "vitest";
        import { scriptedModel, serveModel } from "vitest-tool-loop";
        test("serves", async () => { await serveModel(scriptedModel.lenient("hello")); });`,
    },
  });
  expect(run.test("serves").errors[0]!.message).toMatchInlineSnapshot(
    `"[vitest-tool-loop] serveModel() needs the setup line, and it did not run. Add setupFiles: ["vitest-tool-loop/setup"] under \`test\` in vitest.config.ts."`,
  );
});

test("what cannot be served, or told apart, is a usage error", async () => {
  const model = scriptedModel.lenient("hello");
  // biome-ignore lint/suspicious/noExplicitAny: wrong on purpose.
  const message = async (...args: any[]) => (await rejectionOf(serveModel(args[0], args[1]))).message;
  expect(await message("hello")).toMatchInlineSnapshot(
    `"[vitest-tool-loop] serveModel() needs a scripted model: expected what scriptedModel(…) returns, found "hello". Script the turns first, then pass the model."`,
  );
  expect(await message(model, "planner")).toMatchInlineSnapshot(
    `"[vitest-tool-loop] serveModel() cannot use its options: expected an object such as { when: { model: "gpt-5" } }, found "planner"."`,
  );
  expect(await message(model, { when: { sytem: /planner/ } })).toMatchInlineSnapshot(
    `"[vitest-tool-loop] serveModel() cannot use its option when: expected the keys model and system, found "sytem", at when. Write { when: { system: /planner/ } }, or a function of the request."`,
  );
  expect(await message(model, { when: { system: 7 } })).toMatchInlineSnapshot(
    `"[vitest-tool-loop] serveModel() cannot use its option when: expected a string or a RegExp, found 7, at when.system. Write { when: { system: /planner/ } }, or a function of the request."`,
  );
  expect(await message(model, { when: { model: /gpt/ } })).toMatchInlineSnapshot(
    `"[vitest-tool-loop] serveModel() cannot use its option when: expected a string, found /gpt/, at when.model. Write { when: { system: /planner/ } }, or a function of the request."`,
  );
  expect(await message(model, { when: "planner" })).toMatchInlineSnapshot(
    `"[vitest-tool-loop] serveModel() cannot use its option when: expected an object or a function, found "planner", at when. Write { when: { system: /planner/ } }, or a function of the request."`,
  );
  expect(await message(model, { hosts: "api.openai.com" })).toMatchInlineSnapshot(
    `"[vitest-tool-loop] serveModel() cannot use its option hosts: expected a list of host names, found "api.openai.com", at hosts. Write { hosts: ["api.openai.com"] }: a host and perhaps a port, without protocol and path."`,
  );
  expect(await message(model, { hosts: ["https://api.openai.com/v1"] })).toMatchInlineSnapshot(
    `"[vitest-tool-loop] serveModel() cannot use its option hosts: expected a list of host names, found "https://api.openai.com/v1", at hosts. Write { hosts: ["api.openai.com"] }: a host and perhaps a port, without protocol and path."`,
  );
});
