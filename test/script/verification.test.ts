import { expect, test, vi } from "vitest";
import { runVitest } from "../support/child-vitest.js";

// Each test starts Vitest again, some several times, on machines that may be busy.
vi.setConfig({ testTimeout: 120_000 });

const IMPORTS = `import { afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { repeat, scriptedModel, toolCall } from "vitest-tool-loop";
`;

test("a script that was not spoken to its end fails its test, at the line that made it", async () => {
  const run = await runVitest({
    files: {
      "a.test.ts": `${IMPORTS}
describe("checkout", () => {
  test("asks first", async () => {
    const model = scriptedModel(
      toolCall("get_weather", { city: "Paris" }),
      "never said",
    );
    await model([]);
  });
  test("finishes", async () => {
    const model = scriptedModel("hi");
    await model([]);
  });
});`,
    },
  });
  expect(run.failed).toEqual(["checkout > asks first"]);
  const { errors } = run.test("checkout > asks first");
  expect(errors).toHaveLength(1);
  expect(errors[0]!.at).toBe("a.test.ts:6");
  expect(errors[0]!.message).toMatchInlineSnapshot(`
    "[vitest-tool-loop] The script of "checkout > asks first" was not spoken to its end: expected 1 more call of the model, but the loop stopped after 1 call.

        script[0]  get_weather({"city":"Paris"})
      > script[1]  "never said"

    Check why the loop stopped early, or take what is left out of the script. A turn that may be spoken any number of times is repeat(…); a script that need not be spoken to its end is scriptedModel.lenient(…)."
  `);
});

test("a call past the end fails its test even if the loop swallowed the error", async () => {
  const run = await runVitest({
    files: {
      "a.test.ts": `${IMPORTS}
test("swallows", async () => {
  const model = scriptedModel("hi");
  await model([]);
  await model([{ role: "user", content: "again" }]).catch(() => {});
});
test("does not swallow", async () => {
  const model = scriptedModel("hi");
  await model([]);
  await model([]);
});`,
    },
  });
  expect(run.failed).toEqual(["swallows", "does not swallow"]);
  expect(run.test("swallows").errors).toEqual([
    { message: expect.stringContaining("call 2, but the script has 1 turn."), at: "a.test.ts:7" },
  ]);
  // It failed by itself: nothing is added to what it says.
  expect(run.test("does not swallow").errors).toEqual([
    { message: expect.stringContaining("call 2, but the script has 1 turn."), at: "a.test.ts:12" },
  ]);
});

test("a runaway loop, an item that cannot be spoken and a call without messages fail their tests, swallowed or not", async () => {
  const run = await runVitest({
    files: {
      "a.test.ts": `${IMPORTS}
test("runaway", async () => {
  const model = scriptedModel(repeat("again", { safetyLimit: 2 }));
  for (let call = 0; call < 3; call++) await model([]).catch(() => {});
});
test("bad item", async () => {
  await scriptedModel(() => undefined)([]).catch(() => {});
});
test("no messages", async () => {
  const model = scriptedModel("hi");
  await model("hi").catch(() => {});
  await model([]);
});`,
    },
  });
  expect(run.tests.map(({ name, errors }) => [name, errors.map(({ message }) => message.split("\n")[0])])).toEqual([
    ["runaway", [expect.stringContaining("The loop does not stop: script[0] is an endless repeat")]],
    ["bad item", [expect.stringContaining("found undefined, at what script[0] returned.")]],
    ["no messages", [expect.stringContaining('expected an array, found "hi".')]],
  ]);
});

