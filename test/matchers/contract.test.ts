import { existsSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { describe, expect, test } from "vitest";
import { matchers } from "../../src/matchers/index.js";
import type { MatcherState } from "../../src/matchers/matcher.js";
import { runVitest } from "../support/child-vitest.js";
import { DIALECTS } from "../support/conversations.js";
import { failureOf } from "../support/failure.js";
import { cases } from "./cases.js";
import { TAKEN } from "./taken-names.js";

type Assert = Record<string, (...args: readonly unknown[]) => unknown>;
type MatcherName = keyof typeof matchers;

const ROOT = resolve(import.meta.dirname, "../..");
const NAMES = Object.keys(matchers) as MatcherName[];

/** What no matcher takes: a number, nothing, a promise, and other things that hold no conversation. */
const WRONG: Record<string, unknown> = {
  "a number": 42,
  null: null,
  undefined: undefined,
  "a promise": Promise.resolve([]),
  "an object": { colour: "red" },
  "a string": "messages",
  "a function": () => [],
  "a symbol": Symbol("messages"),
  "a list of numbers": [1, 2],
};

let state!: MatcherState;
expect.extend({
  toKeepState() {
    state = this;
    return { pass: true, message: () => "" };
  },
});
(expect(0) as unknown as Assert).toKeepState!();

let isCaseless = false;
expect.addEqualityTesters([
  (one, other) =>
    isCaseless && typeof one === "string" && typeof other === "string"
      ? one.toLowerCase() === other.toLowerCase()
      : undefined,
]);

function plain(name: MatcherName, subject: unknown, args = cases[name].args): unknown {
  return (expect(subject) as unknown as Assert)[name]!(...args);
}

function negated(name: MatcherName, subject: unknown, args = cases[name].args): unknown {
  return (expect(subject).not as unknown as Assert)[name]!(...args);
}

test("the table holds every matcher, and no more", () => {
  expect(Object.keys(cases).sort()).toEqual([...NAMES].sort());
});

describe.each(NAMES.filter((name) => name in cases))("%s", (name) => {
  const { args, holds, fails, caseless, takes = [] } = cases[name];

  test.each(DIALECTS)("says the same of the same conversation in %s", async (dialect) => {
    plain(name, await holds(dialect));
    negated(name, await fails(dialect));
  });

  test.each(DIALECTS)("has messages without holes in %s", async (dialect) => {
    const [passing, failing] = [await holds(dialect), await fails(dialect)];
    for (const message of [failureOf(() => negated(name, passing)), failureOf(() => plain(name, failing))]) {
      expect(message).toMatch(new RegExp(`^expect\\(\\w+\\)(\\.not)?\\.${name}\\(.*\\)\\n\\nExpected .+, but .+\\.`));
      expect(message).not.toMatch(/undefined|\[object |NaN|\n\n\n/);
    }
  });

  test.each(Object.keys(WRONG).filter((kind) => !takes.includes(kind)))("throws on %s, negated too", (kind) => {
    const sentences = [failureOf(() => plain(name, WRONG[kind])), failureOf(() => negated(name, WRONG[kind]))];
    expect(sentences[0]).toBe(sentences[1]);
    expect(sentences[0]).toMatch(
      new RegExp(`^\\[vitest-tool-loop\\] ${name}\\(\\) needs .+: expected .+, found .+\\.`),
    );
    if (kind === "a promise") expect(sentences[0]).toMatch(/Await/);
  });

  test("answers at once, and the same whether negated or not", async () => {
    const matcher = matchers[name] as (this: MatcherState, ...args: unknown[]) => { pass: boolean };
    for (const [subject, pass] of [
      [await holds("anthropic"), true],
      [await fails("anthropic"), false],
    ] as const) {
      for (const isNot of [false, true]) {
        const answer = matcher.call(Object.assign(Object.create(state), { isNot }), subject, ...args);
        expect(answer.pass).toBe(pass);
      }
    }
  });

  test("works inside toEqual, negated too", async () => {
    const [passing, failing] = [await holds("openai-chat"), await fails("openai-chat")];
    const asymmetric = (expect as unknown as Assert)[name]!(...args);
    const opposite = (expect.not as unknown as Assert)[name]!(...args);
    expect({ out: passing }).toEqual({ out: asymmetric });
    expect({ out: failing }).not.toEqual({ out: asymmetric });
    expect({ out: failing }).toEqual({ out: opposite });
    expect({ out: passing }).not.toEqual({ out: opposite });
  });

  test("waits for a subject that resolves", async () => {
    const resolved = expect(Promise.resolve(await holds("openai-chat"))).resolves as unknown as Assert;
    await resolved[name]!(...args);
  });

  test.runIf(caseless)("compares with the test's own testers", () => {
    const { subject, args } = caseless!;
    negated(name, subject, args);
    try {
      isCaseless = true;
      plain(name, subject, args);
    } finally {
      isCaseless = false;
    }
  });

  test.each(Object.keys(TAKEN))("has a name that %s leaves free", (owner) => {
    expect(TAKEN[owner]).not.toContain(name);
  });

  test("is documented, and its type is tested", () => {
    const documents = join(ROOT, "docs/matchers.md");
    expect(readFileSync(documents, "utf8")).toMatch(new RegExp(`^## ${name}$`, "m"));
    const types = join(ROOT, "test/types/matchers.test-d.ts");
    expect(existsSync(types) && readFileSync(types, "utf8")).toContain(`.${name}(`);
  });
});

test("an error about its use points at the line that used it", () => {
  const errors = NAMES.map((name) => {
    try {
      plain(name, 42);
    } catch (error) {
      return (error as Error).stack?.split("\n").find((line) => line.startsWith("    at "));
    }
    return "no error";
  });
  for (const frame of errors) expect(frame).not.toMatch(/src\/(matchers|conversation|transcript)/);
});

test("fails softly: a test goes on, and reports each failure", { timeout: 120_000 }, async () => {
  const run = await runVitest({
    files: {
      "soft.test.ts": `import { expect, test } from "vitest";
        import { cases } from ${JSON.stringify(join(ROOT, "test/matchers/cases.ts"))};
        for (const [name, { args, holds, fails }] of Object.entries(cases)) {
          test(name, async () => {
            const [passing, failing] = [await holds("openai-chat"), await fails("openai-chat")];
            expect.soft(failing)[name](...args);
            expect.soft(passing)[name](...args);
            expect.soft(passing).not[name](...args);
          });
        }`,
    },
  });
  expect(run.tests.map(({ name, errors }) => [name, errors.length])).toEqual(
    Object.keys(cases).map((name) => [name, 2]),
  );
  for (const { name, errors } of run.tests) {
    for (const { message } of errors) expect(message).toMatch(new RegExp(`^expect\\(\\w+\\)(\\.not)?\\.${name}\\(`));
  }
});
