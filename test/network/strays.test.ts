import { afterEach, describe, expect, test, vi } from "vitest";
import { destinationOf } from "../../src/network/patterns.js";
import { isModelProvider } from "../../src/network/providers.js";
import { printableUrl } from "../../src/network/redact.js";
import { Scope } from "../../src/network/scope.js";
import { strayErrors, straysOf } from "../../src/network/strays.js";

const STACK = `Error
    at connect (node:net:1:1)
    at send (/app/node_modules/sdk/index.js:9:9)
    at ask (${process.cwd()}/app/agent.ts:12:7)`;

function refused(...requests: [method: string, url: string][]): Scope {
  const scope = new Scope({ test: "refunds" });
  for (const [method, url] of requests) {
    const request = { method, ...destinationOf(new URL(url)), stack: STACK };
    scope.see(request);
    scope.lose(request, "refused");
  }
  return scope;
}

const sentences = (scope: Scope) => strayErrors(scope, scope.takeStrays(), true).map(({ message }) => message);

describe("the sentence of a stray", () => {
  afterEach(() => {
    vi.unstubAllGlobals();
  });

  test("names the test, the request, the user's line and what to do", () => {
    expect(sentences(refused(["GET", "https://api.example.com/users"]))).toMatchInlineSnapshot(`
      [
        "[vitest-tool-loop] The test "refunds" made a stray request: GET https://api.example.com/users, at app/agent.ts:12:7. It was blocked. Answer it: await network.use(http.get("https://api.example.com/users", () => HttpResponse.json({}))); or let it out: network.allow("https://api.example.com/users").",
      ]
    `);
  });

  test("offers a scripted model where a model was asked", () => {
    expect(sentences(refused(["POST", "https://api.openai.com/v1/responses"]))).toMatchInlineSnapshot(`
      [
        "[vitest-tool-loop] The test "refunds" made a stray request: POST https://api.openai.com/v1/responses, at app/agent.ts:12:7. It was blocked. Script the model: await serveModel(model); or let it out: network.allow("https://api.openai.com/v1/responses").",
      ]
    `);
  });

  test("offers a pattern that holds no secret either", () => {
    const [sentence] = sentences(refused(["GET", "https://a.invalid/keys/sk-proj-abcdefghijklmnop/use?token=x"]));
    expect(sentence).toMatchInlineSnapshot(
      `"[vitest-tool-loop] The test "refunds" made a stray request: GET https://a.invalid/keys/…/use?token=…, at app/agent.ts:12:7. It was blocked. Answer it: await network.use(http.get("https://a.invalid/keys/*/use", () => HttpResponse.json({}))); or let it out: network.allow("https://a.invalid/keys/*/use")."`,
    );
  });

  test("counts what is repeated", () => {
    const scope = refused(
      ["GET", "https://a.invalid/1"],
      ["GET", "https://a.invalid/2"],
      ["GET", "https://a.invalid/1"],
    );
    expect(sentences(scope).map((sentence) => /GET.*?, at/.exec(sentence)![0])).toEqual([
      "GET https://a.invalid/1 (2 times), at",
      "GET https://a.invalid/2, at",
    ]);
  });

  test("says how many more there are after the tenth", () => {
    const scope = refused(
      ...Array.from({ length: 14 }, (_, index) => ["GET", `https://a.invalid/${index}`] as [string, string]),
    );
    const all = sentences(scope);
    expect(all.length).toBe(10);
    expect(all.at(-1)).toMatch(/ \(4 more strays are not shown\.\)$/);
  });

  test("names a connection by host and port", () => {
    const scope = new Scope({ test: "queries" });
    scope.block({ kind: "TCP", host: "::1", port: 5432, stack: STACK });
    scope.block({ kind: "DNS", host: "db.invalid", stack: "" });
    expect(sentences(scope)).toMatchInlineSnapshot(`
      [
        "[vitest-tool-loop] The test "queries" opened a stray TCP connection: [::1]:5432, at app/agent.ts:12:7. It was blocked. Let it out: network.allow("[::1]:5432"), or all servers of this machine: network.allow("loopback").",
        "[vitest-tool-loop] The test "queries" looked up a stray host name: db.invalid. It was blocked. Let it out: network.allow("db.invalid").",
      ]
    `);
  });

  test("says where, if what a test says does not count", () => {
    const file = new Scope({ phase: "import" });
    const inPhase = (phase: "import" | "hook" | "late", test?: string) => {
      const scope = new Scope({ phase, test, file });
      scope.see({ method: "GET", ...destinationOf(new URL("https://api.example.com/users")), stack: STACK });
      for (const request of scope.pending({ host: "api.example.com" })) scope.lose(request, "refused");
      scope.block({ kind: "TCP", host: "db.invalid", port: 5432, stack: STACK });
      return sentences(scope).map((sentence) => sentence.replace(/^.*blocked\. /, ""));
    };
    expect([
      ...inPhase("import"),
      ...inPhase("hook"),
      ...inPhase("late", "refunds"),
      ...inPhase("late"),
    ]).toMatchInlineSnapshot(`
      [
        "At the top of the file, answer it: await network.use(http.get("https://api.example.com/users", () => HttpResponse.json({}))); or let it out: network.allow("https://api.example.com/users").",
        "At the top of the file, let it out: network.allow("db.invalid:5432").",
        "At the top of the file, answer it: await network.use(http.get("https://api.example.com/users", () => HttpResponse.json({}))); or let it out: network.allow("https://api.example.com/users").",
        "At the top of the file, let it out: network.allow("db.invalid:5432").",
        "Await it before the test ends; or at the top of the file, answer it: await network.use(http.get("https://api.example.com/users", () => HttpResponse.json({}))); or let it out: network.allow("https://api.example.com/users").",
        "Await it before the test ends; or at the top of the file, let it out: network.allow("db.invalid:5432").",
        "Await it before the file ends; or at the top of the file, answer it: await network.use(http.get("https://api.example.com/users", () => HttpResponse.json({}))); or let it out: network.allow("https://api.example.com/users").",
        "Await it before the file ends; or at the top of the file, let it out: network.allow("db.invalid:5432").",
      ]
    `);
  });

  test("offers a child no answer: handlers do not reach it", () => {
    const scope = new Scope({ test: "starts a server" });
    for (const url of ["https://api.openai.com/v1/responses", "https://api.example.com/users"]) {
      scope.adopt({ method: "POST", ...destinationOf(new URL(url)), stack: STACK, child: "process" });
    }
    expect(sentences(scope)).toMatchInlineSnapshot(`
      [
        "[vitest-tool-loop] The test "starts a server", in a child process, made a stray request: POST https://api.openai.com/v1/responses, at app/agent.ts:12:7. It was blocked. Let it out: network.allow("https://api.openai.com/v1/responses").",
        "[vitest-tool-loop] The test "starts a server", in a child process, made a stray request: POST https://api.example.com/users, at app/agent.ts:12:7. It was blocked. Let it out: network.allow("https://api.example.com/users").",
      ]
    `);
  });

  test("offers a handler that exists for any method", () => {
    expect(sentences(refused(["PROPFIND", "https://a.invalid/"]))[0]).toContain('http.all("https://a.invalid/", ');
  });

  test("names the default origin of a DOM environment, where a relative URL goes", () => {
    vi.stubGlobal("location", new URL("http://localhost:3000/"));
    expect(sentences(refused(["GET", "http://localhost:3000/api/users"]))[0]).toContain(
      "http://localhost:3000 is the test environment's default origin, where relative URLs go.",
    );
    expect(sentences(refused(["GET", "http://localhost:3001/"]))[0]).not.toContain("default origin");
  });

  test("points Vitest at the user's line", () => {
    const scope = refused(["GET", "https://a.invalid/"]);
    expect(straysOf(scope)[0]!.at).toBe(`${process.cwd()}/app/agent.ts:12:7`);
    expect(strayErrors(scope, scope.takeStrays(), true)[0]!.stack!.split("\n").at(-1)).toBe(
      `    at ${process.cwd()}/app/agent.ts:12:7`,
    );
  });
});

