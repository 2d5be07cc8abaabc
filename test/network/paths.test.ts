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

/** In each test `/allowed/*` is allowed, and all that begins with `/stray` is not. */
async function run(source: string, config: Record<string, unknown> = {}) {
  const result = await runVitest({
    config,
    files: {
      "a.test.ts": `
        import http from "node:http";
        import https from "node:https";
        import net from "node:net";
        import tls from "node:tls";
        import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
        import { network } from "vitest-tool-loop";
        const port = ${outside.port};
        const securePort = ${outside.securePort};
        const host = "127.0.0.1";
        beforeEach(() => network.allow("http://127.0.0.1:${outside.port}/allowed/*", "https://127.0.0.1:${outside.securePort}/allowed/*"));
        const ask = (options, client = http) => new Promise((done) => {
          client.request({ host, port, ...(typeof options === "string" ? { path: options } : options) }, (response) => response.resume().on("end", () => done(response.statusCode)))
            .on("error", (error) => done(error.code)).end();
        });
        ${source}`,
    },
  });
  expect(result.fileErrors).toEqual([]);
  expect(outside.arrivals.filter((arrival) => arrival.includes("/stray"))).toEqual([]);
  return result.tests.map(({ name, errors }) => [name, ...errors.map(({ message }) => short(message))]);
}

const short = (message: string) =>
  message
    .replace(/^\[vitest-tool-loop\] The test ".*?" (made a stray request: )?/, "")
    .replaceAll(/:(\d{4,5})/g, (text, port) =>
      port === `${outside.port}` ? ":PORT" : port === `${outside.securePort}` ? ":SECURE" : text,
    )
    .replace(/(, at .*?)?\. It was blocked\. .*/, "");

const requests = () => outside.arrivals.filter((arrival) => arrival !== "connection");

test("a path that is not allowed stays in, although a request beside it may go to its host", async () => {
  expect(
    await run(`
      test("at once", async () => {
        expect(await Promise.all([ask("/allowed/a"), ask("/stray")])).toEqual([200, "EACCES"]);
      });
      test("while one is unanswered", async () => {
        const slow = ask("/allowed/after-100");
        await new Promise((done) => setTimeout(done, 50));
        await ask("/stray");
        expect(await slow).toBe(200);
      });
      test("after one that was aborted", async () => {
        http.get({ host, port, path: "/allowed/aborted" }).on("error", () => {}).destroy();
        await ask("/stray");
      });
      test("over the connection that one left open", async () => {
        const agent = new http.Agent({ keepAlive: true });
        expect(await ask({ path: "/allowed/b", agent })).toBe(200);
        await new Promise((done) => setTimeout(done, 20));
        expect(await ask({ path: "/stray", agent })).toBe("EACCES");
      });
      test("by fetch", async () => {
        await Promise.allSettled([fetch("http://127.0.0.1:" + port + "/allowed/c"), fetch("http://127.0.0.1:" + port + "/stray", { method: "POST" })]);
      });`),
  ).toEqual([
    ["at once", "GET http://127.0.0.1:PORT/stray"],
    ["while one is unanswered", "GET http://127.0.0.1:PORT/stray"],
    ["after one that was aborted", "GET http://127.0.0.1:PORT/stray"],
    ["over the connection that one left open", "GET http://127.0.0.1:PORT/stray"],
    ["by fetch", "POST http://127.0.0.1:PORT/stray"],
  ]);
  expect(requests()).toEqual(["GET /allowed/a", "GET /allowed/after-100", "GET /allowed/b", "GET /allowed/c"]);
});

test("encrypted requests are judged before they are encrypted, whoever encrypts", async () => {
  expect(
    await run(
      `
      const secure = (options) => ask({ port: securePort, rejectUnauthorized: false, ...options }, https);
      test("an agent", async () => {
        const agent = new https.Agent({ keepAlive: true, rejectUnauthorized: false });
        expect(await secure({ path: "/allowed/a", agent })).toBe(200);
        await new Promise((done) => setTimeout(done, 20));
        expect(await secure({ path: "/stray", agent })).toBe("EACCES");
      });
      test("a connection of one's own", async () => {
        const agent = new https.Agent({ keepAlive: true });
        agent.createConnection = () => tls.connect({ socket: net.connect(securePort, host), rejectUnauthorized: false });
        expect(await secure({ path: "/allowed/b", agent })).toBe(200);
        await new Promise((done) => setTimeout(done, 20));
        expect(await secure({ path: "/stray", agent })).toBe("EACCES");
      });`,
    ),
  ).toEqual([
    ["an agent", "GET https://127.0.0.1:SECURE/stray"],
    ["a connection of one's own", "GET https://127.0.0.1:SECURE/stray"],
  ]);
  expect(requests()).toEqual(["GET /allowed/a", "GET /allowed/b"]);
});

