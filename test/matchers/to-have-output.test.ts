import { expect, test } from "vitest";
import { diffOf, failureOf } from "../support/failure.js";
import { everyRun, withoutFrames } from "../support/runs.js";

const { completed, threw } = await everyRun();

test("passes on an equal output, asymmetric matchers included", () => {
  expect(completed).toHaveOutput();
  expect(completed).toHaveOutput({ hits: ["a", "b"] });
  expect(completed).toHaveOutput({ hits: expect.arrayContaining(["b"]) });
  expect(completed).not.toHaveOutput({ hits: ["a"] });
});

test("an output that is expected to be undefined is not any output", () => {
  expect(completed).not.toHaveOutput(undefined);
});

test("says that the output is another, with one diff", () => {
  const assertion = () => expect(completed).toHaveOutput({ hits: ["a"] });
  expect(failureOf(assertion)).toMatchInlineSnapshot(`
    "expect(run).toHaveOutput({"hits":["a"]})

    Expected actor to return {"hits":["a"]}, but it returned something else.

    actor returned {"hits":["a","b"]}.

    Correct the tool, or what the test expects of it."
  `);
  expect(diffOf(assertion)).toEqual({ actual: { hits: ["a", "b"] }, expected: { hits: ["a"] } });
});

test("says what the tool did instead of returning", () => {
  expect(withoutFrames(failureOf(() => expect(threw).toHaveOutput({ hits: [] })))).toMatchInlineSnapshot(`
    "expect(run).toHaveOutput({"hits":[]})

    Expected actor to return, but it threw.

    actor threw DatabaseDownError: The database is down.
        at …

    Correct the tool, or expect this with toHaveThrown(…)."
  `);
});

test(".not says what was returned", () => {
  expect(failureOf(() => expect(completed).not.toHaveOutput({ hits: ["a", "b"] }))).toMatchInlineSnapshot(`
    "expect(run).not.toHaveOutput({"hits":["a","b"]})

    Expected actor not to return {"hits":["a","b"]}, but it did.

    actor returned {"hits":["a","b"]}."
  `);
});
