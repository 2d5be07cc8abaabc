import { appendFileSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { runVitest } from "../support/child-vitest.js";
import { type Outside, startOutside } from "../support/outside.js";
// @ts-expect-error The child runs load it as it stands.
import { builtIn, packages } from "./clients.mjs";

/** `test/network/matrix.mjs` runs this file on several sets of versions, with the packages installed there. */
const { CHILD_VITEST_SET, MATRIX_REPORT } = process.env;

const clients = Object.entries<{ readonly words: string }>({ ...builtIn, ...(CHILD_VITEST_SET ? packages : {}) });

let outside: Outside;
beforeAll(async () => {
  outside = await startOutside();
});
afterAll(() => outside.close());

const runClients = (config: Record<string, unknown>) =>
  runVitest({
    config,
    files: {
      "clients.mjs": readFileSync(join(import.meta.dirname, "clients.mjs"), "utf8"),
      "a.test.ts": `
        import { test } from "vitest";
        import { builtIn, packages } from "./clients.mjs";
        const clients = { ...builtIn, ...${CHILD_VITEST_SET ? "packages" : "{}"} };
        for (const [name, { missing, go }] of Object.entries(clients).filter(([, { missing }]) => !missing?.())) {
          test(name + ", awaited", async () => { await go(${outside.port}); });
          test(name + ", swallowed", async () => { await go(${outside.port}).catch(() => {}); });
          test(name + ", not used", async () => {});
        }`,
    },
  });

/** What the sentence must say, by what the table promises for the client. */
const WORDS: Record<string, RegExp> = {
  // happy-dom asks the other origin first whether it may.
  "GET url": /made a stray request: (GET|OPTIONS) \w+:\/\/\S+\/(x|data\.json)(, at clients\.mjs:\d+:\d+)?\. It was/,
  "POST url": /made a stray request: (POST|OPTIONS) \w+:\/\/\S+\/x(, at clients\.mjs:\d+:\d+)?\. It was/,
  TCP: /opened a stray TCP connection: 127\.0\.0\.1:\d+(, at clients\.mjs:\d+:\d+)?\. It was/,
  UDP: /sent a stray UDP datagram: 127\.0\.0\.1:\d+, at clients\.mjs:\d+:\d+\. It was/,
  DNS: /looked up a stray host name: stray\.invalid, at clients\.mjs:\d+:\d+\. It was/,
};

/** Clients that open their connections from a queue of their own, where the user's line cannot be known. */
const NO_LINE = ["@grpc/grpc-js", "XMLHttpRequest of the DOM environment", "redis", "got"];

const MODES: [string, Record<string, unknown>][] = [
  ["forks", { pool: "forks" }],
  ["threads", { pool: "threads" }],
  ["vmThreads", { pool: "vmThreads" }],
  ["vmForks", { pool: "vmForks" }],
  ["forks, no isolation", { pool: "forks", isolate: false }],
  ["threads, no isolation", { pool: "threads", isolate: false }],
  ["forks, all concurrent", { pool: "forks", sequence: { concurrent: true } }],
];

/** Vitest serves the files of these as a browser would, which ends at the root of the run: the package must be in it. */
const DOM_MODES: typeof MODES = [
  ["forks, jsdom", { pool: "forks", environment: "jsdom" }],
  ["threads, happy-dom", { pool: "threads", environment: "happy-dom" }],
];

test.each([...MODES, ...(CHILD_VITEST_SET ? DOM_MODES : [])])(
  "every client is blocked, fails its test and is worded, in %s",
  async (mode, config) => {
    const run = await runClients(config);
    expect(outside.arrivals).toEqual([]);
    expect(run.unhandled).toEqual([]);
    expect(run.fileErrors).toEqual([]);
    const present = clients.filter(([name]) => run.tests.some((test) => test.name === `${name}, swallowed`));
    expect(present.length).toBeGreaterThanOrEqual(20);
    for (const [name, { words }] of present) {
      expect(run.test(`${name}, not used`).errors).toEqual([]);
      const swallowed = run.test(`${name}, swallowed`).errors;
      expect(swallowed.map(({ message }) => message)).toEqual([expect.stringMatching(WORDS[words]!)]);
      expect(swallowed[0]!.message).toContain(`The test "${name}, swallowed" `);
      if (!NO_LINE.includes(name)) expect(swallowed[0]!.at, name).toMatch(/^clients\.mjs:\d+$/);
      // The client's own error first, where it has one; ours last.
      const awaited = run.test(`${name}, awaited`).errors.map(({ message }) => message);
      expect(awaited.filter((message) => message.includes("[vitest-tool-loop]"))).toEqual([awaited.at(-1)]);
      expect(awaited.at(-1)).toContain(`[vitest-tool-loop] The test "${name}, awaited" `);
      if (MATRIX_REPORT)
        appendFileSync(MATRIX_REPORT, `${JSON.stringify({ mode, name, sentence: swallowed[0]!.message })}\n`);
    }
  },
);
