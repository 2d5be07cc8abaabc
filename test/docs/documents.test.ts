import { expect, test } from "vitest";
import { readDocument, runDocument } from "./document.js";

/** Documents whose code is run. */
const DOCUMENTS = ["docs/matchers.md", "docs/network.md", "docs/scripts.md", "README.md"];

test.each(DOCUMENTS)("%s shows code that does what it says", { timeout: 120_000 }, async (path) => {
  const document = readDocument(path);
  const run = await runDocument(document);
  const failures = Object.fromEntries(document.examples.map(({ at, failure }) => [at, failure ? [failure] : []]));
  const found = Object.fromEntries(run.tests.map(({ name, errors }) => [name, errors.map(({ message }) => message)]));
  const ofFiles = Object.keys(found).filter((name) => !(name in failures));

  expect(run.fileErrors).toEqual([]);
  expect(found).toEqual({ ...failures, ...Object.fromEntries(ofFiles.map((name) => [name, []])) });
  expect(run.tests.length).toBeGreaterThan(0);
});
