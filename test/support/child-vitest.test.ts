import { expect, test } from "vitest";
import { runVitest } from "./child-vitest.js";

test("tells which tests of a child run failed, and why", async () => {
  const run = await runVitest({
    files: {
      "a.test.ts": `import { afterAll, describe, expect, test } from "vitest";
        describe("sums", () => {
          test("right", () => { expect(1 + 1).toBe(2); });
          test("wrong", () => { expect(1 + 1).toBe(3); });
        });
        afterAll(() => { throw new Error("from a hook"); });`,
    },
  });
  expect(run.tests).toEqual([
    { name: "sums > right", state: "passed", errors: [] },
    {
      name: "sums > wrong",
      state: "failed",
      errors: [{ message: "expected 2 to be 3 // Object.is equality", at: "a.test.ts:4" }],
    },
  ]);
  expect(run.fileErrors).toEqual([{ file: "a.test.ts", message: "from a hook", at: "a.test.ts:6" }]);
  expect(run.failed).toEqual(["sums > wrong"]);
  expect(run.exitCode).toBe(1);
});

test("a child run knows this package by its name", async () => {
  const run = await runVitest({
    files: {
      "a.test.ts": `import { UsageError } from "vitest-tool-loop"; import { expect, test } from "vitest";
        test("resolves", () => { expect(new UsageError("x.").code).toBe("usage"); });`,
    },
  });
  expect(run.tests).toEqual([{ name: "resolves", state: "passed", errors: [] }]);
});
