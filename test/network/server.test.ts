import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { runVitest } from "../support/child-vitest.js";
import { type Outside, startOutside } from "../support/outside.js";

let outside: Outside;
beforeAll(async () => {
  outside = await startOutside();
});
afterEach(() => {
  outside.arrivals.length = 0;
});
afterAll(() => outside.close());

const run = (source: string, config = {}) =>
  runVitest({
    config,
    files: {
      "a.test.ts": `
        import { http, HttpResponse, passthrough, bypass } from "msw";
        import { setupServer } from "msw/node";
        import { network } from "vitest-tool-loop";
        import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
        const URL_ = "http://127.0.0.1:${outside.port}";
        const get = (path) => fetch(URL_ + path).then((response) => response.text(), () => "no answer");
        const sleep = (ms) => new Promise((done) => setTimeout(done, ms));
        ${source}`,
    },
  });

/** What each test found wrong, in short. */
const told = ({ tests, fileErrors, unhandled }: Awaited<ReturnType<typeof run>>) => [
  ...tests.flatMap(({ name, errors }) => errors.map(({ message }) => `${name}: ${short(message)}`)),
  ...fileErrors.map(({ message }) => `file: ${short(message)}`),
  ...unhandled.map(({ message }) => `run: ${short(message)}`),
];
const short = (message: string) =>
  message
    .replace(/\[vitest-tool-loop\] The test ".*?" made a stray request: /, "")
    .replace(/http:\/\/127\.0\.0\.1:\d+/, "")
    .replace(/, at .*/, "");

test("network.use answers the requests of its test, and of no other", async () => {
  const result = await run(`
    test("before", async () => { expect(await get("/a")).toBe("no answer"); });
    test("uses", async () => {
      await network.use(http.get("*/a", () => HttpResponse.text("mocked")));
      expect(await get("/a")).toBe("mocked");
      expect(await get("/b")).toBe("no answer");
    });
    test("after", async () => { expect(await get("/a")).toBe("no answer"); });
    describe.concurrent("at the same time", () => {
      for (const name of ["one", "two"]) test(name, async () => {
        await network.use(http.get("*/a", () => HttpResponse.text(name)));
        await sleep(20);
        expect(await get("/a")).toBe(name);
      });
      test("three", async () => { await sleep(10); expect(await get("/a")).toBe("no answer"); });
    });
  `);
  expect(outside.arrivals).toEqual([]);
  expect(told(result)).toEqual(["before: GET /a", "uses: GET /b", "after: GET /a", "at the same time > three: GET /a"]);
});

test("handlers given outside of tests are the file's; those of a test come first, and later ones before earlier ones", async () => {
  const result = await run(`
    await network.use(http.get("*/:path", () => HttpResponse.text("file")));
    beforeAll(() => network.use(http.get("*/hook", () => HttpResponse.text("hook"))));
    test("sees both", async () => { expect([await get("/a"), await get("/hook")]).toEqual(["file", "hook"]); });
    test("puts its own before", async () => {
      await network.use(http.get("*/a", () => HttpResponse.text("first")));
      await network.use(http.get("*/a", () => HttpResponse.text("second")));
      expect([await get("/a"), await get("/b")]).toEqual(["second", "file"]);
    });
    test("is as before", async () => { expect(await get("/a")).toBe("file"); });
  `);
  expect(told(result)).toEqual([]);
});

test("a client that was made at module level is served", async () => {
  const result = await run(`
    import OpenAI from "openai";
    import { request } from "node:http";
    const captured = fetch;
    const client = new OpenAI({ apiKey: "none", baseURL: URL_ + "/v1", maxRetries: 0 });
    const viaHttp = (path) => new Promise((done) => request(URL_ + path, (r) => r.setEncoding("utf8").on("data", done)).on("error", done).end());
    test("all of them", async () => {
      await network.use(
        http.get("*/a", () => HttpResponse.text("mocked")),
        http.post("*/v1/chat/completions", () => HttpResponse.json({ choices: [{ index: 0, finish_reason: "stop", message: { role: "assistant", content: "mocked" } }] })),
      );
      expect(await captured(URL_ + "/a").then((r) => r.text())).toBe("mocked");
      expect(await viaHttp("/a")).toBe("mocked");
      const { choices } = await client.chat.completions.create({ model: "m", messages: [{ role: "user", content: "hi" }] });
      expect(choices[0].message.content).toBe("mocked");
    });
  `);
  expect(outside.arrivals).toEqual([]);
  expect(told(result)).toEqual([]);
});

test("a connection that was kept alive before MSW came carries nothing out", async () => {
  const result = await run(`
    test("warm", async () => {
      network.allow("127.0.0.1");
      expect(await get("/real")).toBe("{}");
      await network.use(http.get("*/mocked", () => HttpResponse.text("mocked")));
      expect(await get("/mocked")).toBe("mocked");
    });
  `);
  expect(outside.arrivals).not.toContain("GET /mocked");
  expect(told(result)).toEqual([]);
});

