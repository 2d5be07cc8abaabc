import { runInNewContext } from "node:vm";
import { expect, test } from "vitest";
import { defineTool, runTool } from "../../src/index.js";
import { failureOf } from "../support/failure.js";
import { thrownBy } from "../support/rejection.js";
import { DatabaseDownError, everyRun, withoutFrames } from "../support/runs.js";

const { completed, threw } = await everyRun();

test("passes on any throw, a class, a part of the message, or a pattern", () => {
  expect(threw).toHaveThrown();
  expect(threw).toHaveThrown(DatabaseDownError);
  expect(threw).toHaveThrown(Error);
  expect(threw).toHaveThrown("database");
  expect(threw).toHaveThrown(/down\.$/);
  expect(threw).not.toHaveThrown(RangeError);
  expect(threw).not.toHaveThrown("cache");
  expect(threw).not.toHaveThrown(/up/);
});

test("says what was thrown instead, with its stack", () => {
  expect(withoutFrames(failureOf(() => expect(threw).toHaveThrown(RangeError)))).toMatchInlineSnapshot(`
    "expect(run).toHaveThrown(RangeError)

    Expected actor to throw RangeError, but it threw something else.

    actor threw DatabaseDownError: The database is down.
        at …

    Correct the tool, or what the test expects of it."
  `);
});

test("says what the tool did instead of throwing", () => {
  expect(failureOf(() => expect(completed).toHaveThrown("down"))).toMatchInlineSnapshot(`
    "expect(run).toHaveThrown("down")

    Expected actor to throw "down", but it returned.

    actor returned {"hits":["a","b"]}.

    Correct the tool, or expect this with toHaveOutput(…)."
  `);
});

test(".not says what was thrown", () => {
  expect(withoutFrames(failureOf(() => expect(threw).not.toHaveThrown()))).toMatchInlineSnapshot(`
    "expect(run).not.toHaveThrown()

    Expected actor not to throw, but it did.

    actor threw DatabaseDownError: The database is down.
        at …"
  `);
});

test("anything else to expect is a usage error", () => {
  expect(thrownBy(() => expect(threw).toHaveThrown(3 as never)).message).toMatchInlineSnapshot(
    `"[vitest-tool-loop] toHaveThrown() takes a class, a text or a RegExp, found 3."`,
  );
});

test("an error of another realm is one too", async () => {
  const anything = { "~standard": { version: 1, vendor: "test", validate: (value: unknown) => ({ value }) } } as const;
  const broken = defineTool({
    name: "broken",
    inputSchema: anything,
    execute: () => runInNewContext(`throw new TypeError("no disk")`),
  });
  const run = await runTool(broken, { input: {} });
  const message = withoutFrames(failureOf(() => expect(run).toHaveThrown(/network/)));
  expect(message).toContain("broken threw TypeError: no disk\n    at …");
});
