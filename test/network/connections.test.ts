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

async function run(source: string) {
  const { tests, fileErrors } = await runVitest({
    files: {
      "a.test.ts": `
        import http from "node:http";
        import { expect, test } from "vitest";
        import { network } from "vitest-tool-loop";
        const port = ${outside.port};
        const host = "127.0.0.1";
        const sleep = (ms) => new Promise((done) => setTimeout(done, ms));
        const ask = (path, agent) => new Promise((done) => {
          http.get({ host, port, path, agent }, (response) => response.resume().on("end", () => done(response.statusCode))).on("error", (error) => done(error.code));
        });
        const fetched = (path) => fetch("http://127.0.0.1:" + port + path).then(async (response) => { await response.text(); return response.status; }, (error) => error.cause.code);
        ${source}`,
    },
  });
  expect(fileErrors).toEqual([]);
  return tests.map(({ name, errors }) => [
    name,
    ...errors.map(
      ({ message }) => /stray request: \S+ http:\/\/127.0.0.1:\d+(\S*?)( \(\d times\))?,/.exec(message)?.[1] ?? message,
    ),
  ]);
}

const requests = () => outside.arrivals.filter((arrival) => arrival !== "connection");

test.each([
  ["fetch", "fetched"],
  ["node:http", "ask"],
])("the end of a concurrent test cuts nobody off who has taken its connection: %s", async (_name, ask) => {
  expect(
    await run(`
      test.concurrent("quick", async () => {
        network.allow("127.0.0.1");
        expect(await ${ask}("/quick")).toBe(200);
        await sleep(150);
      });
      test.concurrent("slow", async () => {
        network.allow("127.0.0.1");
        await sleep(100);
        expect(await ${ask}("/after-300")).toBe(200);
      });`),
  ).toEqual([["quick"], ["slow"]]);
  expect(requests()).toEqual(["GET /quick", "GET /after-300"]);
});

test("a kept connection serves the tests that may ask, and no other", async () => {
  expect(
    await run(`
      const agent = new http.Agent({ keepAlive: true, maxSockets: 1 });
      test("first", async () => {
        network.allow("127.0.0.1");
        expect(await ask("/first", agent)).toBe(200);
      });
      test("stray", async () => {
        expect(Object.keys(agent.freeSockets)).toHaveLength(1);
        expect(await ask("/stray", agent)).toBe("EACCES");
      });
      test("last", async () => {
        network.allow("127.0.0.1");
        expect(await ask("/last", agent)).toBe(200);
      });`),
  ).toEqual([["first"], ["stray", "/stray"], ["last"]]);
  expect(outside.arrivals).toEqual(["connection", "GET /first", "connection", "GET /last"]);
});

test("what is no request is judged when another test writes it", async () => {
  expect(
    await run(`
      const { connect } = process.getBuiltinModule("node:net");
      let raw, upgraded, heartbeat;
      const write = (socket) => new Promise((done) => {
        socket.once("error", (error) => done(error.code)).once("data", () => done("sent")).write("\\x01");
        setTimeout(() => done(socket.destroyed ? "destroyed" : "sent"), 50);
      });
      test("opens", async () => {
        network.allow("127.0.0.1");
        raw = connect(port, host);
        upgraded = await new Promise((done) => http.get({ host, port, path: "/upgrade", headers: { connection: "upgrade", upgrade: "websocket" } }).on("upgrade", (_response, socket) => done(socket)));
        heartbeat = setInterval(() => upgraded.write("ping"), 10);
        expect(await write(upgraded)).toBe("sent");
      });
      test("lets the heartbeat of the first pass", () => sleep(50));
      test("may write", async () => {
        network.allow("127.0.0.1:" + port);
        expect(await write(upgraded)).toBe("sent");
        clearInterval(heartbeat);
      });
      test("may not", async () => {
        expect(await write(upgraded)).toBe("EACCES");
        expect(await write(raw)).toBe("EACCES");
      });`),
  ).toEqual([
    ["opens"],
    ["lets the heartbeat of the first pass"],
    ["may write"],
    [
      "may not",
      expect.stringMatching(/"may not" opened a stray TCP connection: 127\.0\.0\.1:\d+ \(2 times\), at a\.test\.ts/),
    ],
  ]);
});