test("what no handler answers is a stray, unless it is allowed or dropped", async () => {
  const result = await run(`
    await network.use(http.get("*/redirects", () => HttpResponse.redirect(URL_ + "/target")), http.get("*/passes", () => passthrough()));
    test("unhandled", async () => { await get("/unhandled"); });
    test("an asset's path", async () => { await get("/data.json"); });
    test("redirected", async () => { await get("/redirects"); });
    test("passed on", async () => { await get("/passes"); });
    test("bypassed", async () => { await fetch(bypass(URL_ + "/bypassed")).catch(() => {}); });
    test("allowed", async () => {
      network.allow(URL_ + "/real/*");
      expect(await get("/real/a")).toBe("{}");
      expect(await get("/other")).toBe("no answer");
    });
    test("dropped", async () => { network.drop("127.0.0.1"); expect(await get("/dropped")).toBe(""); });
  `);
  expect(outside.arrivals.filter((arrival) => arrival !== "connection")).toEqual(["GET /real/a"]);
  expect(told(result)).toEqual([
    "unhandled: GET /unhandled",
    "an asset's path: GET /data.json",
    "redirected: GET /target",
    "passed on: GET /passes",
    "bypassed: GET /bypassed",
    "allowed: GET /other",
  ]);
});

test("what never leaves this machine passes, whichever server listens", async () => {
  const result = await run(`
    import { Agent, createServer, request } from "node:http";
    const socketPath = "/tmp/" + process.pid + "-" + Math.random().toString(36).slice(2) + ".sock";
    const unix = createServer((request, response) => response.end("unix " + request.url));
    beforeAll(() => new Promise((done) => unix.listen(socketPath, done)));
    afterAll(() => unix.close());
    const viaSocket = (options) => new Promise((done, fail) =>
      request({ path: "/a", ...options }, (response) => response.setEncoding("utf8").on("data", done)).on("error", fail).end());
    const all = async () => [
      await fetch("data:text/plain,hi").then((response) => response.text()),
      await fetch(URL.createObjectURL(new Blob(["hi"]))).then((response) => response.text()),
      await fetch("file:///etc/hosts").catch(({ cause }) => cause.message),
      await viaSocket({ socketPath }),
      await viaSocket({ socketPath, agent: new Agent({ keepAlive: true }) }),
      await viaSocket({ agent: new Agent({ socketPath }) }),
      await viaSocket({ socketPath, agent: false }),
    ];
    const expected = ["hi", "hi", "not implemented... yet...", "unix /a", "unix /a", "unix /a", "unix /a"];
    test("none", async () => { expect(await all()).toEqual(expected); });
    test("ours", async () => {
      await network.use(http.get("http://other.invalid/", () => HttpResponse.text("mocked")));
      expect(await all()).toEqual(expected);
    });
    test("theirs", async () => {
      const server = setupServer();
      server.listen({ onUnhandledRequest: "error", onUnhandledFrame: "error" });
      expect(await all()).toEqual(expected);
      await get("/stray");
      server.close();
    });
    test("a handler for everything answers what goes over the network", async () => {
      await network.use(http.all("*", () => HttpResponse.text("mocked")));
      expect((await all()).slice(0, 3)).toEqual(expected.slice(0, 3));
      expect(await get("/a")).toBe("mocked");
    });
  `);
  expect(outside.arrivals).toEqual([]);
  expect(told(result)).toEqual(["theirs: GET /stray"]);
});

test("network.msw() is an MSW server like any other", async () => {
  const result = await run(`
    const server = await network.msw();
    afterEach(() => server.resetHandlers());
    test("use", async () => {
      const matched = [];
      server.events.on("request:match", ({ request }) => matched.push(new URL(request.url).pathname));
      server.use(http.get("*/a", () => HttpResponse.text("server")));
      expect(await get("/a")).toBe("server");
      expect(matched).toEqual(["/a"]);
    });
    test("reset", async () => { await get("/a"); });
    test("close: it is the global server, and stays", async () => {
      server.close();
      server.use(http.get("*/a", () => HttpResponse.text("still there")));
      expect(await get("/a")).toBe("still there");
    });
    test.concurrent("boundary", server.boundary(async () => {
      server.use(http.get("*/b", () => HttpResponse.text("bounded")));
      expect(await get("/b")).toBe("bounded");
    }));
  `);
  expect(told(result)).toEqual(["reset: GET /a"]);
});

