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

/** Clients that do not load everywhere: where, and the very words they fail with then. Any other failure is a miss. */
// Vitest 4 takes the ES modules of axios for CommonJS in its VM pools.
const NOT_LOADED: Record<string, { readonly modes: readonly string[]; readonly message: string }> = {
  axios: { modes: ["vmThreads", "vmForks"], message: "Cannot use import statement outside a module" },
};

/** What the sentence must say, by what the table promises for the client. */
const WORDS: Record<string, RegExp> = {
  // happy-dom asks the other origin first whether it may.
  "GET url": /made a stray request: (GET|OPTIONS) \w+:\/\/\S+\/(x|data\.json)(, at \S+)?\. It was/,
  "POST url": /made a stray request: (POST|OPTIONS) \w+:\/\/\S+\/x(, at \S+)?\. It was/,
  TCP: /opened a stray TCP connection: 127\.0\.0\.1:\d+(, at \S+)?\. It was/,
  UDP: /sent a stray UDP datagram: 127\.0\.0\.1:\d+, at \S+\. It was/,
  "DNS address": /looked up a stray host name: 192\.0\.2\.1, at \S+\. It was/,
  DNS: /looked up a stray host name: stray\.invalid, at \S+\. It was/,
};

/** Clients that open their connections from a queue of their own, where the user's line is not known everywhere. */
const NO_LINE = ["@grpc/grpc-js", "XMLHttpRequest of the DOM environment", "redis", "got", "global WebSocket"];

const MODES: [string, Record<string, unknown>][] = [
  ["forks", { pool: "forks" }],
  ["threads", { pool: "threads" }],
  ["vmThreads", { pool: "vmThreads" }],
  ["vmForks", { pool: "vmForks" }],
  ["forks, no isolation", { pool: "forks", isolate: false }],
  ["threads, no isolation", { pool: "threads", isolate: false }],
  ["forks, all concurrent", { pool: "forks", sequence: { concurrent: true } }],
];

/** Their environments are installed with the sets. */
const DOM_MODES: typeof MODES = [
  ["forks, jsdom", { pool: "forks", environment: "jsdom" }],
  ["threads, happy-dom", { pool: "threads", environment: "happy-dom" }],
];

/** One connection serves all clients of an address, so of tests at the same time only one is known to have opened it. */
const POOLED = ["@grpc/grpc-js"];

test.each([...MODES, ...(CHILD_VITEST_SET ? DOM_MODES : [])])(
  "every client is blocked, fails its test and is worded, in %s",
  async (mode, config) => {
    const run = await runClients(config);
    expect(outside.arrivals).toEqual([]);
    expect(run.unhandled).toEqual([]);
    expect(run.fileErrors).toEqual([]);
    // A DOM environment replaces clients by its own, which work off queues.
    const queued = config.environment !== undefined;
    const isConcurrent = config.sequence !== undefined;
    const present = clients.filter(
      ([name]) =>
        run.tests.some((test) => test.name === `${name}, swallowed`) && !(isConcurrent && POOLED.includes(name)),
    );
    expect(present.length).toBeGreaterThanOrEqual(20);
    const problems = present.flatMap(([name, { words: named }]) => {
      const [awaited, swallowed, unused] = ["awaited", "swallowed", "not used"].map(
        (use) => run.test(`${name}, ${use}`).errors,
      );
      const { modes, message: refusal } = NOT_LOADED[name] ?? {};
      const didNotLoad = awaited!.length === 1 && awaited![0]!.message === refusal;
      if (modes?.includes(mode) && didNotLoad && swallowed!.length === 0) return [];
      if (MATRIX_REPORT) {
        appendFileSync(MATRIX_REPORT, `${JSON.stringify({ mode, name, sentence: swallowed![0]?.message })}\n`);
      }
      return [
        ...unused!.map(({ message }) => `${name}: a test that did not use it failed: ${message}`),
        ...(swallowed!.length === 1
          ? []
          : [`${name}, swallowed: ${JSON.stringify(swallowed)}; awaited: ${JSON.stringify(awaited)}`]),
        ...swallowed!
          .filter(({ message, at = "" }) => {
            const hasLine = /^(clients\.mjs|a\.test\.ts):\d+$/.test(at) || queued || NO_LINE.includes(name);
            return !WORDS[named]!.test(message) || !message.includes(`The test "${name}, swallowed" `) || !hasLine;
          })
          .map(({ message, at }) => `${name} is worded: ${message} (${at})`),
        // The client's own error first, where it has one; ours last.
        ...(awaited!.findIndex(({ message }) => message.includes(`[vitest-tool-loop] The test "${name}, awaited" `)) ===
        awaited!.length - 1
          ? []
          : [`${name}, awaited: ${JSON.stringify(awaited)}`]),
      ];
    });
    expect(problems).toEqual([]);
  },
);