test("a request goes where its connection leads, whatever it calls its host", async () => {
  expect(
    await run(`
      test("another host", async () => {
        expect(await ask({ path: "/allowed/a", headers: { host: "tenant.example" } })).toBe(200);
        await ask({ path: "/stray", headers: { host: "tenant.example" } });
      });
      test("no port", () => ask({ path: "/stray", headers: { host: "127.0.0.1" } }));
      test("another spelling of the address", () => ask({ host: "0:0:0:0:0:ffff:7f00:1", path: "/stray" }));
      test("an upper-case name", async () => {
        network.allow("http://localhost:" + port + "/allowed/*");
        expect(await ask({ host: "LOCALHOST", family: 4, path: "/allowed/b" })).toBe(200);
        await ask({ host: "LOCALHOST", family: 4, path: "/stray" });
      });
      test("a path that was set later", async () => {
        const request = http.request({ host, port, path: "/allowed/c" }).on("error", () => {});
        request.path = "/stray";
        await new Promise((done) => request.on("close", done).end());
      });
      test("a path like a host", async () => {
        network.allow("127.0.0.1:" + port);
        const agent = new http.Agent({ keepAlive: true });
        for (const path of ["//twice/a", "//twice/b"]) {
          expect(await ask({ path, agent })).toBe(200);
          await new Promise((done) => setTimeout(done, 20));
        }
      });`),
  ).toEqual([
    ["another host", "GET http://127.0.0.1:PORT/stray"],
    ["no port", "GET http://127.0.0.1:PORT/stray"],
    ["another spelling of the address", "GET http://127.0.0.1:PORT/stray"],
    ["an upper-case name", "GET http://localhost:PORT/stray"],
    ["a path that was set later", "GET http://127.0.0.1:PORT/stray"],
    ["a path like a host"],
  ]);
  expect(requests()).toEqual(["GET /allowed/a", "GET /allowed/b", "GET //twice/a", "GET //twice/b"]);
});

test("a body that looks like a request is none", async () => {
  expect(
    await run(`
      test("a batch", async () => {
        const request = http.request({ host, port, method: "POST", path: "/allowed/batch" });
        const answer = new Promise((done, fail) => request.on("response", (response) => response.resume().on("end", () => done(response.statusCode))).on("error", fail));
        request.write("--a\\r\\n\\r\\n");
        await new Promise((done) => setTimeout(done, 20));
        request.write("GET /part HTTP/1.1\\r\\n\\r\\n");
        request.end("--a--");
        expect(await answer).toBe(200);
      });`),
  ).toEqual([["a batch"]]);
  expect(requests()).toEqual(["POST /allowed/batch"]);
});

test("a request that is written after the end of its test is told as late", async () => {
  const { tests, fileErrors } = await runVitest({
    files: {
      "a.test.ts": `
        import http from "node:http";
        import { expect, test } from "vitest";
        import { network } from "vitest-tool-loop";
        network.allow("http://late.invalid:${outside.port}/allowed/*");
        const lookup = (_name, { all }, found) => setTimeout(() => (all ? found(null, [{ address: "127.0.0.1", family: 4 }]) : found(null, "127.0.0.1", 4)), 50);
        test("ends", () => {
          http.get({ host: "late.invalid", port: ${outside.port}, path: "/stray", lookup }).on("error", () => {});
        });
        test("waits", () => new Promise((done) => setTimeout(done, 150)));`,
    },
  });
  expect(tests.map(({ name, state }) => [name, state])).toEqual([
    ["ends", "passed"],
    ["waits", "passed"],
  ]);
  expect(fileErrors.map(({ message }) => message.replaceAll(`:${outside.port}`, ":PORT"))).toEqual([
    expect.stringMatching(
      /^\[vitest-tool-loop\] The test "ends", after it had ended, made a stray request: GET http:\/\/late\.invalid:PORT\/stray, at a\.test\.ts:8/,
    ),
  ]);
  expect(requests()).toEqual([]);
});

const MOCKS = {
  "network.use": `beforeEach(() => network.use(mock.get("http://mocked.invalid/", () => HttpResponse.text("mocked"))));`,
  "the user's own server": `
    const server = setupServer(mock.get("http://mocked.invalid/", () => HttpResponse.text("mocked")));
    beforeAll(() => server.listen({ onUnhandledRequest: "bypass", onUnhandledFrame: "bypass" }));
    afterAll(() => server.close());`,
};

test.each(Object.entries(MOCKS))("while MSW listens: %s", async (_name, mock) => {
  expect(
    await run(`
      import { http as mock, HttpResponse } from "msw";
      import { setupServer } from "msw/node";
      ${mock}
      test("one after the other", async () => {
        expect(await ask({ host: "mocked.invalid", port: 80, path: "/" })).toBe(200);
        expect(await ask("/allowed/a")).toBe(200);
        await ask("/stray");
      });
      test("at once", async () => {
        const [allowed] = await Promise.all([ask("/allowed/b"), ask("/stray")]);
        expect(allowed).toBe(200);
      });
      test("over one connection", async () => {
        const agent = new http.Agent({ keepAlive: true });
        expect(await ask({ path: "/allowed/c", agent })).toBe(200);
        await new Promise((done) => setTimeout(done, 20));
        await ask({ path: "/stray", agent });
      });
      test("by fetch", async () => {
        expect((await fetch("http://127.0.0.1:" + port + "/allowed/d")).status).toBe(200);
        await fetch("http://127.0.0.1:" + port + "/stray").catch(() => {});
      });
      test("a Host header", async () => {
        expect(await ask({ path: "/allowed/e", headers: { host: "tenant.example" } })).toBe(200);
        expect(await ask({ path: "/allowed/f", headers: { host: "tenant.example" } })).toBe(200);
      });`),
  ).toEqual([
    ["one after the other", "GET http://127.0.0.1:PORT/stray"],
    ["at once", "GET http://127.0.0.1:PORT/stray"],
    ["over one connection", "GET http://127.0.0.1:PORT/stray"],
    ["by fetch", "GET http://127.0.0.1:PORT/stray"],
    ["a Host header"],
  ]);
  expect(requests()).toEqual(["a", "b", "c", "d", "e", "f"].map((path) => `GET /allowed/${path}`));
});
