import { afterAll, beforeAll, expect, test } from "vitest";
import { runVitest } from "../support/child-vitest.js";
import { type Outside, startOutside } from "../support/outside.js";

let outside: Outside;
beforeAll(async () => {
  outside = await startOutside();
});
afterAll(() => outside.close());

test("a path that is not allowed stays in, although a request beside it may go to its host", async () => {
  const { tests } = await runVitest({
    files: {
      "a.test.ts": `
        import { get } from "node:http";
        import { expect, test } from "vitest";
        import { network } from "vitest-tool-loop";
        const ask = (path) => new Promise((done, fail) => {
          get("http://127.0.0.1:${outside.port}" + path, (response) => response.resume().on("end", () => done(response.statusCode))).on("error", fail);
        });
        test("at once", async () => {
          network.allow("http://127.0.0.1:${outside.port}/allowed/*");
          const [allowed, refused] = await Promise.allSettled([ask("/allowed/a"), ask("/refused")]);
          expect([allowed.value, refused.reason.code]).toEqual([200, "EACCES"]);
        });
        test("after one that was aborted", async () => {
          network.allow("http://127.0.0.1:${outside.port}/allowed/*");
          get("http://127.0.0.1:${outside.port}/allowed/aborted").on("error", () => {}).destroy();
          await ask("/later").catch(() => {});
        });`,
    },
  });
  expect(
    tests.map(({ name, errors }) => [
      name,
      ...errors.map(({ message }) => /GET \S+\/(\w+)/.exec(message)?.[1] ?? message),
    ]),
  ).toEqual([
    ["at once", "refused"],
    ["after one that was aborted", "later"],
  ]);
  expect(outside.arrivals.filter((arrival) => arrival !== "connection")).toEqual(["GET /allowed/a"]);
});
