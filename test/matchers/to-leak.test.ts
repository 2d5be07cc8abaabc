import { homedir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { scriptedModel, toolCall } from "../../src/index.js";
import { runVitest } from "../support/child-vitest.js";
import { answers, asks, DIALECTS, spokenModel, weather, written } from "../support/conversations.js";
import { failureOf } from "../support/failure.js";

const SECRET = "hunter2-7f3a9c";

/** One conversation for each place that can hold a text. */
function planted(dialect: string, secret: string): Record<string, unknown> {
  const call = (name: string, args: unknown, id = "call_1") =>
    written(dialect, { user: "go" }, { calls: [asks(name, args, id)] });
  const result = (value: unknown) => [
    ...call("search", {}),
    ...written(dialect, { results: [answers("call_1", value)] }),
  ];
  return {
    "the user's words": written(dialect, { user: `my password is ${secret}` }),
    "the model's words": written(dialect, { user: "hi" }, { says: `it is ${secret}.` }),
    "a part": [{ role: "user", content: [{ type: "text", text: secret }] }],
    arguments: call("login", { password: secret }),
    "the name of an argument": call("login", { [secret]: 1 }),
    "the name of a tool": call(`login_${secret}`, {}),
    "the id of a call": call("login", {}, secret),
    "a result": result(`Error: ${secret} was refused`),
    "a result as JSON": result({ error: { message: `${secret} was refused` } }),
    "JSON in JSON": result({ body: JSON.stringify({ token: secret }) }),
    "an unknown field": [{ role: "user", content: "hi", metadata: { deep: [{ er: secret }] } }],
    "the name of an unknown field": [{ role: "user", content: "hi", [secret]: true }],
    "an unknown block": [{ role: "user", content: [{ type: "hologram", data: secret }] }],
    "the system text beside the messages": { system: `Your key: ${secret}`, messages: weather(dialect) },
    "a tool's description": { tools: [{ name: "a", description: `uses ${secret}` }], messages: weather(dialect) },
    "a tool's schema": { tools: [{ name: "a", input_schema: { default: secret } }], messages: weather(dialect) },
    "an Error in a message": [{ role: "user", content: "hi", cause: new Error("no", { cause: new Error(secret) }) }],
    "a Map in a message": [{ role: "user", content: "hi", extra: new Map([["token", secret]]) }],
  };
}

describe.each(DIALECTS)("in %s", (dialect) => {
  test.each(Object.keys(planted(dialect, SECRET)))("finds a planted secret in %s, and never prints it", (place) => {
    const subject = planted(dialect, SECRET)[place];
    expect(subject).toLeak(SECRET);
    expect(subject).toLeak(/hunter\d-\w+/);
    expect(failureOf(() => expect(subject).not.toLeak(SECRET))).not.toContain(SECRET);
    expect(planted(dialect, "harmless")[place]).not.toLeak(SECRET);
  });

  test("finds nothing in an ordinary conversation", () => {
    expect(weather(dialect)).not.toLeak();
    expect([]).not.toLeak();
  });

  test("looks into every request of a scripted model, with system text, tools and settings", async () => {
    const tool = () => SECRET;
    const model = await spokenModel([toolCall("search"), "done"], { dialect, tool });
    await model([{ role: "user", content: "a new conversation" }]).catch(() => {});
    expect(model).toLeak(SECRET);
    const options = {
      tools: [{ name: "a", inputSchema: { const: "in a schema" } }],
      settings: { user: "in settings" },
    };
    const other = scriptedModel.lenient("hi");
    await other([], options);
    expect(other).toLeak("in a schema");
    expect(other).toLeak("in settings");
    expect(other).not.toLeak(SECRET);
  });
});

const credentials: Record<string, string> = {
  "an OpenAI project key": "sk-proj-abcdefghijklmnopqrstuvwxyz0123456789ABCDEFGH",
  "an OpenAI key with its marker": "sk-abcdefghijklmnopqrstT3BlbkFJabcdefghijklmnopqrst",
  "an Anthropic key": `sk-ant-api03-${"aB3".repeat(31)}AA`,
  "a GitHub token": "ghp_abcdefghijklmnopqrstuvwxyz0123456789",
  "an AWS key id": "AKIAQ3EGRTYUIOPLKJHG",
  "a Slack token": "xoxb-123456789012-1234567890123-abcdefghijklmnopqrstuvwx",
  "a Google API key": "AIzaSyA-abcdefghijklmnopqrstuvwxyz01234",
  "a Stripe key": "sk_live_abcdefghijklmnopqrstuvwx",
  "an npm token": "npm_abcdefghijklmnopqrstuvwxyz0123456789",
  "a Hugging Face token": "hf_abcdefghijklmnopqrstuvwxyzABCDEFGH",
  "a private key": "-----BEGIN RSA PRIVATE KEY-----\nMIIEpAIBAAKCAQEA",
  "a JSON Web Token": "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.dozjgNryP4J3jVmNHl0w5N_XgL0n3I9PlFUP0THsR8U",
  "an authorization header": "Authorization: Bearer abcdef0123456789abcdef",
  "a password in an address": "https://ann:hunter2pass@db.example.com/x",
  "a database's connection string": "postgres://admin:s3cretpw@db.internal:5432/app",
};

test.each(Object.entries(credentials))("knows %s by its format, and never prints it", (_name, credential) => {
  const messages = written(
    "openai-chat",
    { user: "go" },
    { calls: [asks("query", {}, "call_1")] },
    { results: [answers("call_1", { error: `refused: ${credential} is not valid` })] },
  );
  const failure = failureOf(() => expect(messages).not.toLeak());
  expect(failure).toMatch(/> messages\[2\]\.content( \(decoded\)\.error)? +credential /);
  expect(failure).not.toContain(credential);
});

const frames: Record<string, string> = {
  "a V8 frame": new Error("boom").stack!,
  "a V8 frame without a function": "Error: boom\n    at /srv/app/db.js:3:9",
  "a stack joined to one line": "Error: boom at Object.query (/srv/app/db.js:3:9) at async run (/srv/app/run.js:1:1)",
  "a frame inside Node": "    at node:internal/process/task_queues:95:5",
  "a frame of a bundle": "    at async Module.run (webpack-internal:///./src/db.ts:3:9)",
  "a frame on Windows": "    at query (C:\\app\\db.js:3:9)",
  "a Firefox frame": "query@https://app.example.com/db.js:3:9",
  "a Python frame": '  File "/app/db.py", line 12, in query',
};

test.each(Object.entries(frames))("knows %s, also inside JSON", (_name, stack) => {
  expect(stack).toLeak();
  expect(written("anthropic", { user: "go" }, { says: stack })).toLeak();
  expect(JSON.stringify({ stack })).toLeak();
});

test("knows the paths of this machine", () => {
  expect(`ENOENT: no such file, open '${join(process.cwd(), "data/users.csv")}'`).toLeak();
  expect(`wrote file://${process.cwd()}/x`).toLeak();
  expect(join(homedir(), ".ssh/id_rsa")).toLeak();
});

test.each([
  "meet me at 10:30:15 or at 2026-01-01T10:30:15",
  "look into /etc/hosts and /usr/share/doc, or C:\\Windows",
  `https://example.com${homedir()}/page and ${homedir()}less`,
  "sk-learn-is-a-library-for-machine-learning-in-python",
  "the bearer of good news; Bearer tokens are explained below",
  "mail ann@example.com about ratio 3:4:5",
  "postgres://localhost:5432/app needs no password",
])("does not take this for a leak: %s", (text) => {
  expect(text).not.toLeak();
});

test("asks a pattern anew in each text, and leaves it as it was", () => {
  const pattern = /hunter2/gy;
  pattern.lastIndex = 3;
  expect(["hunter2", "hunter2"].map((text) => ({ role: "user", content: text }))).toLeak(pattern);
  expect("the hunter2").toLeak(pattern);
  expect(pattern.lastIndex).toBe(3);
});

test("finds an account number that is a number", () => {
  expect([{ role: "user", content: "hi", account: 4711_0815 }]).toLeak("47110815");
});

test("survives cycles, throwing getters and depth", () => {
  const circular: Record<string, unknown> = { role: "user", content: "hi" };
  circular.self = circular;
  Object.defineProperty(circular, "secret", {
    enumerable: true,
    get: () => {
      throw new Error("no");
    },
  });
  let deep: unknown = SECRET;
  for (let depth = 0; depth < 20_000; depth++) deep = [deep];
  expect([circular]).not.toLeak(SECRET);
  expect([circular, { role: "user", content: deep }]).toLeak(SECRET);
});

test("takes a recording", () => {
  const recording = { dialect: "openai-chat", chunks: [{ choices: [{ delta: { content: SECRET } }] }] };
  expect(recording).toLeak(SECRET);
  expect(recording).not.toLeak();
});

test("says where planted secrets stand, and masks them", async () => {
  const model = await spokenModel([toolCall("login"), "done"], { tool: () => ({ error: `refused: ${SECRET}` }) });
  expect(failureOf(() => expect(model).not.toLeak("nowhere", SECRET))).toMatchInlineSnapshot(`
    "expect(model).not.toLeak(…secrets)

    Expected no leak, but found 1 leak.

      > requests[1].messages[2].content  secret 2  hun… (3 of 14 characters shown)

    Keep secrets out of prompts, arguments and results: the error of a failed tool may hold one, so answer in words of your own."
  `);
});

test("says what kind of leak it is where nothing was planted", () => {
  const stack = "Error: boom\n    at query (/srv/app/db.js:3:9)\n    at run (/srv/app/run.js:1:1)";
  const messages = [
    { role: "user", content: "my key is sk-proj-abcdefghijklmnopqrstuvwxyz0123456789ABCDEFGH" },
    {
      role: "assistant",
      content: null,
      tool_calls: [{ id: "a", type: "function", function: { name: "q", arguments: "{}" } }],
    },
    { role: "tool", tool_call_id: "a", content: JSON.stringify({ stack }) },
  ];
  expect(failureOf(() => expect(messages).not.toLeak())).toMatchInlineSnapshot(`
    "expect(messages).not.toLeak()

    Expected no leak, but found 2 leaks.

      > messages[0].content  credential  sk-p… (4 of 52 characters shown)
      > messages[2].content  stack frame  at q… (4 of 29 characters shown)

    Keep secrets out of prompts, arguments and results: the error of a failed tool may hold one, so answer in words of your own. Where a tool failed, answer its call with a sentence of your own instead of the error, its stack and its paths."
  `);
});

test("masks a key that is the secret, and keeps it out of the paths below it", () => {
  const messages = [{ role: "user", content: "hi", sessions: { [SECRET]: { token: SECRET } } }];
  expect(failureOf(() => expect(messages).not.toLeak(SECRET))).toMatchInlineSnapshot(`
    "expect(messages).not.toLeak(…secrets)

    Expected no leak, but found 1 leak.

      > a key of messages[0].sessions  the secret  hun… (3 of 14 characters shown)

    Keep secrets out of prompts, arguments and results: the error of a failed tool may hold one, so answer in words of your own."
  `);
  expect(failureOf(() => expect(messages).not.toLeak(SECRET, /hunter2-.+/))).not.toContain(SECRET);
});

test("says that it found none, without printing what it looked for", () => {
  expect(failureOf(() => expect(weather("openai-chat")).toLeak(SECRET))).toMatchInlineSnapshot(`
    "expect(messages).toLeak(…secrets)

    Expected the secret to stand somewhere in the conversation, but none of its 31 texts holds it."
  `);
  expect(failureOf(() => expect("nothing").toLeak())).toMatchInlineSnapshot(`
    "expect(messages).toLeak()

    Expected a stack frame, a path of this machine or a credential to stand somewhere in the conversation, but none of its 1 text holds it."
  `);
});

test("refuses secrets that are none, without printing them", () => {
  expect(failureOf(() => expect([]).not.toLeak(""))).toMatchInlineSnapshot(
    `"[vitest-tool-loop] toLeak() takes strings that are not empty, or patterns, found an empty string as argument 1. A secret read from the environment may not be set there."`,
  );
  // @ts-expect-error a secret is a text or a pattern
  expect(failureOf(() => expect([]).not.toLeak("x", undefined))).toMatchInlineSnapshot(
    `"[vitest-tool-loop] toLeak() takes strings that are not empty, or patterns, found undefined as argument 2. A secret read from the environment may not be set there."`,
  );
});

const DECORATED = 'pa"ss/wört+%&7f3a9c';

/** A secret in each form in which a value can carry it into a request. */
const carried: Record<string, (secret: string) => unknown> = {
  "what toJSON gives": (secret) => ({ toJSON: () => ({ token: secret }) }),
  "a class with toJSON": (secret) =>
    new (class Session {
      readonly #token = secret;
      toJSON() {
        return { token: this.#token };
      }
    })(),
  URLSearchParams: (secret) => new URLSearchParams({ token: secret }),
  "an address": (secret) => new URL(`https://example.com/?q=${encodeURIComponent(secret)}`),
  FormData: (secret) => {
    const form = new FormData();
    form.set("token", secret);
    return form;
  },
  "a Map with it as a key": (secret) => new Map([[secret, 1]]),
  "a Map with an object as a key": (secret) => new Map([[{ token: secret }, 1]]),
  "a Set": (secret) => new Set([{ token: secret }]),
  "an error's message": (secret) => new Error(`refused: ${secret}`),
  "an error's cause": (secret) => new Error("refused", { cause: { token: secret } }),
  "one of several errors": (secret) => new AggregateError([new Error(secret)], "all refused"),
  "a String object": (secret) => Object(secret),
  "a Buffer": (secret) => Buffer.from(`token=${secret}`),
  "a typed array": (secret) => new TextEncoder().encode(secret),
  "an ArrayBuffer": (secret) => new TextEncoder().encode(secret).buffer,
  "a Buffer sent as JSON": (secret) => JSON.stringify({ body: Buffer.from(secret) }),
  "lines of JSON": (secret) => `${JSON.stringify({ step: 1 })}\n${JSON.stringify({ token: secret })}\n`,
  "events of JSON": (secret) => `event: message\ndata: ${JSON.stringify({ token: secret })}\n\n`,
  "JSON in JSON in JSON": (secret) => JSON.stringify({ body: JSON.stringify({ body: JSON.stringify(secret) }) }),
  "JSON in prose": (secret) => `The server says ${JSON.stringify({ token: secret })}.`,
  "JSON that was cut": (secret) => JSON.stringify({ token: secret, more: 1 }).slice(0, -4),
  "JSON with every letter escaped": (secret) =>
    `{"token":"${[...secret].map((char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`).join("")}"} <`,
  "a percent-encoded query": (secret) => `/login?token=${encodeURIComponent(secret)}&x=1`,
  "a form": (secret) => new URLSearchParams({ token: secret }).toString(),
  base64: (secret) => Buffer.from(secret).toString("base64"),
  "base64 for addresses": (secret) => Buffer.from(`?>~${secret}`).toString("base64url"),
  "a basic authorization": (secret) => `Basic ${Buffer.from(`admin:${secret}`).toString("base64")}`,
  "base64 of what surrounds it": (secret) => Buffer.from(`{"t":"${secret}"}`).toString("base64"),
};

