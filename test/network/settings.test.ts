import { join } from "node:path";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { type ChildRun, runVitest } from "../support/child-vitest.js";
import { type Outside, startOutside } from "../support/outside.js";

let outside: Outside;
beforeAll(async () => {
  outside = await startOutside();
});
afterEach(() => {
  outside.arrivals.length = 0;
});
afterAll(() => outside.close());

/** Runs tests that have `get(path)`, a swallowed request, and its raw counterpart `connect()`. */
const run = (tests: string | Record<string, string>, toolLoop = {}, config = {}) =>
  runVitest({
    config: { provide: { toolLoop }, ...config },
    files: Object.fromEntries(
      Object.entries(typeof tests === "string" ? { "a.test.ts": tests } : tests).map(([name, source]) => [
        name,
        `import http from "node:http";
        import net from "node:net";
        import { afterAll, beforeAll, describe, expect, test } from "vitest";
        import { network } from "vitest-tool-loop";
        const PORT = ${outside.port};
        const get = async (path) => {
          const response = await fetch("http://127.0.0.1:" + PORT + path).catch(() => undefined);
          await response?.text();
          return response?.status;
        };
        const connect = () => new Promise((done) => {
          const socket = net.connect(PORT, "127.0.0.1", () => { socket.destroy(); done(true); }).on("error", () => done(false));
        });
        ${source}`,
      ]),
    ),
  });

const failures = ({ tests }: ChildRun) => tests.filter(({ state }) => state === "failed").map(({ name }) => name);
const requests = () => outside.arrivals.filter((arrival) => arrival !== "connection");

test("network.allow lets a request out for the test that calls it, and for no other", async () => {
  const result = await run(`
    describe.each([
      ["localhost"],
      ["loopback"],
      ["127.0.0.1"],
      ["127.0.0.1:" + PORT],
      ["http://127.0.0.1:" + PORT],
      ["http://127.0.0.1:" + PORT + "/v1/*"],
      ["http://localhost:" + PORT + "/v1/*"],
      ["*://127.0.0.1:*/v1/:what"],
      [new URL("http://127.0.0.1:" + PORT)],
      [/\\/v1\\/users$/],
    ])("%s", (pattern) => {
      test("stray before", async () => { await get("/v1/users"); });
      test("allowed", async () => {
        network.allow(pattern);
        expect(await get("/v1/users")).toBe(200);
      });
      test("stray after, on the connection that was kept alive", async () => { await get("/v1/users"); });
    });
  `);
  expect(result.tests.map(({ name, state }) => [name.replace(/.* > /, ""), state])).toEqual(
    Array.from({ length: 10 }, () => [
      ["stray before", "failed"],
      ["allowed", "passed"],
      ["stray after, on the connection that was kept alive", "failed"],
    ]).flat(),
  );
  expect(requests()).toEqual(Array.from({ length: 10 }, () => "GET /v1/users"));
});

test("network.allow lets nothing out that it does not name", async () => {
  const result = await run(`
    test.each([
      ["127.0.0.1:1"],
      ["http://127.0.0.1:" + PORT + "/v2/*"],
      ["https://127.0.0.1:" + PORT + "/v1/*"],
      ["http://127.0.0.1/v1/*"],
      ["example.com"],
      [/v2/],
    ])("%s", async (pattern) => { network.allow(pattern); await get("/v1/users"); });
  `);
  expect(result.tests.map(({ state }) => state)).toEqual(Array.from({ length: 6 }, () => "failed"));
  expect(requests()).toEqual([]);
});

