import { expect, test } from "vitest";
import { z } from "zod";
import { defineTool, runTool } from "../../src/index.js";
import { diffOf, failureOf } from "../support/failure.js";
import { everyRun } from "../support/runs.js";

const { completed, failed } = await everyRun();

test("passes on a write of this name, and of this value, whenever it was written", () => {
  expect(completed).toHaveWritten("progress");
  expect(completed).toHaveWritten("progress", { percent: 10 });
  expect(completed).toHaveWritten("progress", { percent: expect.any(Number) });
  expect(completed).not.toHaveWritten("note");
  expect(completed).not.toHaveWritten("progress", { percent: 50 });
  expect(completed).not.toHaveWritten("progress", undefined);
});

test("passes whatever the tool did after writing", () => {
  expect(failed).toHaveWritten("progress", { percent: 100 });
});

test("lists the writes when the name is missing", () => {
  expect(failureOf(() => expect(completed).toHaveWritten("note"))).toMatchInlineSnapshot(`
    "expect(run).toHaveWritten("note")

    Expected actor to write "note", but it did not.

    It wrote, in order:
      0  progress  {"percent":10}
      1  progress  {"percent":100}

    Write it with ctx.data.write("note", …), or correct what the test expects."
  `);
});

test("compares with the last write of the name, with one diff", () => {
  const assertion = () => expect(completed).toHaveWritten("progress", { percent: 50 });
  expect(failureOf(assertion)).toMatchInlineSnapshot(`
    "expect(run).toHaveWritten("progress", {"percent":50})

    Expected actor to write "progress" with {"percent":50}, but it wrote other values under that name.

    It wrote, in order:
      0  progress  {"percent":10}
      1  progress  {"percent":100}

    Write it with ctx.data.write("progress", …), or correct what the test expects."
  `);
  expect(diffOf(assertion)).toEqual({ actual: { percent: 100 }, expected: { percent: 50 } });
});

test("says when nothing was written", async () => {
  const silent = defineTool({ name: "silent", inputSchema: z.object({}), execute: () => null });
  const run = await runTool(silent, { input: {} });
  expect(failureOf(() => expect(run).toHaveWritten("note"))).toContain("It wrote nothing.");
});

test(".not lists the writes", () => {
  expect(failureOf(() => expect(completed).not.toHaveWritten("progress"))).toMatchInlineSnapshot(`
    "expect(run).not.toHaveWritten("progress")

    Expected actor not to write "progress", but it did.

    It wrote, in order:
      0  progress  {"percent":10}
      1  progress  {"percent":100}"
  `);
});
