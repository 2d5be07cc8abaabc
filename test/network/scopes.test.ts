import { afterAll, beforeAll, expect, test } from "vitest";
import { type ChildRun, runVitest } from "../support/child-vitest.js";
import { type Outside, startOutside } from "../support/outside.js";

let outside: Outside;
beforeAll(async () => {
  outside = await startOutside();
});
afterAll(() => outside.close());

/** Files that have `stray(path)`, a swallowed request to the outside, and `sleep`. */
const run = (files: Record<string, string>, config = {}) =>
  runVitest({
    config,
    files: Object.fromEntries(
      Object.entries(files).map(([name, source]) => [
        name,
        `import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
        const sleep = (ms) => new Promise((done) => setTimeout(done, ms));
        const stray = (path) => fetch("http://127.0.0.1:${outside.port}/" + path).catch(() => {});
        ${source}`,
      ]),
    ),
  });

/** Which test strayed where, as far as the run tells it: one line per error, `test: sentence up to the place`. */
function told({ tests, fileErrors, unhandled }: ChildRun): string[] {
  const short = (message: string) =>
    message
      .replace("[vitest-tool-loop] ", "")
      .replace(/http:\/\/127\.0\.0\.1:\d+/, "")
      .replace(/, at .*/, "");
  return [
    ...tests.flatMap(({ name, errors }) => errors.map(({ message }) => `${name}: ${short(message)}`)),
    ...fileErrors.map(({ file, message }) => `${file}: ${short(message)}`),
    ...unhandled.map(({ message }) => `run: ${short(message)}`),
  ];
}

test("a stray fails the test it was made in, however it was made", async () => {
  const result = await run({
    "a.test.ts": `
      beforeEach(async ({ task }) => { if (task.name === "in beforeEach") await stray("before"); });
      afterEach(async ({ task }) => { if (task.name === "in afterEach") await stray("after"); });
      const withFixture = test.extend({ user: async ({}, use) => { await stray("fixture"); await use("Ann"); } });
      test("in beforeEach", () => {});
      test("in afterEach", () => {});
      withFixture("in a fixture", ({ user }) => { expect(user).toBe("Ann"); });
      test("in onTestFinished", ({ onTestFinished }) => { onTestFinished(async () => { await stray("finished"); }); });
      test("several at once", async () => { await Promise.allSettled([stray("1"), stray("2")]); });
      test("in the last tick", () => { stray("last"); });
      test("retried by the code", async () => { for (let i = 0; i < 3; i++) await stray("again"); });
      test("innocent", async () => { await sleep(10); });
    `,
  });
  expect(outside.arrivals).toEqual([]);
  expect(told(result)).toMatchInlineSnapshot(`
    [
      "in beforeEach: The test "in beforeEach" made a stray request: GET /before",
      "in afterEach: The test "in afterEach" made a stray request: GET /after",
      "in a fixture: The test "in a fixture" made a stray request: GET /fixture",
      "in onTestFinished: The test "in onTestFinished" made a stray request: GET /finished",
      "several at once: The test "several at once" made a stray request: GET /1",
      "several at once: The test "several at once" made a stray request: GET /2",
      "in the last tick: The test "in the last tick" made a stray request: GET /last",
      "retried by the code: The test "retried by the code" made a stray request: GET /again (3 times)",
    ]
  `);
});

test("a stray outside of tests fails the file, and the sentence says where it came from", async () => {
  const result = await run({
    "a.test.ts": `
      stray("module");
      beforeAll(() => stray("beforeAll"));
      afterAll(() => stray("afterAll"));
      describe("suite", () => {
        stray("describe");
        beforeAll(() => stray("nested"));
        test("innocent", () => {});
      });
    `,
  });
  expect(outside.arrivals).toEqual([]);
  expect(told(result)).toMatchInlineSnapshot(`
    [
      "a.test.ts: While the file was imported (at module level or in a describe body), it made a stray request: GET /module",
      "a.test.ts: While the file was imported (at module level or in a describe body), it made a stray request: GET /describe",
      "a.test.ts: A hook of the file (beforeAll, afterAll), or something it started, made a stray request: GET /beforeAll",
      "a.test.ts: A hook of the file (beforeAll, afterAll), or something it started, made a stray request: GET /nested",
      "a.test.ts: A hook of the file (beforeAll, afterAll), or something it started, made a stray request: GET /afterAll",
    ]
  `);
});

test("a stray that ends the import of its file is what the file fails with", async () => {
  const result = await run({
    "a.test.ts": `await fetch("http://127.0.0.1:${outside.port}/module"); test("never runs", () => {});`,
  });
  expect(outside.arrivals).toEqual([]);
  expect(told(result)).toEqual([
    "a.test.ts: While the file was imported (at module level or in a describe body), it made a stray request: GET /module",
  ]);
});

test("a stray after its test ended fails the file and names the test", async () => {
  const result = await run({
    "a.test.ts": `
      test("starts a timer", () => { setTimeout(() => stray("late"), 20); });
      test("innocent", async () => { await sleep(60); });
    `,
  });
  expect(outside.arrivals).toEqual([]);
  expect(told(result)).toMatchInlineSnapshot(`
    [
      "a.test.ts: The test "starts a timer", after it had ended, made a stray request: GET /late",
    ]
  `);
});