test("a path counts for HTTP, on an open connection too; for other clients host and port do", async () => {
  const result = await run(`
    const pattern = "http://127.0.0.1:" + PORT + "/v1/*";
    const agent = new http.Agent({ keepAlive: true, maxSockets: 1 });
    const viaHttp = (path) => new Promise((done) => {
      http.get({ port: PORT, host: "127.0.0.1", path, agent }, (r) => r.resume().on("end", () => done(r.statusCode))).on("error", () => done());
    });
    test("fetch strays from the path", async () => {
      network.allow(pattern);
      expect(await get("/v1/a")).toBe(200);
      expect(await get("/v2/a")).toBe(undefined);
    });
    test("node:http strays from the path", async () => {
      network.allow(pattern);
      expect(await viaHttp("/v1/b")).toBe(200);
      expect(await viaHttp("/v2/b")).toBe(undefined);
    });
    test("a raw connection", async () => { network.allow(pattern); expect(await connect()).toBe(true); });
  `);
  expect(failures(result)).toEqual(["fetch strays from the path", "node:http strays from the path"]);
  expect(result.tests[0]!.errors.map(({ message }) => message)).toEqual([
    expect.stringMatching(/made a stray request: GET http:\S+\/v2\/a,/),
  ]);
  expect(requests()).toEqual(["GET /v1/a", "GET /v1/b"]);
});

test("of concurrent tests only the one that allows gets out, though they share a pool of connections", async () => {
  const result = await run(`
    const sleep = (ms) => new Promise((done) => setTimeout(done, ms));
    test.concurrent("allowed", async () => {
      network.allow("127.0.0.1:" + PORT);
      for (let i = 0; i < 5; i++) { expect(await get("/allowed")).toBe(200); await sleep(20); }
    });
    test.concurrent("stray", async () => {
      for (let i = 0; i < 5; i++) { await sleep(15); expect(await get("/stray")).toBe(undefined); }
    });
  `);
  expect(failures(result)).toEqual(["stray"]);
  expect(new Set(requests())).toEqual(new Set(["GET /allowed"]));
});

test("an allow at the top of a file is for that file, one in the config for all", async () => {
  const first = `network.allow("127.0.0.1:" + PORT); test("allowed by the file", async () => { await get("/file"); });`;
  const second = `test("not allowed in the next file", async () => { await get("/next"); });`;
  const isolated = await run({ "a.test.ts": first, "b.test.ts": second }, {}, { isolate: false });
  expect(failures(isolated)).toEqual(["not allowed in the next file"]);
  const everywhere = await run(second, { network: { allow: [`127.0.0.1:${outside.port}`] } });
  expect(failures(everywhere)).toEqual([]);
  expect(requests()).toEqual(["GET /file", "GET /next"]);
});

test("a server of this package needs no allow, also where allows are locked", async () => {
  const result = await run(
    `import { admitOwnServer } from "${join(import.meta.dirname, "../../src/network/own-servers.ts")}";
    test("while it listens", async () => {
      const close = admitOwnServer(PORT);
      expect(await get("/own")).toBe(200);
      close();
    });
    test("afterwards", async () => { await get("/closed"); });`,
    { network: { locked: true } },
  );
  expect(failures(result)).toEqual(["afterwards"]);
  expect(requests()).toEqual(["GET /own"]);
});

test("an allow that nothing used can be listed", async () => {
  const result = await run(
    `network.allow("unused.example.com");
    test("lists it", async () => {
      network.allow("127.0.0.1:" + PORT, /never/);
      await get("/");
      expect(network.unusedAllows).toEqual([/never/, "unused.example.com", "config.example.com"]);
    });`,
    { network: { allow: ["config.example.com"] } },
  );
  expect(result.tests[0]!.errors).toEqual([]);
});

test("reading the strays tells them and excuses none", async () => {
  const result = await run(`
    test("suite's test", async () => {
      await get("/users?api_key=sk-123&page=2");
      await connect();
      console.log("STRAYS " + JSON.stringify(network.strays));
      expect(network.strays).toEqual([]);
    });
    test("none here", () => { expect(network.strays).toEqual([]); });
  `);
  expect(failures(result)).toEqual(["suite's test"]);
  const strays = JSON.parse(/STRAYS (.*)/.exec(result.output)![1]!.replaceAll(String(outside.port), "80"));
  expect(strays).toEqual([
    {
      method: "GET",
      url: "http://127.0.0.1:80/users?api_key=…&page=2",
      host: "127.0.0.1",
      port: 80,
      at: expect.stringMatching(/a\.test\.ts:\d+:\d+$/),
      test: "suite's test",
    },
  ]);
  expect(outside.arrivals).toEqual([]);
});