test.each(Object.keys(carried))("finds a planted secret in %s, and no other", (form) => {
  const messages = (secret: string) => [{ role: "user", content: "hi", extra: carried[form]!(secret) }];
  for (const secret of [SECRET, DECORATED]) {
    // What base64 surrounds with quotes it had to escape first.
    if (form === "base64 of what surrounds it" && secret.includes('"')) continue;
    expect(messages(secret)).toLeak(secret);
    expect(messages(secret)).not.toLeak(`${secret}-other`, "another-secret");
    expect(failureOf(() => expect(messages(secret)).not.toLeak(secret))).not.toContain(secret);
  }
});

test("finds headers by name and value", () => {
  const headers = new Headers({ authorization: `Bearer ${SECRET}` });
  expect([{ role: "user", content: "hi", headers }]).toLeak(SECRET);
  expect(failureOf(() => expect([{ role: "user", content: "hi", headers }]).not.toLeak(SECRET))).toContain(
    "messages[0].headers.authorization",
  );
});

test("finds what a pattern means in escaped text, too", () => {
  expect(`<${JSON.stringify('say "hunter2"')}>`).toLeak(/say "hunter\d"/);
  expect("?q=say%20hunter2").toLeak(/say hunter\d/);
});

test("ends where each toJSON gives another object", () => {
  const endless = (): object => ({ toJSON: endless, token: SECRET });
  expect([{ role: "user", content: "hi", endless: endless() }]).toLeak(SECRET);
  expect([{ role: "user", content: "hi", endless: endless() }]).not.toLeak("another-secret");
});

