import { expect, test } from "vitest";
import { diffOf, failureOf } from "../support/failure.js";
import { thrownBy } from "../support/rejection.js";
import { everyRun } from "../support/runs.js";

const { completed, failed } = await everyRun();

test("passes on a part of the message, a pattern, or the fields given", () => {
  expect(failed).toHaveFailedWith("No record");
  expect(failed).toHaveFailedWith(/missing\.$/);
  expect(failed).toHaveFailedWith({ code: "not_found" });
  expect(failed).toHaveFailedWith({ code: "not_found", message: /record/, retryable: false });
  expect(failed).toHaveFailedWith({ message: expect.stringContaining("missing") });
  expect(failed).not.toHaveFailedWith("Nothing");
  expect(failed).not.toHaveFailedWith(/^missing/);
  expect(failed).not.toHaveFailedWith({ code: "not_found", retryable: true });
  expect(failed).not.toHaveFailedWith({ message: "No record" });
});

test("a global pattern gives the same answer each time", () => {
  const pattern = /record/g;
  expect(failed).toHaveFailedWith(pattern);
  expect(failed).toHaveFailedWith(pattern);
});

test("says that the failure is another, with one diff", () => {
  const assertion = () => expect(failed).toHaveFailedWith({ code: "gone" });
  expect(failureOf(assertion)).toMatchInlineSnapshot(`
    "expect(run).toHaveFailedWith(failure)

    Expected actor to fail with { code: "gone" }, but it failed with something else.

    actor failed on purpose, with code not_found, not retryable: "No record missing."

    Correct the tool, or what the test expects of it."
  `);
  expect(diffOf(assertion).actual).toEqual({ code: "not_found", message: "No record missing.", retryable: false });
  expect(diffOf(() => expect(failed).toHaveFailedWith("Gone"))).toEqual({
    actual: "No record missing.",
    expected: "Gone",
  });
});

test("says what the tool did instead of failing", () => {
  expect(failureOf(() => expect(completed).toHaveFailedWith(/x/))).toMatchInlineSnapshot(`
    "expect(run).toHaveFailedWith(/x/)

    Expected actor to fail on purpose, but it returned.

    actor returned {"hits":["a","b"]}.

    Correct the tool, or expect this with toHaveOutput(…)."
  `);
});

test(".not says how it failed", () => {
  expect(failureOf(() => expect(failed).not.toHaveFailedWith("No record"))).toMatchInlineSnapshot(`
    "expect(run).not.toHaveFailedWith("No record")

    Expected actor not to fail with a message that contains "No record", but it did.

    actor failed on purpose, with code not_found, not retryable: "No record missing.""
  `);
});

test("expecting nothing is a usage error", () => {
  expect(thrownBy(() => expect(failed).toHaveFailedWith({})).message).toMatchInlineSnapshot(
    `"[vitest-tool-loop] toHaveFailedWith() takes a text, a RegExp or { code?, message?, retryable? }, found {}."`,
  );
  expect(thrownBy(() => expect(failed).not.toHaveFailedWith(undefined as never)).message).toContain("found undefined");
});

test("takes a matcher for the whole failure", () => {
  expect(failed).toHaveFailedWith(expect.objectContaining({ code: "not_found" }));
  expect(failed).not.toHaveFailedWith(expect.objectContaining({ code: "refused" }));
});
