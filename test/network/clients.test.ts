import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { runVitest } from "../support/child-vitest.js";
import { type Outside, startOutside } from "../support/outside.js";
// @ts-expect-error The child runs load it as it stands.
import { builtIn } from "./clients.mjs";

interface Client {
  readonly words: string;
  readonly missing?: () => boolean;
}

const clients = Object.entries<Client>(builtIn).filter(([, { missing }]) => !missing?.());

let outside: Outside;
beforeAll(async () => {
  outside = await startOutside();
});
afterAll(() => outside.close());

const runClients = (config: Record<string, unknown>, args: string[] = []) =>
  runVitest({
    config,
    args,
    files: {
      "clients.mjs": readFileSync(join(import.meta.dirname, "clients.mjs"), "utf8"),
      "a.test.ts": `
        import { test } from "vitest";
        import { builtIn } from "./clients.mjs";
        for (const [name, { missing, go }] of Object.entries(builtIn).filter(([, { missing }]) => !missing?.())) {
          test(name + ", awaited", async () => { await go(${outside.port}); });
          test(name + ", swallowed", async () => { await go(${outside.port}).catch(() => {}); });
          test(name + ", not used", async () => {});
        }`,
    },
  });

/** What the sentence must say, by what the table promises for the client. */
const WORDS: Record<string, RegExp> = {
  "GET url": /made a stray request: GET \w+:\/\/\S+\/(x|data\.json), at clients\.mjs:\d+:\d+\./,
  "POST url": /made a stray request: POST \w+:\/\/\S+\/x, at clients\.mjs:\d+:\d+\./,
  TCP: /opened a stray TCP connection: 127\.0\.0\.1:\d+, at clients\.mjs:\d+:\d+\./,
  UDP: /sent a stray UDP datagram: 127\.0\.0\.1:\d+, at clients\.mjs:\d+:\d+\./,
  DNS: /looked up a stray host name: stray\.invalid, at clients\.mjs:\d+:\d+\./,
};

test.each([
  [{ pool: "forks" }],
  [{ pool: "threads" }],
  [{ pool: "vmThreads" }],
  [{ pool: "vmForks" }],
  [{ pool: "threads", isolate: false }],
  [{ pool: "forks", sequence: { concurrent: true } }],
])("every client that comes with Node is blocked, fails its test and is worded: %o", async (config) => {
  const run = await runClients(config);
  expect(outside.arrivals).toEqual([]);
  expect(run.unhandled).toEqual([]);
  expect(run.fileErrors).toEqual([]);
  for (const [name, { words }] of clients) {
    expect(run.test(`${name}, not used`).errors).toEqual([]);
    const swallowed = run.test(`${name}, swallowed`).errors;
    expect(swallowed.map(({ message }) => message)).toEqual([expect.stringMatching(WORDS[words]!)]);
    expect(swallowed[0]!.message).toContain(`The test "${name}, swallowed" `);
    expect(swallowed[0]!.at).toMatch(/^clients\.mjs:\d+$/);
    // The client's own error first, ours last.
    expect(run.test(`${name}, awaited`).errors.map(({ message }) => message)).toEqual([
      expect.not.stringContaining("[vitest-tool-loop]"),
      expect.stringContaining(`[vitest-tool-loop] The test "${name}, awaited" `),
    ]);
  }
});
