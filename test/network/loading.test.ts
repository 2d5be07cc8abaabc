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

/** Each runs in a file of its own, so in a thread that may not have loaded its module. */
const clients = (port: number): Record<string, string> => ({
  "http.get": `const { get } = node("http"); get("http://127.0.0.1:${port}/get").on("error", done);`,
  "http.request without an agent": `const { request } = node("http"); request({ port: ${port}, host: "127.0.0.1", path: "/agent", agent: false }).on("error", done).end();`,
  "net.connect": `const { connect } = node("net"); connect(${port}, "127.0.0.1").on("error", done);`,
  "a socket that connects": `const { Socket } = node("net"); new Socket().connect(${port}, "127.0.0.1").on("error", done);`,
  "a socket that connects by name": `const { Socket } = node("net"); new Socket().connect(${port}, "db.invalid").on("error", done);`,
  "a socket that connects by name, later": `const { Socket } = node("net"); setTimeout(() => new Socket().connect(${port}, "later.invalid").on("error", done));`,
  "http.get after a connection": `node("net").connect(9, "127.0.0.1").on("error", () => { node("http").get("http://127.0.0.1:${port}/after").on("error", done); });`,
  "tls.connect": `const { connect } = node("tls"); connect(${port}, "127.0.0.1").on("error", done);`,
  "a datagram": `const { createSocket } = node("dgram"); createSocket("udp4").on("error", done).send("x", ${port}, "127.0.0.1", done);`,
  "dns.lookup": `const { lookup } = node("dns"); lookup("lookup.invalid", done);`,
  "dns.promises.lookup": `const { lookup } = node("dns/promises"); lookup("promised.invalid").catch(done);`,
  "dns.lookupService": `const { lookupService } = node("dns"); lookupService("192.0.2.1", 80, done);`,
  "dns.promises.lookupService": `const { lookupService } = node("dns/promises"); lookupService("192.0.2.1", 80).catch(done);`,
  "dns.resolve4": `const { resolve4 } = node("dns"); try { resolve4("resolve.invalid", done); } catch (error) { done(error); }`,
});

/**
 * Runs each client, and says what its test was told, up to the advice.
 *
 * @param node - How a client comes by a module of Node.
 */
async function told(
  node: string,
  config: Record<string, unknown>,
  more: Record<string, string> = {},
): Promise<string[]> {
  const files = Object.entries(clients(outside.port)).map(([name, source], index): [string, string] => [
    `${String.fromCharCode(97 + index)}.test.ts`,
    `import { test } from "vitest";
    const node = ${node};
    test("${name}", () => new Promise((done) => {
      ${source}
    }).then(() => {}));`,
  ]);
  const { tests, fileErrors } = await runVitest({ config, files: { ...Object.fromEntries(files), ...more } });
  expect(fileErrors).toEqual([]);
  expect(tests).toHaveLength(files.length);
  return tests.flatMap(({ errors }) =>
    errors.map(({ message }) =>
      message
        .replace("[vitest-tool-loop] The test ", "")
        .replace(/\. It was.*/, "")
        .replaceAll(`${outside.port}`, "PORT"),
    ),
  );
}

const EXPECTED = [
  `"http.get" made a stray request: GET http://127.0.0.1:PORT/get, at a.test.ts:4:37`,
  `"http.request without an agent" made a stray request: GET http://127.0.0.1:PORT/agent, at b.test.ts:4:41`,
  `"net.connect" opened a stray TCP connection: 127.0.0.1:PORT, at c.test.ts:4:40`,
  `"a socket that connects" opened a stray TCP connection: 127.0.0.1:PORT, at d.test.ts:4:52`,
  `"a socket that connects by name" opened a stray TCP connection: db.invalid:PORT, at e.test.ts:4:52`,
  `"a socket that connects by name, later" opened a stray TCP connection: later.invalid:PORT, at f.test.ts:4:69`,
  `"http.get after a connection" made a stray request: GET http://127.0.0.1:PORT/after, at g.test.ts:4:76`,
  `"http.get after a connection" opened a stray TCP connection: 127.0.0.1:9, at g.test.ts:4:19`,
  `"tls.connect" opened a stray TCP connection: 127.0.0.1:PORT, at h.test.ts:4:40`,
  `"a datagram" sent a stray UDP datagram: 127.0.0.1:PORT, at i.test.ts:4:86`,
  `"dns.lookup" looked up a stray host name: lookup.invalid, at j.test.ts:4:39`,
  `"dns.promises.lookup" looked up a stray host name: promised.invalid, at k.test.ts:4:48`,
  `"dns.lookupService" looked up a stray host name: 192.0.2.1, at l.test.ts:4:46`,
  `"dns.promises.lookupService" looked up a stray host name: 192.0.2.1, at m.test.ts:4:55`,
  `"dns.resolve4" looked up a stray host name: resolve.invalid, at n.test.ts:4:47`,
];

