import { expect, test } from "vitest";
import { diffOf, failureOf } from "../support/failure.js";
import { thrownBy } from "../support/rejection.js";
import { everyRun } from "../support/runs.js";

const { suspended, failed } = await everyRun();

test("passes on the name, and on the input it asked with", () => {
  expect(suspended).toBeSuspendedOn("approve");
  expect(suspended).toBeSuspendedOn("approve", { draft: expect.stringMatching(/^d/) });
  expect(suspended).not.toBeSuspendedOn("deny");
  expect(suspended).not.toBeSuspendedOn("approve", { draft: "d2" });
  expect(suspended).not.toBeSuspendedOn("approve", undefined);
});

test("says what the run waits on instead", () => {
  expect(failureOf(() => expect(suspended).toBeSuspendedOn("deny"))).toMatchInlineSnapshot(`
    "expect(run).toBeSuspendedOn("deny")

    Expected the run to wait on "deny", but it does not.

    actor is waiting on "approve", asked with {"draft":"d1"}.

    Have the tool ask before it acts; if it should not ask here, expect what it did."
  `);
});

test("says that the input is another, with one diff", () => {
  const assertion = () => expect(suspended).toBeSuspendedOn("approve", { draft: "d2" });
  expect(failureOf(assertion)).toMatchInlineSnapshot(`
    "expect(run).toBeSuspendedOn("approve", {"draft":"d2"})

    Expected the run to wait on "approve", asked with {"draft":"d2"}, but it was asked with something else.

    actor is waiting on "approve", asked with {"draft":"d1"}.

    Correct the tool, or what the test expects of it."
  `);
  expect(diffOf(assertion)).toEqual({ actual: { draft: "d1" }, expected: { draft: "d2" } });
});

test("says what the tool did instead of waiting", () => {
  expect(failureOf(() => expect(failed).toBeSuspendedOn("approve"))).toMatchInlineSnapshot(`
    "expect(run).toBeSuspendedOn("approve")

    Expected the run to wait on "approve", but it does not.

    actor failed on purpose, with code not_found, not retryable: "No record missing."

    Have the tool ask before it acts; if it should not ask here, expect what it did."
  `);
});

test(".not says what the run waits on", () => {
  expect(failureOf(() => expect(suspended).not.toBeSuspendedOn("approve"))).toMatchInlineSnapshot(`
    "expect(run).not.toBeSuspendedOn("approve")

    Expected the run not to wait on "approve", but it does.

    actor is waiting on "approve", asked with {"draft":"d1"}."
  `);
});

test("a name that is no text is a usage error", () => {
  expect(thrownBy(() => expect(suspended).toBeSuspendedOn(undefined as never)).message).toMatchInlineSnapshot(
    `"[vitest-tool-loop] toBeSuspendedOn() takes the name of a suspension as first argument, found undefined."`,
  );
});

const approval = {
  content: [
    { type: "text", text: "May I?" },
    { type: "tool-approval-request", approvalId: "a1", toolCall: { toolName: "deleteFile", input: { path: "/a" } } },
    { type: "tool-approval-request", approvalId: "a2", isAutomatic: true, toolCall: { toolName: "list", input: {} } },
  ],
};

test("an approval is named approval, or by the tool that waits for it", () => {
  expect(approval).toBeSuspendedOn("approval");
  expect(approval).toBeSuspendedOn("deleteFile", { path: "/a" });
  expect(approval).not.toBeSuspendedOn("list");
  expect(failureOf(() => expect(approval).toBeSuspendedOn("deleteFile", { path: "/b" }))).toMatchInlineSnapshot(`
    "expect(run).toBeSuspendedOn("deleteFile", {"path":"/b"})

    Expected the run to wait on "deleteFile", asked with {"path":"/b"}, but it was asked with something else.

    The run waits for:
      approval of deleteFile {"path":"/a"}

    Correct the tool, or what the test expects of it."
  `);
});

test("a result that does not wait is a subject like any other", () => {
  expect({ content: [{ type: "text", text: "Done." }] }).not.toBeSuspendedOn("approval");
  expect({ messages: [] }).not.toBeSuspendedOn("interrupt");
  expect({ interruptions: [] }).not.toBeSuspendedOn("approval");
  expect(failureOf(() => expect({ messages: [] }).toBeSuspendedOn("interrupt"))).toContain("waits for nothing");
});

test("a UI message waits while a part asks for approval", () => {
  const part = { type: "tool-deleteFile", toolCallId: "c", state: "approval-requested", input: { path: "/a" } };
  expect({ role: "assistant", parts: [part] }).toBeSuspendedOn("deleteFile", { path: "/a" });
  expect({ role: "assistant", parts: [{ ...part, state: "output-available" }] }).not.toBeSuspendedOn("approval");
});