test("an HTTP/2 session that tells of no request is closed with its test", async () => {
  expect(
    await run(`
      const http2 = process.getBuiltinModule("node:http2");
      let session;
      test("opens", async () => {
        network.allow("127.0.0.1");
        session = http2.connect("https://127.0.0.1:${outside.securePort}", { rejectUnauthorized: false });
        await new Promise((done) => session.request({ ":path": "/allowed" }).on("end", done).resume());
        expect(session.destroyed).toBe(false);
      });
      test("finds it closed", () => {
        expect(session.destroyed).toBe(true);
      });`),
  ).toEqual([["opens"], ["finds it closed"]]);
});

test("a connection that was opened before the setup file is judged like any other", async () => {
  const { tests } = await runVitest({
    config: { execArgv: ["--import=./early.mjs"] },
    files: {
      "early.mjs": `
        import http from "node:http";
        await (await fetch("http://127.0.0.1:${outside.port}/early")).text();
        globalThis.agent = new http.Agent({ keepAlive: true });
        await new Promise((done) => http.get({ host: "127.0.0.1", port: ${outside.port}, path: "/early", agent }, (response) => response.resume().on("end", done)));`,
      "a.test.ts": `
        import http from "node:http";
        import { expect, test } from "vitest";
        test("fetch", async () => { await fetch("http://127.0.0.1:${outside.port}/stray").catch(() => {}); });
        test("agent", () => new Promise((done) => {
          http.get({ host: "127.0.0.1", port: ${outside.port}, path: "/stray", agent }, done).on("error", done);
        }).then(() => {}));`,
    },
  });
  expect(
    tests.map(({ name, errors }) => [name, ...errors.map(({ message }) => /GET \S+:\d+(\/\w+)/.exec(message)?.[1])]),
  ).toEqual([
    ["fetch", "/stray"],
    ["agent", "/stray"],
  ]);
  expect(requests()).toEqual(["GET /early", "GET /early"]);
});

test("a test that waits for the one connection of a shared agent is not blamed for the stray before it", async () => {
  expect(
    await run(`
      const agent = new http.Agent({ maxSockets: 1 });
      test.concurrent("strays", async () => {
        expect(await ask("/stray", agent)).toBe("EACCES");
      });
      test.concurrent("waits", async () => {
        network.allow("127.0.0.1");
        expect(await ask("/allowed", agent)).toBe(200);
      });`),
  ).toEqual([["strays", "/stray"], ["waits"]]);
  expect(requests()).toEqual(["GET /allowed"]);
});

test("what is dropped or let out is not listed with a stray to its host", async () => {
  expect(
    await run(`
      test("dropped", async () => {
        network.drop("http://127.0.0.1:" + port + "/telemetry/*");
        expect(await Promise.all([ask("/telemetry/a"), ask("/stray")])).toEqual([expect.any(String), "EACCES"]);
        await ask("/telemetry/b");
        await ask("/stray");
      });
      test("let out, and given up", async () => {
        network.allow("http://127.0.0.1:" + port + "/allowed/*");
        const request = http.get({ host, port, path: "/allowed/after-1000" }).on("error", () => {});
        await sleep(50);
        request.destroy();
        await ask("/stray");
      });`),
  ).toEqual([
    ["dropped", "/stray"],
    ["let out, and given up", "/stray"],
  ]);
  expect(requests()).toEqual(["GET /allowed/after-1000"]);
});

test("allow wins over drop", async () => {
  expect(
    await run(`
      test("both", async () => {
        network.allow("127.0.0.1");
        network.drop("http://127.0.0.1:" + port + "/both");
        expect(await fetched("/both")).toBe(200);
        expect(await ask("/both")).toBe(200);
      });`),
  ).toEqual([["both"]]);
  expect(requests()).toEqual(["GET /both", "GET /both"]);
});