test("does not take bytes that are no text for one", () => {
  expect([{ role: "user", content: "hi", image: Uint8Array.from([0xff, 0xd8, 0xff, 0xe0]) }]).not.toLeak("ÿØÿà");
});

test("is not printed as an asymmetric matcher, whichever expect made it", async () => {
  const run = await runVitest({
    files: {
      "leak.test.ts": `import { expect, test, vi } from "vitest";
        const SECRET = ["hunter2", "7f3a9c"].join("-");
        const harmless = [{ role: "user", content: "hi" }];
        const fn = vi.fn();
        fn(42);
        test("called", () => expect(fn).toHaveBeenCalledWith(expect.not.toLeak(SECRET)));
        test("called, with the expect of the test", ({ expect }) => expect(fn).toHaveBeenCalledWith(expect.not.toLeak(SECRET)));
        test("equal", () => expect({ out: harmless }).toEqual({ out: expect.toLeak(SECRET) }));
        test("equal, with the expect of the test", ({ expect }) => expect({ out: harmless }).toEqual({ out: expect.toLeak(SECRET) }));
        test("strictly", () => expect({ out: 42 }).toStrictEqual({ out: expect.not.toLeak(SECRET) }));
        test("in a list", () => expect([42]).toContainEqual(expect.not.toLeak(SECRET)));
        test("in an object", () => expect({ out: 42 }).toMatchObject({ out: expect.not.toLeak(SECRET) }));
        test("in a matcher of ours", () => expect(harmless).toHaveAppended([expect.not.toLeak(SECRET)]));
        test("in another", () => expect(harmless).toHaveCalledTool("search", { key: expect.not.toLeak(SECRET) }));
        test("passes", () => expect({ out: harmless }).toEqual({ out: expect.not.toLeak(SECRET) }));`,
    },
  });
  expect(run.tests.filter(({ state }) => state === "passed").map(({ name }) => name)).toEqual(["passes"]);
  expect(run.output).toContain('not.toLeak<"(a secret, not shown)">');
  expect(JSON.stringify(run)).not.toContain(SECRET);
});
