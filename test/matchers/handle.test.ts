import { expect, test } from "vitest";
import { diffOf, failureOf } from "../support/failure.js";
import { thrownBy } from "../support/rejection.js";
import { everyRun } from "../support/runs.js";

const runs = await everyRun();

/** Every matcher of handles: called so that it passes on one outcome, and fails on every other. */
const MATCHERS = {
  toHaveOutput: { holdsOn: "completed", args: [] },
  toBeSuspendedOn: { holdsOn: "suspended", args: ["approve"] },
  toHaveFailedWith: { holdsOn: "failed", args: ["No record"] },
  toHaveThrown: { holdsOn: "threw", args: [] },
  toBeCancelled: { holdsOn: "cancelled", args: [] },
} as const;
const rows = [
  ...Object.entries(MATCHERS).map(([name, { args }]) => ({ name, args })),
  { name: "toHaveWritten", args: ["progress"] },
];

/** A matcher by its name, as a caller would reach it. */
const call = (assertion: object, name: string, args: readonly unknown[]) =>
  (assertion as Record<string, (...args: readonly unknown[]) => unknown>)[name]!(...args);

test.each(Object.entries(MATCHERS))(
  "%s passes on its outcome alone, and .not on every other",
  (name, { holdsOn, args }) => {
    for (const [status, run] of Object.entries(runs)) {
      const holds = status === holdsOn;
      call(holds ? expect(run) : expect(run).not, name, args);
      const message = failureOf(() => call(holds ? expect(run).not : expect(run), name, args));
      expect(message).toMatch(
        holds ? /^expect\(run\)\.not\.to.*Expected.* not to /s : /^expect\(run\)\.to.*Expected /s,
      );
      expect(message).not.toMatch(/undefined|\[object Object\]/);
    }
  },
);

test.each(rows)("$name refuses a wrong subject, plain and negated", ({ name, args }) => {
  for (const subject of [undefined, null, "text", 3, [], { status: "completed", output: 1 }]) {
    for (const assertion of [expect(subject), expect(subject).not]) {
      expect(thrownBy(() => call(assertion, name, args))).toMatchObject({
        name: "UsageError",
        message: expect.stringMatching(new RegExp(`${name}\\(\\) needs a run: expected .* found `)),
      });
    }
  }
});

test.each(rows)("$name tells a promise to be awaited first, plain and negated", ({ name, args }) => {
  for (const assertion of [expect(Promise.resolve(runs.completed)), expect(Promise.resolve(runs.completed)).not]) {
    expect(thrownBy(() => call(assertion, name, args)).message).toContain(
      `found a promise. Await it first: expect(await runTool(tool, …)).${name}(…).`,
    );
  }
});

test.each(Object.entries(MATCHERS))("%s works as an asymmetric matcher, both ways", (name, { holdsOn, args }) => {
  expect({ run: runs[holdsOn] }).toEqual({ run: call(expect, name, args) });
  const other = holdsOn === "completed" ? "failed" : "completed";
  expect({ run: runs[other] }).toEqual({ run: call(expect.not, name, args) });
  failureOf(() => expect({ run: runs[other] }).toEqual({ run: call(expect, name, args) }));
});

test("handle matchers work on the resolved value of a promise", async () => {
  await expect(Promise.resolve(runs.completed)).resolves.toHaveOutput({ hits: ["a", "b"] });
  await expect(Promise.resolve(runs.failed)).resolves.not.toHaveOutput();
});

test("under .not no diff is returned: it would mislead", () => {
  expect(diffOf(() => expect(runs.completed).not.toHaveOutput({ hits: ["a", "b"] }))).toEqual({});
});