test("what is dropped is blocked, answered at once and no stray", async () => {
  const result = await run(
    `
    test("fetch gets an empty answer", async () => {
      network.drop("http://127.0.0.1:" + PORT + "/telemetry/*");
      expect(await get("/telemetry/events")).toBe(204);
      expect(await get("/other")).toBe(undefined);
    });
    test("others are refused", async () => { network.drop("127.0.0.1"); expect(await connect()).toBe(false); });
    test("dropped for all files", async () => { await fetch("https://stats.invalid/"); });
    test("not dropped", async () => { await get("/telemetry/events"); });
  `,
    { network: { drop: ["stats.invalid"] } },
  );
  expect(outside.arrivals).toEqual([]);
  expect(failures(result)).toEqual(["fetch gets an empty answer", "not dropped"]);
  expect(result.tests[0]!.errors.map(({ message }) => message)).toEqual([
    expect.stringMatching(/made a stray request: GET http:\S+\/other,/),
  ]);
});

test('mode: "report" blocks and lists strays, and fails nothing', async () => {
  const result = await run(
    `await get("/module");
    test("strays", async () => { expect(await get("/x")).toBe(undefined); });
    test("strays to a model", async () => {
      await fetch("http://127.0.0.1:" + PORT + "/v1/messages", { method: "POST" }).catch(() => {});
    });`,
    { network: { mode: "report" } },
  );
  expect(outside.arrivals).toEqual([]);
  expect(result.exitCode).toBe(0);
  expect(
    result.output.replaceAll(String(outside.port), "PORT").match(/Strays,[\s\S]*?\n\n/)?.[0],
  ).toMatchInlineSnapshot(`
    "Strays, listed because network.mode is "report":
    [vitest-tool-loop] The test "strays" made a stray request: GET http://127.0.0.1:PORT/x, at a.test.ts:7:34. It was blocked. Answer it: await network.use(http.get("http://127.0.0.1:PORT/x", () => HttpResponse.json({}))); or let it out: network.allow("http://127.0.0.1:PORT/x"), or all servers of this machine: network.allow("loopback").
    [vitest-tool-loop] The test "strays to a model" made a stray request: POST http://127.0.0.1:PORT/v1/messages, at a.test.ts:17:13. It was blocked. Script the model: await serveModel(model); or let it out: network.allow("http://127.0.0.1:PORT/v1/messages"), or all servers of this machine: network.allow("loopback").
    [vitest-tool-loop] While the file was imported (at module level or in a describe body), it made a stray request: GET http://127.0.0.1:PORT/module, at a.test.ts:7:34. It was blocked. At the top of the file, answer it: await network.use(http.get("http://127.0.0.1:PORT/module", () => HttpResponse.json({}))); or let it out: network.allow("http://127.0.0.1:PORT/module"), or all servers of this machine: network.allow("loopback").

    "
  `);
});

test("locked makes an allow in a test file an error that says where to allow", async () => {
  const result = await run(`test("allows", () => { network.allow("localhost", /x/); });`, {
    network: { locked: true },
  });
  expect(result.tests[0]!.errors.map(({ message }) => message)).toMatchInlineSnapshot(`
    [
      "[vitest-tool-loop] network.allow() is locked in this project: found "localhost", /x/ allowed by a test file. Add it to test.provide.toolLoop.network.allow in the Vitest config.",
    ]
  `);
});

test("protectKeys replaces credentials of the test process, and is off by default", async () => {
  const source = `test("sees", () => {
    console.log("KEYS " + [process.env.OPENAI_API_KEY, process.env.MY_API_KEYRING, process.env.AWS_SECRET_ACCESS_KEY].join(" "));
  });`;
  const env = { OPENAI_API_KEY: "sk-real", MY_API_KEYRING: "ring", AWS_SECRET_ACCESS_KEY: "real" };
  const keys = async (network: object) =>
    /KEYS (.*)/.exec(
      (
        await runVitest({
          env,
          config: { provide: { toolLoop: { network } } },
          files: { "a.test.ts": `import { test } from "vitest"; ${source}` },
        })
      ).output,
    )![1];
  expect(await keys({})).toBe("sk-real ring real");
  expect(await keys({ protectKeys: true })).toBe("protected-by-vitest-tool-loop ring protected-by-vitest-tool-loop");
});

