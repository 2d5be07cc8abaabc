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
        import https from "node:https";
        import tls from "node:tls";
        import { expect, test } from "vitest";
        import { network } from "vitest-tool-loop";
        const proxy = "127.0.0.1:${outside.port}";
        const [host, port] = proxy.split(":");
        const outcome = (request) => new Promise((done) => {
          request.on("response", (response) => response.resume().on("end", () => done(response.statusCode))).on("error", (error) => done(error.code)).end();
        });
        const tunnel = (target) => new Promise((done, fail) => {
          http.request({ host, port, method: "CONNECT", path: target }).on("connect", (_response, socket) => done(socket)).on("error", fail).end();
        });
        ${source}`,
    },
  });
  expect(fileErrors).toEqual([]);
  return tests.map(({ name, errors }) => [
    name,
    ...errors.map(({ message }) =>
      message
        .replace(/^\[vitest-tool-loop\] The test ".*?" /, "")
        .replaceAll(`:${outside.port}`, ":PORT")
        .replaceAll(`:${outside.securePort}`, ":SECURE")
        .replace(/, at .*?\. It was blocked\. .*/, ""),
    ),
  ]);
}

const requests = () => outside.arrivals.filter((arrival) => arrival !== "connection");

test("a proxy that is allowed leads to no place that is not", async () => {
  expect(
    await run(`
      test("a tunnel", async () => {
        network.allow(proxy);
        await tunnel("stray.invalid:${outside.securePort}").catch(() => {});
      });
      test("a tunnel for a request that its client told of", async () => {
        network.allow(proxy);
        class TunnelAgent extends https.Agent {
          createConnection(options, ready) {
            tunnel(options.host + ":" + options.port).then((socket) => ready(null, tls.connect({ socket, rejectUnauthorized: false })), ready);
          }
        }
        await outcome(https.get("https://stray.invalid:${outside.securePort}/stray", { agent: new TunnelAgent() }));
      });
      test("a whole URL", async () => {
        network.allow(proxy);
        await outcome(http.get({ host, port, path: "http://stray.invalid/stray", headers: { host: "stray.invalid" } }));
      });
      test("the proxy itself", () => tunnel("stray.invalid:443").catch(() => {}));`),
  ).toEqual([
    ["a tunnel", "opened a stray TCP connection: stray.invalid:SECURE"],
    ["a tunnel for a request that its client told of", "made a stray request: GET https://stray.invalid:SECURE/stray"],
    ["a whole URL", "made a stray request: GET http://stray.invalid/stray"],
    ["the proxy itself", "opened a stray TCP connection: 127.0.0.1:PORT"],
  ]);
  expect(requests()).toEqual([]);
});

test("what goes through a tunnel is judged by where it leads, path included", async () => {
  expect(
    await run(`
      const secure = async (path) => {
        const socket = tls.connect({ socket: await tunnel("api.invalid:${outside.securePort}"), rejectUnauthorized: false });
        return outcome(https.get({ host: "api.invalid", port: ${outside.securePort}, path, createConnection: () => socket }));
      };
      const plain = async (path) => {
        const socket = await tunnel("api.invalid:${outside.port}");
        return outcome(http.get({ host: "api.invalid", port: ${outside.port}, path, createConnection: () => socket }));
      };
      test("encrypted", async () => {
        network.allow(proxy, "https://api.invalid:${outside.securePort}/allowed/*");
        expect(await secure("/allowed/a")).toBe(200);
        expect(await secure("/stray")).toBe("EACCES");
      });
      test("plain", async () => {
        network.allow(proxy, "http://api.invalid:${outside.port}/allowed/*");
        expect(await plain("/allowed/b")).toBe(200);
        expect(await plain("/stray")).toBe("EACCES");
      });
      test("a whole URL", async () => {
        network.allow(proxy, "http://api.invalid/allowed/*");
        expect(await outcome(http.get({ host, port, path: "http://api.invalid/allowed/c" }))).toBe(200);
      });`),
  ).toEqual([
    ["encrypted", "made a stray request: GET https://api.invalid:SECURE/stray"],
    ["plain", "made a stray request: GET http://api.invalid:PORT/stray"],
    ["a whole URL"],
  ]);
  expect(requests().filter((arrival) => !arrival.startsWith("CONNECT"))).toEqual([
    "GET /allowed/a",
    "GET /allowed/b",
    "GET http://api.invalid/allowed/c",
  ]);
});
