import { afterAll, beforeAll, expect, test } from "vitest";
import { matchers } from "../../src/matchers/index.js";
import { MATCHER_NAMES } from "../../src/matchers/names.js";
import { type BuiltPackage, buildPackage } from "../support/built-package.js";
import { runVitest } from "../support/child-vitest.js";

let built: BuiltPackage;
beforeAll(() => {
  built = buildPackage("matchers-on-demand");
});
afterAll(() => built.remove());

test("the names under which matchers are announced are those of the matchers", () => {
  expect([...MATCHER_NAMES].sort()).toEqual(Object.keys(matchers).sort());
});

test.each(["forks", "vmThreads"])(
  "in %s the built package loads its matchers when the first of them is called",
  async (pool) => {
    const run = await runVitest({
      entries: built.entries,
      config: { pool },
      files: {
        "a.test.ts": `
        import { createRequire } from "node:module";
        import { expect, test } from "vitest";
        const { cache } = process.getBuiltinModule("node:module").createRequire(import.meta.url);
        const isLoaded = () => Object.keys(cache).some((file) => file.endsWith("matchers.cjs"));
        const asked = { role: "assistant", tool_calls: [{ id: "a", type: "function", function: { name: "f", arguments: "{}" } }] };
        test("not yet", () => {
          expect(isLoaded()).toBe(false);
        });
        test("passes", () => {
          expect([{ role: "user", content: "hi" }]).toMatchToolCallIds();
        });
        test("fails", () => {
          expect([asked]).toMatchToolCallIds();
        });
        test("throws", () => {
          expect(42).toMatchToolCallIds();
        });
        test("takes patterns and collections of the test's own realm", () => {
          const extra = [new Map([["token", "hunter2"]]), new Error("hunter3"), new Headers({ token: "hunter4" })];
          const messages = [{ role: "user", content: "hi", extra }];
          for (const secret of [/hunter2/, /hunter3/, /hunter4/]) expect(messages).toLeak(secret);
          expect(messages).toStopWithinTurns(1, { giveUp: /cap/ });
        });
        test("reveals hidden secrets to itself alone", () => {
          expect([42, [{ role: "user", content: "hunter2-7f3a" }]]).toContainEqual(expect.toLeak("hunter2-7f3a"));
        });
        test("finds credentials", () => {
          expect([{ role: "user", content: "ghp_16C7e42F292c6912E7710c838347Ae178B4a" }]).toLeak();
        });`,
      },
    });
    expect(run.failed).toEqual(["fails", "throws"]);
    expect(run.test("fails").errors[0]!.message).toContain("nothing answers a");
    const [wrong] = run.test("throws").errors;
    expect(wrong).toMatchObject({
      at: expect.stringContaining("a.test.ts:17"),
      message: expect.stringContaining("found 42"),
    });
  },
);
