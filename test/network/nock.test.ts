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

test.each([
  ["disableNetConnect", "forks"],
  ["enableNetConnect", "threads"],
  ["disableNetConnect", "vmThreads"],
])("a suite with nock keeps working, and its strays are caught after nock.%s(), in %s", async (mode, pool) => {
  const { tests } = await runVitest({
    config: { pool },
    files: {
      "a.test.ts": `
        import http from "node:http";
        import nock from "nock";
        import { expect, test } from "vitest";
        import { network } from "vitest-tool-loop";
        nock.${mode}();
        const viaHttp = (url) => new Promise((done) => http.get(url, (r) => r.resume().on("end", () => done(r.statusCode))).on("error", () => done()));
        test("mocked", async () => {
          nock("http://known.invalid").get("/a").times(2).reply(200, "mocked");
          expect(await (await fetch("http://known.invalid/a")).text()).toBe("mocked");
          expect(await viaHttp("http://known.invalid/a")).toBe(200);
        });
        test("stray by fetch", async () => { await fetch("http://127.0.0.1:${outside.port}/fetch").catch(() => {}); });
        test("stray by node:http", async () => { await viaHttp("http://127.0.0.1:${outside.port}/http"); });
        test("allowed by both", async () => {
          nock.enableNetConnect("127.0.0.1");
          network.allow("127.0.0.1");
          expect(await viaHttp("http://127.0.0.1:${outside.port}/allowed")).toBe(200);
        });
      `,
    },
  });
  expect(
    tests.map(({ name, errors }) => [
      name,
      ...errors.map(({ message }) => /GET \S+\/(\w+)/.exec(message)?.[1] ?? message),
    ]),
  ).toEqual([["mocked"], ["stray by fetch", "fetch"], ["stray by node:http", "http"], ["allowed by both"]]);
  expect(outside.arrivals).toEqual(["connection", "GET /allowed"]);
});