test("what is no pattern, and what is no handler, is refused with what to write", async () => {
  const result = await run(`
    import { http as mock, ws } from "msw";
    const refusal = (promise) => promise.then(() => undefined, ({ message }) => message);
    const nothing = "https://a.invalid/";
    test("patterns", async () => {
      expect(() => network.allow("localhost", 5432)).toThrow("network.allow() takes host names");
      expect(() => network.drop("")).toThrow("network.drop() takes host names");
      await get("/x");
    });
    test("handlers", async () => {
      const handler = mock.get(nothing, () => {});
      const junk = [[handler], "x", undefined, () => {}, {}, ws.link("ws://a.invalid").addEventListener("connection", () => {})];
      for (const value of junk) console.log("REFUSED " + (await refusal(network.use(handler, value))));
      await network.use(handler);
    });
  `);
  expect(result.failed).toEqual(["patterns"]);
  expect(result.test("patterns").errors.map(({ message }) => message)).toEqual([
    expect.stringMatching(/made a stray request: GET http:\S+\/x,/),
  ]);
  expect(result.output.match(/(?<=REFUSED ).*/g)).toMatchInlineSnapshot(`
    [
      "[vitest-tool-loop] network.use() takes MSW request handlers: expected what http.get(…) returns, found a list, at argument 2. Spread it: await network.use(...handlers).",
      "[vitest-tool-loop] network.use() takes MSW request handlers: expected what http.get(…) returns, found "x", at argument 2. Write await network.use(http.get("https://api.example.com/users", () => HttpResponse.json([]))).",
      "[vitest-tool-loop] network.use() takes MSW request handlers: expected what http.get(…) returns, found undefined, at argument 2. Write await network.use(http.get("https://api.example.com/users", () => HttpResponse.json([]))).",
      "[vitest-tool-loop] network.use() takes MSW request handlers: expected what http.get(…) returns, found [function], at argument 2. Write await network.use(http.get("https://api.example.com/users", () => HttpResponse.json([]))).",
      "[vitest-tool-loop] network.use() takes MSW request handlers: expected what http.get(…) returns, found {}, at argument 2. Write await network.use(http.get("https://api.example.com/users", () => HttpResponse.json([]))).",
      "[vitest-tool-loop] network.use() takes MSW request handlers: expected what http.get(…) returns, found one for WebSockets, at argument 2. Give it to the server: (await network.msw()).use(handler).",
    ]
  `);
});

test("a setting that cannot be used fails every file, and leaves nothing unguarded", async () => {
  const refusals = [];
  for (const network of [{ modus: "report" }, { allow: [""] }]) {
    const result = await run(`test("never runs", async () => { await get("/x"); });`, { network });
    expect(result.tests).toEqual([]);
    refusals.push(...result.fileErrors.map(({ message }) => message));
  }
  expect(refusals).toMatchInlineSnapshot(`
    [
      "[vitest-tool-loop] A setting cannot be used: expected an object with the keys allow, drop, mode, locked, protectKeys, found "modus", at test.provide.toolLoop.network of the Vitest configuration.",
      "[vitest-tool-loop] The setting network.allow takes host names, URL patterns and regular expressions: found "". Write "localhost:5432" or "https://api.example.com/v1/*".",
    ]
  `);
  expect(outside.arrivals).toEqual([]);
});

test("without the setup line, the object says so", async () => {
  const result = await runVitest({
    setup: false,
    files: {
      "a.test.ts": `import { test } from "vitest"; import { network } from "vitest-tool-loop";
        test("allows", () => { network.allow("localhost"); });`,
    },
  });
  expect(result.tests[0]!.errors.map(({ message }) => message)).toMatchInlineSnapshot(`
    [
      "[vitest-tool-loop] network.allow() needs the setup line, and it did not run. Add setupFiles: ["vitest-tool-loop/setup"] under \`test\` in vitest.config.ts.",
    ]
  `);
});
