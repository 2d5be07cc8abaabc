import { expect, test } from "vitest";
import { cutStream, overloaded, rateLimited, repeat, scriptedModel, toolCall, turn } from "../../src/index.js";
import { failureOf } from "../support/failure.js";
import { rejectionOf } from "../support/rejection.js";

const QUESTION = { role: "user", content: "weather in Paris?" };

test("a call past the end rejects with the script, the last messages and what to do", async () => {
  const model = scriptedModel.lenient(
    toolCall("get_weather", { city: "Paris" }, "call_1"),
    "It is 14 degrees in Paris.",
  );
  await model([QUESTION]);
  await model([QUESTION]);
  const error = await model([QUESTION, { role: "assistant", content: "It is 14 degrees in Paris." }]).catch((e) => e);
  expect(error).toMatchObject({ name: "ScriptExhaustedError", code: "script-exhausted" });
  expect(error.message).toMatchInlineSnapshot(`
    "[vitest-tool-loop] The loop called the model more times than scripted: call 3, but the script has 2 turns.

    The script:

        script[0]  get_weather({"city":"Paris"})  call_1
        script[1]  "It is 14 degrees in Paris."

    The last messages sent:

        messages[0]  user       "weather in Paris?"
        messages[1]  assistant  "It is 14 degrees in Paris."

    Check why the loop did not stop after the last turn. If it is right to call again, add the turn it should get, or end the script with repeat(…)."
  `);
});

test("counts overruns, those the loop swallowed included, and verify throws the first", async () => {
  const model = scriptedModel.lenient("hi");
  await model([]);
  await model([QUESTION]).catch(() => {});
  await model([]).catch(() => {});
  expect(model.overruns).toBe(2);
  expect(failureOf(() => model.verify())).toContain("call 2, but the script has 1 turn.");
});

test("faults and errors are no overruns", async () => {
  const model = scriptedModel(rateLimited(), repeat(overloaded(), { times: 2 }), new Error("down"));
  for (let call = 0; call < 4; call++) await model([]).catch(() => {});
  expect(model.overruns).toBe(0);
  expect(() => model.verify()).not.toThrow();
});

test("an endless repeat ends a loop that does not stop, at its safety limit", async () => {
  const model = scriptedModel.lenient("start", repeat(toolCall("search", { q: "x" }), { safetyLimit: 2 }));
  for (let call = 0; call < 3; call++) await model([]);
  const error = await model([QUESTION]).catch((e) => e);
  expect(error).toMatchObject({ name: "RunawayLoopError", code: "runaway-loop", at: "script[1]" });
  expect(error.message).toMatchInlineSnapshot(`
    "[vitest-tool-loop] The loop does not stop: script[1] is an endless repeat, and it was spoken 2 times, its safety limit.

    The script:

        script[0]  "start"
        script[1]  repeat(search({"q":"x"}))  spoken 2 times

    The last messages sent:

        messages[0]  user       "weather in Paris?"

    Give the loop a cap on its turns. If it may call this often, raise repeat(…, { safetyLimit }), or say how often with { times }."
  `);
  expect(model.overruns).toBe(0);
  expect(failureOf(() => model.verify())).toContain("The loop does not stop");
});

test("the safety limit is 100 calls, and times lifts it", async () => {
  const endless = scriptedModel.lenient(repeat("again"));
  for (let call = 0; call < 100; call++) await endless([]);
  expect((await rejectionOf(endless([]))).message).toContain("100 times, its safety limit");
  const counted = scriptedModel(repeat("again", { times: 150, safetyLimit: 2 }));
  for (let call = 0; call < 150; call++) await counted([]);
  expect(() => counted.verify()).not.toThrow();
});

test("a loop that swallows every refusal and asks again at once does not spin for ever", async () => {
  const model = scriptedModel.lenient("hi");
  let calls = 0;
  const loop = (async () => {
    for (;;) {
      await model([]).catch(() => {});
      calls++;
    }
  })();
  const timer = new Promise((resolve) => setTimeout(resolve, 0, "the timer fired"));
  expect(await Promise.race([loop, timer])).toBe("the timer fired");
  expect(calls).toBe(101);
});

test("verify names the turns left, and what to do", async () => {
  const model = scriptedModel.lenient(
    toolCall("get_weather", { city: "Paris" }, "call_1"),
    repeat([toolCall("a"), toolCall("b")], { times: 3 }),
    turn("Let me look.", toolCall("search", { q: "tenancy" })),
    rateLimited({ retryAfterSeconds: 2 }),
    cutStream("half of it", { afterChunks: 3 }),
    new Error("down"),
    function answerPolitely() {
      return "bye";
    },
    { kind: "text", content: "The end." },
  );
  await model([]);
  await model([]);
  const error = (() => {
    try {
      model.verify();
    } catch (thrown) {
      return thrown as Error;
    }
  })();
  expect(error).toMatchObject({ name: "ScriptLeftoverError", code: "script-leftover" });
  expect(error?.message).toMatchInlineSnapshot(`
    "[vitest-tool-loop] The script was not spoken to its end: expected 8 more calls of the model, but the loop stopped after 2 calls.

        script[0]  get_weather({"city":"Paris"})  call_1
      > script[1]  repeat(a({}), b({}), { times: 3 })  spoken 1 of 3 times
      > script[2]  "Let me look.", search({"q":"tenancy"})
      > script[3]  rateLimited({"retryAfterSeconds":2})
      > script[4]  cutStream("half of it")
      > script[5]  Error: down
      > script[6]  [function answerPolitely]
      > script[7]  "The end."

    Check why the loop stopped early, or take what is left out of the script. A turn that may be spoken any number of times is repeat(…); a script that need not be spoken to its end is scriptedModel.lenient(…)."
  `);
});

test("verify says it when the model was never called", () => {
  const model = scriptedModel.lenient("hi");
  expect(failureOf(() => model.verify())).toMatchInlineSnapshot(`
    "[vitest-tool-loop] The script was not spoken to its end: expected 1 more call of the model, but the loop never called it.

      > script[0]  "hi"

    Check why the loop stopped early, or take what is left out of the script. A turn that may be spoken any number of times is repeat(…); a script that need not be spoken to its end is scriptedModel.lenient(…)."
  `);
});

test("a long script is shown around the first turn left", async () => {
  const model = scriptedModel.lenient(...Array.from({ length: 40 }, (_, index) => `turn ${index}`));
  for (let call = 0; call < 20; call++) await model([]);
  expect(failureOf(() => model.verify())).toMatchInlineSnapshot(`
    "[vitest-tool-loop] The script was not spoken to its end: expected 20 more calls of the model, but the loop stopped after 20 calls.

        … 17 before
        script[17]  "turn 17"
        script[18]  "turn 18"
        script[19]  "turn 19"
      > script[20]  "turn 20"
      > script[21]  "turn 21"
      > script[22]  "turn 22"
      > script[23]  "turn 23"
      > script[24]  "turn 24"
      > script[25]  "turn 25"
      > script[26]  "turn 26"
      > script[27]  "turn 27"
      > script[28]  "turn 28"
        … 11 after

    Check why the loop stopped early, or take what is left out of the script. A turn that may be spoken any number of times is repeat(…); a script that need not be spoken to its end is scriptedModel.lenient(…)."
  `);
});

test("an endless repeat is never left over", async () => {
  const model = scriptedModel("one", repeat("again"));
  await model([]);
  expect(() => model.verify()).not.toThrow();
});

test("verify passes when the script was spoken to its end and not beyond", async () => {
  const model = scriptedModel("one");
  await model([]);
  expect(() => model.verify()).not.toThrow();
});
