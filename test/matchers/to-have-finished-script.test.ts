import { expect, test } from "vitest";
import { repeat, scriptedModel, toolCall } from "../../src/index.js";
import { runLoop, spokenModel } from "../support/conversations.js";
import { failureOf } from "../support/failure.js";

const question = [{ role: "user", content: "go" }];

test("passes when every turn was spoken", async () => {
  expect(await spokenModel([toolCall("search"), "done"])).toHaveFinishedScript();
});

test("fails while turns are left", async () => {
  const model = scriptedModel.lenient("one", "two");
  expect(model).not.toHaveFinishedScript();
  await model(question);
  expect(model).not.toHaveFinishedScript();
  await model(question);
  expect(model).toHaveFinishedScript();
});

test("fails when the model was called after the end, even if the loop swallowed it", async () => {
  const model = scriptedModel.lenient("one");
  await model(question);
  await model(question).catch(() => {});
  expect(model).not.toHaveFinishedScript();
});

test("asks an endless repeat for one turn", async () => {
  const model = scriptedModel.lenient("first", repeat(toolCall("search")));
  await model(question);
  expect(model).not.toHaveFinishedScript();
  await runLoop(model, question, { maxTurns: 3 });
  expect(model).toHaveFinishedScript();
});

test("says what is left", async () => {
  const model = scriptedModel.lenient(toolCall("search"), "done", repeat("again"));
  await model(question);
  expect(failureOf(() => expect(model).toHaveFinishedScript())).toMatchInlineSnapshot(`
    "expect(model).toHaveFinishedScript()

    Expected the script to be spoken to its end, but the loop stopped after 1 call and 2 turns are left.

        script[0]  search({})
      > script[1]  "done"
      > script[2]  repeat("again")  spoken 0 times

    Check why the loop stopped early, or take what is left out of the script."
  `);
});

test("says that the model was never called", () => {
  expect(failureOf(() => expect(scriptedModel.lenient("hello")).toHaveFinishedScript())).toMatchInlineSnapshot(`
    "expect(model).toHaveFinishedScript()

    Expected the script to be spoken to its end, but the model was never called and 1 turn is left.

      > script[0]  "hello"

    Check why the loop stopped early, or take what is left out of the script."
  `);
});

test("says how often it was called after the end", async () => {
  const model = scriptedModel.lenient("one");
  await model(question);
  await model(question).catch(() => {});
  expect(failureOf(() => expect(model).toHaveFinishedScript())).toMatchInlineSnapshot(`
    "expect(model).toHaveFinishedScript()

    Expected the script to be spoken to its end and not beyond, but the model was called once more after it.

        script[0]  "one"

    Check why the loop did not stop after the last turn, or add the turn it should get."
  `);
});

test(".not says that it is finished", async () => {
  const model = await spokenModel(["done"]);
  expect(failureOf(() => expect(model).not.toHaveFinishedScript())).toMatchInlineSnapshot(`
    "expect(model).not.toHaveFinishedScript()

    Expected the script not to be finished, but every turn was spoken in 1 call.

        script[0]  "done""
  `);
});

test("refuses messages: they do not know the script", () => {
  expect(failureOf(() => expect(question).toHaveFinishedScript())).toMatchInlineSnapshot(
    `"[vitest-tool-loop] toHaveFinishedScript() needs a scripted model: expected what scriptedModel(…) returns, found an array. Pass the model itself, not what the loop returned."`,
  );
  expect(failureOf(() => expect(Promise.resolve(question)).not.toHaveFinishedScript())).toMatchInlineSnapshot(
    `"[vitest-tool-loop] toHaveFinishedScript() needs a scripted model: expected what scriptedModel(…) returns, found a promise. Await it first."`,
  );
});