test.each(["threads", "vmThreads"])(
  "a module of Node that is loaded and used in one tick is guarded, in %s",
  async (pool) => {
    expect(await told("process.getBuiltinModule", { pool })).toEqual(EXPECTED);
    expect(outside.arrivals).toEqual([]);
  },
);

test("a module of Node is guarded whatever prepares stack traces while it is loaded", async () => {
  const node = `(name) => {
    const { prepareStackTrace } = Error;
    Error.prepareStackTrace = () => [];
    try {
      return process.getBuiltinModule(name);
    } finally {
      Error.prepareStackTrace = prepareStackTrace;
    }
  }`;
  const lines = await told(node, { pool: "threads" });
  // The function above has eight lines more.
  expect(lines).toEqual(EXPECTED.map((line) => line.replace(":4:", ":12:")));
  expect(outside.arrivals).toEqual([]);
});

test("a module of Node that was loaded before the setup file is guarded", async () => {
  const early = `globalThis.early = Object.fromEntries(
    ["http", "net", "tls", "dgram", "dns", "dns/promises"].map((name) => [name, process.getBuiltinModule(name)]));`;
  const config = { pool: "threads", execArgv: ["--import=./early.mjs"] };
  expect(await told("(name) => globalThis.early[name]", config, { "early.mjs": early })).toEqual(EXPECTED);
  expect(outside.arrivals).toEqual([]);
});

test("of a module that is loaded and used in one tick, only the requests that are allowed get out", async () => {
  const source = (name: string, before: string) => `
    import { network } from "vitest-tool-loop";
    import { test } from "vitest";
    const get = (path) => new Promise((done) => {
      ${before.replaceAll("PORT", `${outside.port}`)}
      process.getBuiltinModule("http").get("http://127.0.0.1:${outside.port}" + path, (response) => response.resume().on("end", done)).on("error", done);
    });
    test("${name}", async () => {
      network.allow("http://127.0.0.1:${outside.port}/allowed/*");
      await get("${name === "allowed" ? "/allowed/a" : `/${name}`}");
    });`;
  const { tests } = await runVitest({
    config: { pool: "threads" },
    files: {
      "a.test.ts": source("allowed", ""),
      "b.test.ts": source("refused", ""),
      "c.test.ts": source(
        "refused-after-net",
        `process.getBuiltinModule("net").connect(PORT, "127.0.0.1").on("error", () => {}).end();`,
      ),
    },
  });
  expect(
    tests.map(({ name, errors }) => [name, ...errors.map(({ message }) => /GET \S+\/([\w-]+)/.exec(message)?.[1])]),
  ).toEqual([["allowed"], ["refused", "refused"], ["refused-after-net", "refused-after-net"]]);
  expect(outside.arrivals.filter((arrival) => arrival !== "connection")).toEqual(["GET /allowed/a"]);
});

test("a method of the same name in a class of somebody else stays as it is, and Node's is still met", async () => {
  const { tests } = await runVitest({
    config: { pool: "threads" },
    files: {
      "a.test.ts": `
        import { EventEmitter } from "node:events";
        import { Duplex } from "node:stream";
        import { expect, test } from "vitest";
        function Wire() {}
        Wire.prototype = Object.create(Duplex.prototype);
        const connect = (Wire.prototype.connect = function () { return "mine"; });
        test("kept", () => {
          const emitter = Object.assign(new EventEmitter(), { onSocket: connect, addRequest: connect });
          expect([Wire.prototype.connect, emitter.onSocket, emitter.addRequest]).toEqual([connect, connect, connect]);
          expect(Object.keys(emitter)).toEqual(expect.arrayContaining(["onSocket", "addRequest"]));
          expect(new Duplex().connect).toBeUndefined();
        });
        test("strays", () => new Promise((done) => {
          process.getBuiltinModule("http").get("http://127.0.0.1:${outside.port}/strays").on("error", done);
        }).then(() => {}));`,
    },
  });
  expect(
    tests.map(({ name, errors }) => [name, ...errors.map(({ message }) => /GET \S+\/(\w+)/.exec(message)?.[1])]),
  ).toEqual([["kept"], ["strays", "strays"]]);
});