test("a forgotten await is named in the sentence", async () => {
  const result = await run(`
    test("forgets", async () => { network.use(http.get("*/a", () => HttpResponse.text("mocked"))); await get("/a"); });
  `);
  const [error] = result.tests[0]!.errors;
  expect(error!.message.replaceAll(String(outside.port), "PORT")).toMatchInlineSnapshot(
    `"[vitest-tool-loop] The test "forgets" made a stray request: GET http://127.0.0.1:PORT/a, at a.test.ts:7:31. It was blocked. network.use(…) was called, but not awaited before this request. Write: await network.use(…)."`,
  );
});

test.each(["error", "warn", "bypass", "() => {}"])(
  "a user's own server keeps working with policy %s, and its strays are caught",
  async (policy) => {
    const option = policy.startsWith("(") ? policy : JSON.stringify(policy);
    const result = await run(`
    import { request } from "node:http";
    const viaHttp = (path) => new Promise((done) => request(URL_ + path, (r) => r.resume().on("end", done)).on("error", done).end());
    const server = setupServer(http.get("*/user", () => HttpResponse.text("user")));
    beforeAll(async () => { server.listen({ onUnhandledRequest: ${option}, onUnhandledFrame: ${option} }); await get("/in-hook"); });
    afterEach(() => server.resetHandlers());
    afterAll(() => server.close());
    test("its handler", async () => { expect(await get("/user")).toBe("user"); });
    test("stray by fetch", async () => { await get("/stray"); });
    test("stray by node:http", async () => { await viaHttp("/stray-http"); });
    test.concurrent("concurrent, innocent", async () => { expect(await get("/user")).toBe("user"); await sleep(30); });
    test.concurrent("concurrent, stray", async () => { await sleep(10); await get("/stray-concurrent"); await sleep(10); });
    test("handlers of both", async () => {
      let answers = 0;
      await network.use(http.get("*/ours", () => HttpResponse.text("ours " + ++answers)));
      server.use(http.get("*/once", () => HttpResponse.text("once"), { once: true }), http.get("*/once", () => HttpResponse.text("again")));
      expect([await get("/ours"), await get("/user"), await get("/once"), await get("/once")]).toEqual(["ours 1", "user", "once", "again"]);
    });
    test("allowed", async () => { network.allow("127.0.0.1"); expect(await get("/real")).toBe("{}"); });
  `);
    expect(outside.arrivals.filter((arrival) => arrival !== "connection")).toEqual(["GET /real"]);
    expect(told(result)).toEqual([
      "stray by fetch: GET /stray",
      "stray by node:http: GET /stray-http",
      "concurrent, stray: GET /stray-concurrent",
      expect.stringMatching(/^file: \[vitest-tool-loop\] A hook of the file.* GET \/in-hook/),
    ]);
  },
);

test("after a user's server closed, strays are caught and the global server answers", async () => {
  const result = await run(`
    describe("their server", () => {
      const server = setupServer(http.get("*/user", () => HttpResponse.text("user")));
      beforeAll(() => server.listen({ onUnhandledRequest: "error", onUnhandledFrame: "error" }));
      afterAll(() => server.close());
      test("answers", async () => { expect(await get("/user")).toBe("user"); });
      test("beside ours", async () => {
        await network.use(http.get("*/ours", () => HttpResponse.text("ours")));
        expect([await get("/ours"), await get("/user")]).toEqual(["ours", "user"]);
      });
    });
    test("stray after it closed", async () => { expect(await get("/user")).toBe("no answer"); });
    test("ours after it closed", async () => {
      await network.use(http.get("*/ours", () => HttpResponse.text("ours")));
      expect(await get("/ours")).toBe("ours");
    });
    describe("their second server", () => {
      const server = setupServer(http.get("*/user", () => HttpResponse.text("second")));
      beforeAll(() => server.listen({ onUnhandledRequest: "bypass", onUnhandledFrame: "bypass" }));
      afterAll(() => server.close());
      test("answers again", async () => { expect(await get("/user")).toBe("second"); });
    });
  `);
  expect(outside.arrivals).toEqual([]);
  expect(told(result)).toEqual(["stray after it closed: GET /user"]);
});

test.each(["forks", "threads", "vmThreads", "vmForks"])(
  "the next file in the same worker starts without handlers, in %s",
  async (pool) => {
    const file = `
    import { http, HttpResponse } from "msw"; import { network } from "vitest-tool-loop"; import { expect, test } from "vitest";
    const get = () => fetch("http://127.0.0.1:${outside.port}/a").then((response) => response.text(), () => "no answer");
    test("alone", async () => { expect(await get()).toBe("no answer"); });
    test("uses", async () => {
      await network.use(http.get("*/a", () => HttpResponse.text("mocked")));
      expect(await get()).toBe("mocked");
    });`;
    const result = await runVitest({
      files: { "a.test.ts": file, "b.test.ts": file },
      config: { pool, isolate: false },
    });
    expect(outside.arrivals).toEqual([]);
    expect(told(result)).toEqual(["alone: GET /a", "alone: GET /a"]);
  },
);
