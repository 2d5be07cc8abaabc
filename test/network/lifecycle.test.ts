import { expect, test } from "vitest";
import { runVitest } from "../support/child-vitest.js";

/** A file whose tests call `check(error)`: registers a check that finds `error`, unless the test failed by itself. */
const CHECK = `
  import { expect, test as it, describe } from "vitest";
  import { currentTest } from "${import.meta.dirname}/../../src/running-test.ts";
  const check = (message) => {
    const test = currentTest();
    test.checks.push(() => test.hasFailed() ? undefined : new Error(message + " in " + test.name));
  };
`;

const run = (tests: string, config = {}) => runVitest({ files: { "a.test.ts": CHECK + tests }, config });

test("a check fails the test it was registered in, and only that", async () => {
  const { tests } = await run(`
    it("innocent", () => {});
    describe("checkout", () => { it("guilty", () => { check("leftover"); }); });
    it("guilty twice", () => { check("one"); check("two"); });
  `);
  expect(tests.map(({ name, errors }) => [name, errors.map(({ message }) => message)])).toEqual([
    ["innocent", []],
    ["checkout > guilty", ["leftover in checkout > guilty"]],
    ["guilty twice", ["one in guilty twice", "two in guilty twice"]],
  ]);
});

test("concurrent tests keep their own checks", async () => {
  const { tests } = await run(`
    const sleep = (ms) => new Promise((done) => setTimeout(done, ms));
    it.concurrent("first", async () => { await sleep(20); check("leftover"); });
    it.concurrent("second", async () => { await sleep(40); });
    it.concurrent("third", async () => { await sleep(10); check("leftover"); await sleep(30); });
  `);
  expect(tests.map(({ name, errors }) => [name, errors.map(({ message }) => message)])).toEqual([
    ["first", ["leftover in first"]],
    ["second", []],
    ["third", ["leftover in third"]],
  ]);
});

test("a test that failed by itself does not get the check's error too, nor one that it has told already", async () => {
  const { tests } = await run(`
    it("wrong", () => { check("leftover"); expect(1).toBe(2); });
    it("wrong in words of an SDK", () => {
      const error = new Error("[vitest-tool-loop] Ours.");
      currentTest().failures.push(error);
      throw new Error("400 " + error.message);
    });
  `);
  expect(tests.map(({ errors }) => errors.map(({ message }) => message))).toEqual([
    ["expected 1 to be 2 // Object.is equality"],
    ["400 [vitest-tool-loop] Ours."],
  ]);
});

test("a retry starts clean", async () => {
  const { tests } = await run(`
    let attempt = 0;
    it("second time lucky", { retry: 2 }, () => { attempt += 1; if (attempt === 1) check("leftover"); });
    let other = 0;
    it("still wrong after its own failure", { retry: 1 }, () => { other += 1; if (other === 1) throw new Error("own"); check("leftover"); });
  `);
  expect(tests.map(({ state }) => state)).toEqual(["passed", "failed"]);
  expect(tests[1]?.errors.map(({ message }) => message)).toEqual([
    "own",
    "leftover in still wrong after its own failure",
  ]);
});

test("each repeat is checked", async () => {
  const { tests } = await run(`
    let count = 0;
    it("third time wrong", { repeats: 3 }, () => { count += 1; if (count === 3) check("leftover"); });
  `);
  expect(tests[0]).toMatchObject({ state: "failed", errors: [{ message: "leftover in third time wrong" }] });
});

test("a check is never the failure that test.fails expects: the file fails instead", async () => {
  const { tests, fileErrors, exitCode } = await run(`
    it.fails("expected to fail, and does", () => { check("leftover"); throw new Error("expected"); });
    it.fails("expected to fail, but only the check does", () => { check("leftover"); });
  `);
  expect(tests.map(({ name, state, errors }) => [name, state, errors.map(({ message }) => message)])).toEqual([
    ["expected to fail, and does", "passed", []],
    ["expected to fail, but only the check does", "failed", ["Expect test to fail"]],
  ]);
  expect(fileErrors.map(({ message }) => message)).toEqual(["leftover in expected to fail, but only the check does"]);
  expect(exitCode).toBe(1);
});

test("a test that skips itself hides no finding", async () => {
  const { tests, fileErrors } = await run(`it("skips itself", ({ skip }) => { check("leftover"); skip(); });`);
  expect(tests[0]?.state).toBe("skipped");
  expect(fileErrors.map(({ message }) => message)).toEqual(["leftover in skips itself"]);
});

test("every file without isolation is watched", async () => {
  const source = `${CHECK} it("guilty", () => { check("leftover"); });`;
  const { tests } = await runVitest({
    files: { "a.test.ts": source, "b.test.ts": source },
    config: { isolate: false },
  });
  expect(tests.map(({ state }) => state)).toEqual(["failed", "failed"]);
});

test("tests extended with fixtures run as before", async () => {
  const { tests } = await run(`
    const extended = it.extend("answer", async ({}, { onCleanup }) => { onCleanup(() => {}); return 42; });
    extended("has its fixture", ({ answer }) => { expect(answer).toBe(42); check("leftover"); });
  `);
  expect(tests[0]?.errors.map(({ message }) => message)).toEqual(["leftover in has its fixture"]);
});
