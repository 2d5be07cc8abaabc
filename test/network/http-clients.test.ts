import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { runVitest } from "../support/child-vitest.js";
import { type Outside, startOutside } from "../support/outside.js";

/** `test/network/matrix.mjs` runs this file on several sets of versions, with the packages installed there. */
const { CHILD_VITEST_SET } = process.env;

let outside: Outside;
beforeAll(async () => {
  outside = await startOutside();
});
afterEach(() => {
  outside.arrivals.length = 0;
});
afterAll(() => outside.close());

const MOCKS = {
  "no mock": "",
  "network.use": `beforeEach(() => network.use(mock.get("http://mocked.invalid/", () => HttpResponse.text("mocked"))));`,
  "the user's own server": `
    const server = setupServer(mock.get("http://mocked.invalid/", () => HttpResponse.text("mocked")));
    beforeAll(() => server.listen({ onUnhandledRequest: "bypass", onUnhandledFrame: "bypass" }));
    afterAll(() => server.close());`,
  "a handler that lets pass": `beforeEach(() => network.use(mock.all("*", () => passthrough())));`,
};

const ORDERS = { "one after the other": {}, "all at once": { sequence: { concurrent: true } } };

test.each(Object.keys(MOCKS).flatMap((mock) => Object.keys(ORDERS).map((order) => [mock, order] as const)))(
  "under an allowed path every client may ask for that path alone: %s, %s",
  async (mock, order) => {
    const { tests, fileErrors, unhandled } = await runVitest({
      config: ORDERS[order as keyof typeof ORDERS],
      files: {
        "clients.mjs": readFileSync(join(import.meta.dirname, "http-clients.mjs"), "utf8"),
        "a.test.ts": `
          import { http as mock, HttpResponse, passthrough } from "msw";
          import { setupServer } from "msw/node";
          import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
          import { network } from "vitest-tool-loop";
          import { builtIn, encrypted, packages } from "./clients.mjs";
          const plain = "http://127.0.0.1:${outside.port}", byTls = "https://127.0.0.1:${outside.securePort}";
          beforeEach(() => network.allow(plain + "/allowed/*", byTls + "/allowed/*"));
          ${MOCKS[mock as keyof typeof MOCKS]}
          for (const [name, go] of Object.entries({ ...builtIn, ...${CHILD_VITEST_SET ? "packages" : "{}"} })) {
            const to = (path) => go((encrypted.includes(name) ? byTls : plain) + path);
            const stray = "/stray/" + name.replaceAll(/\\W+/g, "-");
            test(name + ": allowed", async () => { await to("/allowed/a"); await to("/allowed/b"); });
            test(name + ": first", async () => { await expect(to(stray + "/first")).rejects.toThrow(); });
            test(name + ": after", async () => { await to("/allowed/c"); await expect(to(stray + "/after")).rejects.toThrow(); });
            test(name + ": beside", async () => {
              const [allowed, refused] = await Promise.allSettled([to("/allowed/d"), to(stray + "/beside")]);
              expect([allowed.status, refused.status]).toEqual(["fulfilled", "rejected"]);
            });
          }`,
      },
    });
    expect([...fileErrors, ...unhandled]).toEqual([]);
    expect(outside.arrivals.filter((arrival) => arrival.includes("/stray"))).toEqual([]);
    const found = tests.map(({ name, errors }) => [
      name,
      ...errors.map(
        ({ message }) => /made a stray request: \w+ https?:\/\/[\d.:]+(\/\S+?)[,. ]/.exec(message)?.[1] ?? message,
      ),
    ]);
    expect(found.length).toBeGreaterThanOrEqual(14 * 4);
    expect(found).toEqual(
      tests.map(({ name }) => {
        const [, client, when] = /^(.*): (\w+)$/.exec(name)!;
        return when === "allowed" ? [name] : [name, `/stray/${client!.replaceAll(/\W+/g, "-")}/${when}`];
      }),
    );
  },
);