test.each([
  ["https://user:pass@a.invalid/x#part", "https://a.invalid/x"],
  ["https://a.invalid/?key=AIzaSyA1234567890123456789012&q=cats", "https://a.invalid/?key=…&q=cats"],
  [
    "https://a.invalid/?X-Amz-Signature=abc&access_token=t&page=2",
    "https://a.invalid/?X-Amz-Signature=…&access_token=…&page=2",
  ],
  ["https://a.invalid/keys/sk-proj-abcdefghijklmnop/rotate", "https://a.invalid/keys/…/rotate"],
  ["https://api.telegram.org/bot123456:AAEhBOweik6ad9r_QXMENQjcrGbqCr4K-bc/send", "https://api.telegram.org/…/send"],
  ["https://a.invalid/?monkey=", "https://a.invalid/?monkey="],
  [
    "https://a.invalid/?session=a&authorization=b&auth=c&pass=d&otp=123456&sig=e&code=f&jwt=g&user_pin=1234",
    "https://a.invalid/?session=…&authorization=…&auth=…&pass=…&otp=…&sig=…&code=…&jwt=…&user_pin=…",
  ],
  ["https://a.invalid/?%74oken=x&api%5Fkey=y", "https://a.invalid/?%74oken=…&api%5Fkey=…"],
  ["https://a.invalid/?x=aGVsbG8gd29ybGQgaGVsbG8&email=ann@example.com", "https://a.invalid/?x=…&email=…"],
  ["https://a.invalid/?q=a=b=sk-proj-abcdefghijklmnop&sk-proj-abcdefghijklmnop", "https://a.invalid/?q=…&…"],
  ["https://a.invalid/?sk-proj-abcdefghijklmnop=1", "https://a.invalid/?…=1"],
  [
    "https://a.invalid/?page=2&sort=created_at:desc&alt=sse&model=gpt-4o-mini&api-version=2026-10-21-preview&all",
    "https://a.invalid/?page=2&sort=created_at:desc&alt=sse&model=gpt-4o-mini&api-version=2026-10-21-preview&all",
  ],
  [
    "https://hooks.slack.com/services/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",
    "https://hooks.slack.com/services/T024BE7LD/B0G9QF9GW/…",
  ],
  ["https://a.invalid/%73k-proj-abcdefghijklmnop/%zz", "https://a.invalid/…/%zz"],
  [
    "https://a.invalid/v1/models/claude-sonnet-4-5-20250929/2f1c9a52-0b1d-4f1e-9c1e-0a1b2c3d4e5f",
    "https://a.invalid/v1/models/claude-sonnet-4-5-20250929/2f1c9a52-0b1d-4f1e-9c1e-0a1b2c3d4e5f",
  ],
])("a printed URL holds no secret: %s", (url, printed) => {
  expect(printableUrl(url)).toBe(printed);
});

