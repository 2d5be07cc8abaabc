import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { expect, test } from "vitest";
import { runVitest } from "../support/child-vitest.js";

const SRC = resolve(import.meta.dirname, "../../src");

const usesMatcher = `import { expect, test } from "vitest";
  test("uses a matcher", () => { expect([]).toMatchToolCallIds(); });`;

test("without the setup line a matcher is unknown to Vitest, in the words that the README explains", {
  timeout: 120_000,
}, async () => {
  const run = await runVitest({ setup: false, files: { "a.test.ts": usesMatcher } });
  const [error] = run.test("uses a matcher").errors;
  expect(error!.message).toMatchInlineSnapshot(`"Invalid Chai property: toMatchToolCallIds"`);
});

test("without the setup line the fixture says so in a sentence, also where a matcher would come later", {
  timeout: 120_000,
}, async () => {
  const run = await runVitest({
    setup: false,
    files: {
      "a.test.ts": `import { expect } from "vitest";
        import { test } from "vitest-tool-loop";
        test("uses the fixture", ({ scriptedModel }) => { expect(scriptedModel("hi")).toStopWithinTurns(1); });`,
    },
  });
  expect(run.test("uses the fixture").errors[0]!.message).toMatch(
    /needs the setup line.*Add test: \{ setupFiles: \["vitest-tool-loop\/setup"\] \}/,
  );
});

test("a setup file before ours does not know the matchers yet", { timeout: 120_000 }, async () => {
  const run = await runVitest({
    files: {
      "early.ts": `import { expect } from "vitest"; expect([]).toMatchToolCallIds();`,
      "a.test.ts": usesMatcher,
    },
    config: { setupFiles: ["./early.ts", join(SRC, "setup.ts")] },
  });
  expect(run.fileErrors.map(({ message }) => message)).toMatchInlineSnapshot(`
    [
      "Invalid Chai property: toMatchToolCallIds",
    ]
  `);
});

test("a setup file after ours knows them", { timeout: 120_000 }, async () => {
  const run = await runVitest({
    files: { "late.ts": `import { expect } from "vitest"; expect([]).toMatchToolCallIds();`, "a.test.ts": usesMatcher },
    config: { setupFiles: [join(SRC, "setup.ts"), "./late.ts"] },
  });
  expect(run.tests.map(({ state }) => state)).toEqual(["passed"]);
});

test("two copies of the package do not get in each other's way", async () => {
  const copy = readdirSync(SRC, { recursive: true, encoding: "utf8" }).filter((file) => file.endsWith(".ts"));
  const run = await runVitest({
    files: {
      ...Object.fromEntries(copy.map((file) => [`copy/${file}`, readFileSync(join(SRC, file), "utf8")])),
      "a.test.ts": `import { expect, test } from "vitest";
        import * as one from "vitest-tool-loop";
        import * as other from "./copy/index.ts";
        const question = [{ role: "user", content: "hi" }];
        test("they are two", () => { expect(one.scriptedModel).not.toBe(other.scriptedModel); });
        for (const [name, { scriptedModel, toolCall }] of Object.entries({ one, other })) {
          test(name + ": a model is read by whichever matcher is registered", async () => {
            const model = scriptedModel(toolCall("search"), "done");
            await model(question);
            await model(question);
            expect(model).toHaveCalledTool("search");
            expect(model).toHaveFinishedScript();
            expect(model).toStopWithinTurns(2);
          });
          test(name + ": turns left over fail once", async () => { await scriptedModel("one", "two")(question); });
          test(name + ": a stray fails once", () => fetch("http://stray.invalid/").catch(() => {}));
          test(name + ": a dialect registered here is known there", () => {
            const define = (definition) => (name === "one" ? one : other).registerDialect(definition);
            define({
              name: "mine-" + name, rules: [], detect: (value) => (JSON.stringify(value).includes("mine-" + name) ? "yes" : "no"),
              read: (messages) => ({ dialect: "mine-" + name, messages: [] }),
              write: () => ({ messages: [], lost: [] }), writeTurn: () => [], writeResults: () => [],
            });
            expect([{ kind: "mine-" + name }]).toMatchToolCallIds([]);
          });
        }`,
    },
    config: { setupFiles: [join(SRC, "setup.ts"), "./copy/setup.ts"] },
  });
  expect(run.fileErrors).toEqual([]);
  expect(run.unhandled).toEqual([]);
  const errors = Object.fromEntries(run.tests.map(({ name, errors }) => [name, errors.map(({ message }) => message)]));
  expect(errors).toEqual({
    "they are two": [],
    ...Object.assign(
      {},
      ...["one", "other"].map((name) => ({
        [`${name}: a model is read by whichever matcher is registered`]: [],
        [`${name}: turns left over fail once`]: [expect.stringContaining("was not spoken to its end")],
        [`${name}: a stray fails once`]: [expect.stringContaining("http://stray.invalid/")],
        [`${name}: a dialect registered here is known there`]: [],
      })),
    ),
  });
});
