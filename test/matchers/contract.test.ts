import { existsSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { stripVTControlCharacters } from "node:util";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { defineTool, runTool } from "../../src/index.js";
import { matchers } from "../../src/matchers/index.js";
import type { MatcherState } from "../../src/matchers/matcher.js";
import { scriptedModel, toolCall } from "../../src/script/index.js";
import { runVitest } from "../support/child-vitest.js";
import { answers, asks, DIALECTS, spokenModel, written } from "../support/conversations.js";
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

function refuse(): never {
  throw new RangeError("not for you");
}

/** Values that throw while they are read, in each place where a matcher may read. */
const HOSTILE: readonly (() => unknown)[] = [
  () => new Proxy({}, { get: refuse }),
  () => new Proxy([], { get: refuse }),
  () => {
    const { proxy, revoke } = Proxy.revocable([], {});
    revoke();
    return proxy;
  },
  () => [Object.defineProperty({ role: "user" }, "content", { get: refuse, enumerable: true })],
  () => [[Object.defineProperty({ role: "user" }, "content", { get: refuse })], [{ role: "user", content: "hi" }]],
  () => [new Proxy({ role: "user" }, { get: refuse })],
  () => [
    new (class Message {
      get role() {
        return refuse();
      }
    })(),
  ],
  () => ({
    messages: [],
    get tools() {
      return refuse();
    },
  }),
];

/** Longer than any message may be. A megabyte would show no more, and takes minutes to look through so often. */
const LONG = "x".repeat(2 ** 16);

/** Subjects with an id, a name, a role or a key that is {@link LONG}. */
async function oversized(dialect: string): Promise<unknown[]> {
  const asked = { calls: [asks(LONG, { [LONG]: LONG }, LONG)] };
  const answered = written(dialect, { user: LONG }, asked, { results: [answers(LONG, LONG)] });
  const orphan = written(dialect, { user: "hi" }, asked, { results: [answers(`${LONG}y`, "?")] });
  const tool = defineTool({
    name: LONG,
    inputSchema: z.object({}),
    execute(_input, ctx) {
      ctx.data.write(LONG, LONG);
      throw new Error(LONG);
    },
  });
  return [
    answered,
    answered.slice(0, 2),
    answered.slice(1),
    orphan,
    [...answered, ...answered],
    [...answered.slice(0, 2), { role: LONG, content: "hi" }],
    [answered, orphan],
    { [LONG]: LONG },
    [{ [LONG]: LONG }],
    { messages: answered, tools: [{ name: LONG, parameters: {} }] },
    await spokenModel([toolCall(LONG, {}, LONG), LONG], {
      dialect,
      options: { tools: [{ name: LONG }] },
    }),
    await runTool(tool, { input: {} }),
  ];
}

/** The arguments with every text in them {@link LONG}. */
function oversizedArgs(args: readonly unknown[]): unknown[][] {
  return args.length === 0 || args[0] === "anthropic"
    ? []
    : [args.map((arg) => (typeof arg === "string" ? LONG : arg))];
}

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

/** Those that judge runs, and the one that asks whether a model was called. */
const JUDGES_NO_CONVERSATION: readonly string[] = [
  "toBeCancelled",
  "toBeSuspendedOn",
  "toHaveFailedWith",
  "toHaveFinishedScript",
  "toHaveOutput",
  "toHaveThrown",
  "toHaveWritten",
];

function outcomeOf(assertion: () => unknown): string {
  try {
    assertion();
    return "passed";
  } catch (error) {
    return stripVTControlCharacters((error as Error).message);
  }
}

test("the table holds every matcher, and no more", () => {
  expect(Object.keys(cases).sort()).toEqual([...NAMES].sort());
});

describe.each(NAMES.filter((name) => name in cases))("%s", (name) => {
  const { args, holds, fails, caseless, options, takes = [] } = cases[name];

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

  test("throws on a wrong subject that a promise brings, too", async () => {
    const sentence = failureOf(() => plain(name, 42));
    const resolved = expect(Promise.resolve(42)).resolves as unknown as Assert;
    const rejected = expect(Promise.reject(42)).rejects as unknown as { not: Assert };
    await expect(resolved[name]!(...args)).rejects.toThrow(sentence);
    await expect(rejected.not[name]!(...args)).rejects.toThrow(sentence);
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

  test("is found among candidates of which some are no subject at all, and none of these is the one", async () => {
    const asymmetric = (expect as unknown as Assert)[name]!(...args);
    const opposite = (expect.not as unknown as Assert)[name]!(...args);
    const wrong = Object.keys(WRONG).filter((kind) => !takes.includes(kind));
    const candidates = wrong.map((kind) => WRONG[kind]);
    expect([...candidates, await holds("openai-chat")]).toContainEqual(asymmetric);
    expect([...candidates, await fails("openai-chat")]).toContainEqual(opposite);
    for (const candidate of candidates) {
      expect([candidate]).not.toContainEqual(asymmetric);
      expect([candidate]).not.toContainEqual(opposite);
    }
    for (const make of HOSTILE) {
      expect((asymmetric as { asymmetricMatch(value: unknown): unknown }).asymmetricMatch(make())).toBeTypeOf(
        "boolean",
      );
    }
  });

  test.runIf(options)(
    "refuses a misspelt option and says which one is near, as an asymmetric matcher too",
    async () => {
      const { before, misspelt, meant } = options!;
      const wrong = [...before, { [misspelt]: 1 }];
      const subject = await holds("anthropic");
      const sentence = failureOf(() => plain(name, subject, wrong));
      expect(sentence).toMatch(
        new RegExp(`^\\[vitest-tool-loop\\] ${name}\\(.*\\) has no option "${misspelt}": expected .+\\.`),
      );
      expect(sentence).toMatch(new RegExp(` Did you mean "${meant}"\\?$`));
      expect(failureOf(() => negated(name, subject, wrong))).toBe(sentence);
      const asymmetric = (expect as unknown as Assert)[name]!(...wrong);
      expect(failureOf(() => expect([subject]).toContainEqual(asymmetric))).toBe(sentence);
    },
  );

  test.runIf(options)("refuses null, a text and a list for its options", async () => {
    const subject = await holds("anthropic");
    for (const wrong of [null, 42, ["open"]]) {
      const sentence = failureOf(() => plain(name, subject, [...options!.before, wrong]));
      expect(sentence).toMatch(
        new RegExp(`^\\[vitest-tool-loop\\] ${name}\\(\\) (cannot use its options: expected|takes) .+, found .+\\.`),
      );
    }
  });

  test("has a sentence for values that throw while they are read", () => {
    for (const make of HOSTILE) {
      for (const judge of [plain, negated]) {
        const outcome = outcomeOf(() => judge(name, make()));
        expect(outcome).toMatch(/^(passed$|expect\(|\[vitest-tool-loop\] )/);
      }
    }
    const unreadable = HOSTILE.map((make) => outcomeOf(() => plain(name, make())));
    expect(unreadable).toContainEqual(
      expect.stringMatching(/ cannot read .+: expected plain data, but reading it threw .+\. Pass a plain copy\.$/),
    );
  });

  test.each(DIALECTS)("prints no endless id, name, role or key in %s", async (dialect) => {
    for (const subject of await oversized(dialect)) {
      for (const given of [args, ...oversizedArgs(args)]) {
        for (const judge of [plain, negated]) {
          expect(outcomeOf(() => judge(name, subject, given)).length).toBeLessThan(20_000);
        }
      }
    }
  });

  test.runIf(!JUDGES_NO_CONVERSATION.includes(name))("refuses a model that was never called", () => {
    const model = scriptedModel.lenient("hello");
    const sentence = failureOf(() => plain(name, model));
    expect(sentence).toMatch(
      `${name}() has nothing to judge: expected a model that was called, found one that never was.`,
    );
    expect(failureOf(() => negated(name, model))).toBe(sentence);
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