test("a test that failed already says only why it failed", async () => {
  const run = await runVitest({
    files: {
      "a.test.ts": `${IMPORTS}
test("failed by itself", () => {
  scriptedModel("never said");
  expect(1).toBe(2);
});
test("failed softly", async () => {
  scriptedModel("never said");
  expect.soft(1).toBe(2);
});
test("asked beyond it", async () => {
  const model = scriptedModel("hi");
  await model([]);
  await model([]).catch(() => {});
  expect(1).toBe(2);
});`,
    },
  });
  expect(run.failed).toEqual(["failed by itself", "failed softly", "asked beyond it"]);
  for (const name of run.failed) {
    expect(run.test(name).errors.map(({ message }) => message)).toEqual(["expected 1 to be 2 // Object.is equality"]);
  }
});

test("what is left of a script is no news where a request went astray, or a function of the script threw", async () => {
  const run = await runVitest({
    files: {
      "a.test.ts": `${IMPORTS}
test("went astray", async () => {
  scriptedModel("never said");
  await fetch("http://model.invalid/").catch(() => {});
});
test("threw", async () => {
  const model = scriptedModel(() => expect(1).toBe(2), "never said");
  await model([]).catch(() => {});
});`,
    },
  });
  expect(run.tests.map(({ name, errors }) => [name, errors.map(({ message }) => message)])).toEqual([
    ["went astray", [expect.stringContaining("made a stray request")]],
    ["threw", ["expected 1 to be 2 // Object.is equality"]],
  ]);
});

test("lenient scripts and endless ones need not be spoken to their end", async () => {
  const run = await runVitest({
    files: {
      "a.test.ts": `${IMPORTS}
test("lenient", async () => {
  const model = scriptedModel.lenient("hi", "never said");
  await model([]);
  const overrun = scriptedModel.lenient("hi");
  await overrun([]);
  await overrun([]).catch(() => {});
});
test("endless", async () => {
  const model = scriptedModel("hi", repeat("again"));
  await model([]);
});`,
    },
  });
  expect(run.failed).toEqual([]);
});

test("a failed expectation in a function of a lenient script fails its test, even if the loop swallows it", async () => {
  const run = await runVitest({
    files: {
      "a.test.ts": `${IMPORTS}
const asked = (city) => (messages) => {
  expect(messages[0].content).toBe(city);
  return "14 degrees.";
};
test("wrong", async () => {
  const model = scriptedModel.lenient(asked("Paris"), "never said");
  await model([{ role: "user", content: "Rome" }]).catch(() => {});
});
test("right", async () => {
  const model = scriptedModel.lenient(asked("Rome"), "never said");
  await model([{ role: "user", content: "Rome" }]);
});`,
    },
  });
  expect(run.failed).toEqual(["wrong"]);
  expect(run.test("wrong").errors).toEqual([
    { message: "expected 'Rome' to be 'Paris' // Object.is equality", at: "a.test.ts:5" },
  ]);
});

test("the setting verifyScripts chooses what is verified", async () => {
  const files = {
    "a.test.ts": `${IMPORTS}
test("leftover", async () => { scriptedModel("never said"); });
test("overrun", async () => {
  const model = scriptedModel("hi");
  await model([]);
  await model([]).catch(() => {});
});`,
  };
  const failedWith = async (verifyScripts: unknown) =>
    (await runVitest({ files, config: { provide: { toolLoop: { verifyScripts } } } })).failed;
  expect(await failedWith(true)).toEqual(["leftover", "overrun"]);
  expect(await failedWith("overruns")).toEqual(["overrun"]);
  expect(await failedWith(false)).toEqual([]);
  const misspelt = await runVitest({ files, config: { provide: { toolLoop: { verifyScripts: "overrun" } } } });
  expect(misspelt.test("overrun").errors[0]!.message).toMatchInlineSnapshot(
    `"[vitest-tool-loop] The setting verifyScripts cannot be used: expected true, "overruns" or false, found "overrun", at test.provide.toolLoop.verifyScripts of the Vitest configuration."`,
  );
});

