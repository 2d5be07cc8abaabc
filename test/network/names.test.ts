import { createSocket, type Socket } from "node:dgram";
import { afterAll, beforeAll, expect, test } from "vitest";
import { network } from "../../src/network/network.js";
import { runVitest } from "../support/child-vitest.js";
import { type Outside, startOutside } from "../support/outside.js";

let outside: Outside;
let nameServer: Socket;
beforeAll(async () => {
  network.allow("127.0.0.1");
  outside = await startOutside();
  nameServer = createSocket("udp4");
  nameServer.on("message", (query, { port }) => nameServer.send(answerTo(query), port, "127.0.0.1"));
  await new Promise<void>((done) => nameServer.bind(0, "127.0.0.1", done));
});
afterAll(async () => {
  nameServer.close();
  await outside.close();
});

/** Every name leads to 127.0.0.1. */
function answerTo(query: Buffer): Buffer {
  const header = Buffer.from(query.subarray(0, 12));
  header.writeUInt16BE(0x8180, 2);
  header.writeUInt16BE(1, 6);
  header.writeUInt16BE(0, 10);
  const end = query.indexOf(0, 12) + 5;
  const record = Buffer.from([0xc0, 12, 0, 1, 0, 1, 0, 0, 0, 60, 0, 4, 127, 0, 0, 1]);
  return Buffer.concat([header, query.subarray(12, end), record]);
}

test("a client that looks a name up and connects to the address is judged by the name", async () => {
  const { tests, fileErrors } = await runVitest({
    files: {
      "a.test.ts": `
        import { createSocket } from "node:dgram";
        import dns from "node:dns";
        import http from "node:http";
        import { connect } from "node:net";
        import { expect, test } from "vitest";
        import { network } from "vitest-tool-loop";
        const port = ${outside.port};
        const resolver = new dns.promises.Resolver();
        resolver.setServers(["127.0.0.1:${nameServer.address().port}"]);
        const open = (host) => new Promise((done) => connect(port, host).on("connect", function () { this.destroy(); done("connected"); }).on("error", (error) => done(error.code)));
        const get = (host, path) => new Promise((done) => http.get({ host, port, path }, (response) => response.resume().on("end", () => done(response.statusCode))).on("error", (error) => done(error.code)));
        test("never looked up", async () => {
          network.allow("service.invalid");
          expect(await open("127.0.0.1")).toBe("EACCES");
        });
        test("a connection", async () => {
          network.allow("service.invalid:" + port);
          const [address] = await resolver.resolve4("service.invalid");
          expect(await open(address)).toBe("connected");
        });
        test("a datagram", async () => {
          network.allow("service.invalid:" + port);
          expect(await new Promise((done) => createSocket("udp4").unref().send("x", port, "127.0.0.1", done))).toBeNull();
        });
        test("a request", async () => {
          network.allow("http://service.invalid:" + port + "/allowed/*");
          expect(await get("127.0.0.1", "/allowed/a")).toBe(200);
          expect(await get("127.0.0.1", "/stray")).toBe("EACCES");
        });
        test("dropped", async () => {
          network.drop("service.invalid");
          expect(await open("127.0.0.1")).toBe("ECONNREFUSED");
        });
        test("another port", async () => {
          network.allow("service.invalid:1");
          expect(await open("127.0.0.1")).toBe("EACCES");
        });
        test("no longer allowed", () => open("127.0.0.1"));
        test("the name itself", () => resolver.resolve4("service.invalid").catch(() => {}));`,
    },
  });
  expect(fileErrors).toEqual([]);
  expect(
    tests.map(({ name, errors }) => [
      name,
      ...errors.map(({ message }) =>
        message
          .replace(/^\[vitest-tool-loop\] The test ".*?" (.*?), at .*/, "$1")
          .replaceAll(`:${outside.port}`, ":PORT"),
      ),
    ]),
  ).toEqual([
    ["never looked up", "opened a stray TCP connection: 127.0.0.1:PORT"],
    ["a connection"],
    ["a datagram"],
    ["a request", "made a stray request: GET http://127.0.0.1:PORT/stray"],
    ["dropped"],
    ["another port", "opened a stray TCP connection: 127.0.0.1:PORT"],
    ["no longer allowed", "opened a stray TCP connection: 127.0.0.1:PORT"],
    ["the name itself", "looked up a stray host name: service.invalid"],
  ]);
});

test("a connected datagram socket that outlives its allow sends nothing more", async () => {
  outside.arrivals.length = 0;
  const { tests } = await runVitest({
    files: {
      "a.test.ts": `
        import { createSocket } from "node:dgram";
        import { expect, test } from "vitest";
        import { network } from "vitest-tool-loop";
        const socket = createSocket("udp4");
        const send = () => new Promise((done) => socket.send("x", (error) => done(error?.code)));
        test("allowed", async () => {
          network.allow("127.0.0.1:${outside.port}");
          await new Promise((done) => socket.connect(${outside.port}, "127.0.0.1", done));
          expect(await send()).toBeUndefined();
        });
        test("not allowed", async () => {
          expect(await send()).toBe("EACCES");
        });`,
    },
  });
  expect(tests.map(({ name, errors }) => [name, ...errors.map(({ message }) => message)])).toEqual([
    ["allowed"],
    ["not allowed", expect.stringContaining(`sent a stray UDP datagram: 127.0.0.1:${outside.port}, at a.test.ts:6`)],
  ]);
  expect(outside.arrivals).toEqual(["datagram"]);
});

test("lookups: captured before the setup file, with faked ticks, without a name", async () => {
  const { tests, fileErrors } = await runVitest({
    config: { pool: "threads", execArgv: ["--import=./early.mjs"] },
    files: {
      "early.mjs": `import dns from "node:dns"; import "node:dns/promises"; globalThis.early = { lookup: dns.lookup, lookupService: dns.lookupService };`,
      "a.test.ts": `
        import dns from "node:dns";
        import { expect, test, vi } from "vitest";
        const called = (fn) => new Promise((done) => fn((error) => done(error?.code)));
        test("captured lookup", async () => expect(await called((done) => early.lookup("captured.invalid", done))).toBe("EACCES"));
        test("captured lookupService", async () => expect(await called((done) => early.lookupService("192.0.2.1", 80, done))).toBe("EACCES"));
        test("promised lookup", () => expect(dns.promises.lookup("promised.invalid")).rejects.toMatchObject({ code: "EACCES" }));
        test("faked ticks", async () => {
          vi.useFakeTimers({ toFake: ["nextTick", "setImmediate", "setTimeout"] });
          expect(await called((done) => dns.lookup("faked.invalid", done))).toBe("EACCES");
          vi.useRealTimers();
        });
        test("no name", async () => {
          await dns.promises.lookup("").catch(() => {});
          try { dns.lookup("", () => {}); } catch {}
        });`,
    },
  });
  expect(fileErrors).toEqual([]);
  expect(
    tests.map(({ name, errors }) => [name, ...errors.map(({ message }) => /host name: (\S+),/.exec(message)?.[1])]),
  ).toEqual([
    ["captured lookup", "captured.invalid"],
    ["captured lookupService", "192.0.2.1"],
    ["promised lookup", "promised.invalid"],
    ["faked ticks", "faked.invalid"],
    ["no name"],
  ]);
});
