import { expect, test } from "vitest";
import { failureOf } from "../support/failure.js";
import { everyRun } from "../support/runs.js";

const { cancelled, completed } = await everyRun();

test("passes on a cancelled run", () => {
  expect(cancelled).toBeCancelled();
  expect(completed).not.toBeCancelled();
});

test("says what the tool did instead", () => {
  expect(failureOf(() => expect(completed).toBeCancelled())).toMatchInlineSnapshot(`
    "expect(run).toBeCancelled()

    Expected the run of actor to be cancelled, but it returned.

    actor returned {"hits":["a","b"]}.

    Abort the signal that runTool(…, { signal }) was given before the tool ends: an abort then beats whatever it does."
  `);
});

test(".not says why the run was cancelled", () => {
  expect(failureOf(() => expect(cancelled).not.toBeCancelled())).toMatchInlineSnapshot(`
    "expect(run).not.toBeCancelled()

    Expected the run of actor not to be cancelled, but it was.

    actor was cancelled: Error: The user left."
  `);
});
