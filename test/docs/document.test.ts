import { expect, test } from "vitest";
import { readDocument, runDocument } from "./document.js";

const SAMPLE = "test/docs/sample.md";

test("reads examples with their place, what they see, and the message they fail with", () => {
  const { examples, files } = readDocument(SAMPLE);
  const shared = "const answer = 42;\nexpect(answer).toBe(42);\n";
  expect(examples).toEqual([
    { at: `${SAMPLE}:5`, code: shared, failure: undefined },
    {
      at: `${SAMPLE}:10`,
      code: `${shared}\nexpect(answer).toBe(41);\n`,
      failure: "expected 42 to be 41 // Object.is equality",
    },
    { at: `${SAMPLE}:18`, code: `${shared}\nexpect(answer).toBe(40);\n`, failure: undefined },
    { at: `${SAMPLE}:24`, code: 'expect(typeof answer).toBe("undefined");\n', failure: undefined },
  ]);
  expect(Object.keys(files)).toEqual(["sum.ts", "sum.test.ts"]);
});

test("runs them, so that a document that is wrong is found out", { timeout: 120_000 }, async () => {
  const run = await runDocument(readDocument(SAMPLE));
  expect(Object.fromEntries(run.tests.map(({ name, errors }) => [name, errors.map(({ message }) => message)]))).toEqual(
    {
      [`${SAMPLE}:5`]: [],
      [`${SAMPLE}:10`]: ["expected 42 to be 41 // Object.is equality"],
      [`${SAMPLE}:18`]: ["expected 42 to be 40 // Object.is equality"],
      [`${SAMPLE}:24`]: [],
      sums: [],
    },
  );
});