test("each attempt of a test is verified for itself, under retry and repeats", async () => {
  const run = await runVitest({
    files: {
      "a.test.ts": `${IMPORTS}
let attempts = 0;
test("recovers", { retry: 2 }, async () => {
  const model = scriptedModel("hi", "bye");
  await model([]);
  if (++attempts > 1) await model([]);
});
test("never recovers", { retry: 1 }, async () => { scriptedModel("never said"); });
let runs = 0;
test("fails in one of its repeats", { repeats: 2 }, async () => {
  const model = scriptedModel("hi");
  if (++runs !== 2) await model([]);
});
test("after all", () => { expect([attempts, runs]).toEqual([2, 3]); });`,
    },
  });
  expect(run.failed).toEqual(["never recovers", "fails in one of its repeats"]);
  expect(run.test("fails in one of its repeats").errors).toHaveLength(1);
});

test("every case of test.each and test.for is verified for itself", async () => {
  const run = await runVitest({
    files: {
      "a.test.ts": `${IMPORTS}
const speak = async (calls) => {
  const model = scriptedModel("one", "two");
  for (let call = 0; call < calls; call++) await model([]).catch(() => {});
};
test.each([1, 2, 3])("each %i", speak);
test.for([1, 2, 3])("for %i", speak);`,
    },
  });
  expect(run.failed).toEqual(["each 1", "each 3", "for 1", "for 3"]);
  expect(run.test("for 1").errors[0]!.message).toContain('The script of "for 1" was not spoken to its end');
  expect(run.test("for 3").errors[0]!.message).toContain("call 3, but the script has 2 turns.");
});

test("among concurrent tests, the one that made the script fails", async () => {
  const run = await runVitest({
    files: {
      "a.test.ts": `${IMPORTS}
// Each waits for the others, so that all of them run when a script is made and when it is spoken.
let waiting = [];
const meet = () => new Promise((go) => {
  waiting.push(go);
  if (waiting.length === 3) for (const each of waiting.splice(0)) each();
});
describe.concurrent("together", () => {
  test("right", async () => {
    await meet();
    const model = scriptedModel("hi");
    await meet();
    await model([]);
  });
  test("leaves a turn", async () => {
    await meet();
    const model = scriptedModel("left");
    await meet();
  });
  test("overruns", async () => {
    await meet();
    const model = scriptedModel("hi");
    await meet();
    await model([]);
    await model([]).catch(() => {});
  });
});`,
    },
  });
  expect(run.failed).toEqual(["together > leaves a turn", "together > overruns"]);
  expect(run.test("together > leaves a turn").errors).toEqual([
    { message: expect.stringContaining('The script of "together > leaves a turn"'), at: "a.test.ts:19" },
  ]);
});

test("a script made in beforeEach belongs to the test; one of the module or of beforeAll is for verify()", async () => {
  const run = await runVitest({
    files: {
      "a.test.ts": `${IMPORTS}
const shared = scriptedModel("never said");
describe("suite", () => {
  let model;
  beforeAll(() => { model = scriptedModel("never said"); });
  test("is not failed for them", () => {});
  test("fails when it asks", () => { model.verify(); });
});
describe("prepared", () => {
  let model;
  beforeEach(() => { model = scriptedModel("hi"); });
  test("speaks it", async () => { await model([]); });
  test("forgets it", () => {});
});`,
    },
  });
  expect(run.failed).toEqual(["suite > fails when it asks", "prepared > forgets it"]);
  expect(run.fileErrors).toEqual([]);
});

test("of a model made outside of tests, a test answers for what a function of the script throws", async () => {
  const run = await runVitest({
    files: {
      "a.test.ts": `${IMPORTS}
const shared = scriptedModel("one", () => { throw new Error("mine"); }, "never said");
test("leaves turns to others", async () => { await shared([]); });
test("swallows an error of the script", async () => { await shared([]).catch(() => {}); });
const short = scriptedModel("one");
test("overruns, which verify() tells", async () => {
  await short([]);
  await short([]).catch(() => {});
  expect(() => short.verify()).toThrow("call 2, but the script has 1 turn.");
});
test("does not call it", () => {});`,
    },
  });
  expect(run.failed).toEqual(["swallows an error of the script"]);
  expect(run.test("swallows an error of the script").errors.map(({ message }) => message)).toEqual(["mine"]);
});