test("a stray after its file ended fails the run and names the test", async () => {
  // Whichever file Vitest runs first strays while the other one runs; the second is over before it can.
  const file = `
    test("innocent", async () => { await sleep(400); });
    test("starts a timer", () => { setTimeout(() => stray("late"), 50); });`;
  const result = await run({ "a.test.ts": file, "b.test.ts": file }, { isolate: false });
  expect(outside.arrivals).toEqual([]);
  expect(told(result)).toMatchInlineSnapshot(`
    [
      "run: The test "starts a timer", after it had ended, made a stray request: GET /late",
    ]
  `);
});

test("of concurrent tests to one place, the one that strayed fails", async () => {
  const result = await run({
    "a.test.ts": `
      test.concurrent("swallowed", async () => { await sleep(10); await stray("1"); await sleep(30); });
      test.concurrent("innocent", async () => { await sleep(50); });
      test.concurrent("at the same time", async () => { await sleep(10); await stray("2"); await sleep(20); });
    `,
  });
  expect(told(result)).toMatchInlineSnapshot(`
    [
      "swallowed: The test "swallowed" made a stray request: GET /1",
      "at the same time: The test "at the same time" made a stray request: GET /2",
    ]
  `);
});

test("a retry starts clean, and each repeat is judged", async () => {
  const result = await run({
    "a.test.ts": `
      let first = true;
      test("second time lucky", { retry: 1 }, async () => { if (first) { first = false; await stray("once"); } });
      test("never lucky", { retry: 1 }, async () => { await stray("always"); });
      let count = 0;
      test("second repeat", { repeats: 2 }, async () => { count += 1; if (count === 2) await stray("repeat"); });
    `,
  });
  expect(result.failed).toEqual(["never lucky", "second repeat"]);
  expect(told(result)).toMatchInlineSnapshot(`
    [
      "second time lucky: The test "second time lucky" made a stray request: GET /once",
      "never lucky: The test "never lucky" made a stray request: GET /always",
      "never lucky: The test "never lucky" made a stray request: GET /always",
      "second repeat: The test "second repeat" made a stray request: GET /repeat",
    ]
  `);
});

test("test.fails never takes a stray for the failure it expects: the file fails", async () => {
  const result = await run({
    "a.test.ts": `
      test.fails("fails by itself and strays", async () => { await stray("1"); throw new Error("expected"); });
      test.fails("fails by the stray alone", async () => { await fetch("http://127.0.0.1:${outside.port}/2"); });
    `,
  });
  expect(result.failed).toEqual([]);
  expect(told(result)).toMatchInlineSnapshot(`
    [
      "a.test.ts: The test "fails by itself and strays" made a stray request: GET /1",
      "a.test.ts: The test "fails by the stray alone" made a stray request: GET /2",
    ]
  `);
});

test("a test that failed by itself shows both errors, ours last", async () => {
  const result = await run({
    "a.test.ts": `test("wrong", async () => { await stray("1"); expect(1).toBe(2); });`,
  });
  expect(told(result)).toMatchInlineSnapshot(`
    [
      "wrong: expected 1 to be 2 // Object.is equality",
      "wrong: The test "wrong" made a stray request: GET /1",
    ]
  `);
});

test("a request that was aborted before it connected is no stray", async () => {
  const result = await run({
    "a.test.ts": `test("aborted", async () => {
      await fetch("http://127.0.0.1:${outside.port}/", { signal: AbortSignal.abort() }).catch(() => {});
    });`,
  });
  expect(told(result)).toEqual([]);
});

test("fake timers and a stubbed fetch hide nothing", async () => {
  const result = await run({
    "a.test.ts": `
      import { vi } from "vitest";
      test("fake timers", async () => {
        vi.useFakeTimers({ toFake: ["setTimeout", "setImmediate", "setInterval"] });
        fetch("http://127.0.0.1:${outside.port}/fake").catch(() => {});
        vi.useRealTimers();
      });
      test("left on", () => { vi.useFakeTimers({ toFake: ["setTimeout", "setImmediate"] }); stray("left-on"); });
      test("wrapped", async () => {
        vi.useRealTimers();
        const real = fetch;
        vi.stubGlobal("fetch", (...args) => real(...args));
        await stray("wrapped");
      });
      test("mocked, innocent", async () => {
        vi.stubGlobal("fetch", async () => new Response("mocked"));
        expect(await (await fetch("http://127.0.0.1:${outside.port}/")).text()).toBe("mocked");
      });
    `,
  });
  expect(outside.arrivals).toEqual([]);
  expect(told(result)).toMatchInlineSnapshot(`
    [
      "fake timers: The test "fake timers" made a stray request: GET /fake",
      "left on: The test "left on" made a stray request: GET /left-on",
      "wrapped: The test "wrapped" made a stray request: GET /wrapped",
    ]
  `);
});