test("a long URL is cut, and says how long it was", () => {
  expect(printableUrl(`https://a.invalid/${"x".repeat(500)}`)).toMatch(
    /^https:\/\/a\.invalid\/x+… \(518 characters\)$/,
  );
});

test.each([
  "https://api.openai.com/v1/models",
  "https://my-resource.openai.azure.com/anything",
  "https://bedrock-runtime.eu-central-1.amazonaws.com/",
  "https://us-central1-aiplatform.googleapis.com/v1/x",
  "https://generativelanguage.googleapis.com/v1beta/models",
  "https://openrouter.ai/api/v1/chat/completions",
  "http://127.0.0.1:11434/api/chat",
  "http://gateway.internal/openai/v1/chat/completions",
  "http://gateway.internal/v1/messages",
  "http://gateway.internal/v1beta/models/gemini-pro:streamGenerateContent?alt=sse",
  "http://gateway.internal/model/anthropic.claude/converse-stream",
])("a model is behind %s", (url) => {
  expect(isModelProvider(destinationOf(new URL(url)))).toBe(true);
});

test.each([
  "https://api.example.com/v1/users",
  "https://openai.com.evil.com/",
  "https://api.openai.com.evil.com/",
  "https://mail.internal/messages",
  "https://api.stripe.com/v1/charges",
])("no model is behind %s", (url) => {
  expect(isModelProvider(destinationOf(new URL(url)))).toBe(false);
});