test("without the setup line a script made in a test says what to add; outside of tests nothing needs it", async () => {
  const files = {
    "a.test.ts": `${IMPORTS}
const shared = scriptedModel("hi");
test("made in a test", () => { scriptedModel("hi"); });
test("handed to a client", () => { modelFetch(shared); });
test("lenient", async () => { await scriptedModel.lenient("hi", "bye")([]); });
test("made outside", async () => { await shared([]); shared.verify(); });`.replace("repeat,", "modelFetch,"),
  };
  const without = await runVitest({ setup: false, files });
  expect(without.failed).toEqual(["made in a test", "handed to a client"]);
  expect(without.test("made in a test").errors).toMatchInlineSnapshot(`
    [
      {
        "at": "a.test.ts:5",
        "message": "[vitest-tool-loop] scriptedModel() needs the setup line, which verifies scripts when a test ends: expected it to have run, found that it has not. Add test: { setupFiles: ["vitest-tool-loop/setup"] } to vitest.config.ts.",
      },
    ]
  `);
  expect(without.test("handed to a client").errors[0]!.message).toContain("modelFetch() needs the setup line");
});

test("afterEach may still speak, before its test is verified", async () => {
  const run = await runVitest({
    files: {
      "a.test.ts": `${IMPORTS}
let model;
afterEach(async () => { await model([]); });
test("is finished by its hook", () => { model = scriptedModel("hi"); });`,
    },
  });
  expect(run.failed).toEqual([]);
});

test("a test that is expected to fail does not hide a script that was not finished", async () => {
  const run = await runVitest({
    files: {
      "a.test.ts": `${IMPORTS}
test.fails("fails as expected, its script left over or not", () => {
  scriptedModel("never said");
  expect(1).toBe(2);
});
test.fails("does not fail by itself", () => { scriptedModel("never said"); });`,
    },
  });
  expect(run.failed).toEqual(["does not fail by itself"]);
  expect(run.fileErrors.map(({ message }) => message)).toEqual([
    expect.stringContaining('The script of "does not fail by itself" was not spoken to its end'),
  ]);
});

test("a test that skips itself need not finish its script", async () => {
  const run = await runVitest({
    files: {
      "a.test.ts": `${IMPORTS}
test("skips itself", ({ skip }) => {
  scriptedModel("never said");
  skip("not today");
});`,
    },
  });
  expect(run.tests).toEqual([{ name: "skips itself", state: "skipped", errors: [] }]);
  expect(run.fileErrors).toEqual([]);
});

test.each(["forks", "threads", "vmForks", "vmThreads"])(
  "says the same in the pool %s, with and without isolation",
  async (pool) => {
    const source = `${IMPORTS}
test("leftover", () => { scriptedModel("never said"); });
test("finished", async () => { await scriptedModel("hi")([]); });
test("copies", async () => {
  class Live { constructor() { this.at = new Date(0); } year() { return this.at.getUTCFullYear(); } }
  const model = scriptedModel("hi");
  await model([new Live(), JSON.parse('{"a":[1]}'), new Map([["a", 1]])]);
  expect(model.seen[0][0].year()).toBe(1970);
  expect(model.seen[0].slice(1)).toStrictEqual([{ a: [1] }, new Map([["a", 1]])]);
});`;
    for (const isolate of [true, false]) {
      const run = await runVitest({ files: { "a.test.ts": source, "b.test.ts": source }, config: { pool, isolate } });
      expect(run.tests.map(({ name, state }) => `${name} ${state}`)).toEqual([
        "leftover failed",
        "finished passed",
        "copies passed",
        "leftover failed",
        "finished passed",
        "copies passed",
      ]);
      expect(run.unhandled).toEqual([]);
    }
  },
);
