import { expect, test } from "vitest";
import {
  cutByLength,
  cutStream,
  type Fault,
  hangs,
  malformedChunk,
  overloaded,
  rateLimited,
  refusal,
  repeat,
  scriptedModel,
  serverError,
  toolCall,
} from "../../src/index.js";
import { speak } from "../../src/script/index.js";

test.each<[string, Fault, number]>([
  ["rateLimited", rateLimited(), 429],
  ["overloaded", overloaded(), 529],
  ["serverError", serverError(), 500],
  ["cutStream", cutStream("half"), 200],
  ["malformedChunk", malformedChunk("half"), 200],
  ["cutByLength", cutByLength(toolCall("a")), 200],
  ["refusal", refusal("I can't help with that."), 200],
])("%s rejects a model function with an error that carries its status", async (kind, fault, status) => {
  const model = scriptedModel(fault);
  await expect(model([])).rejects.toMatchObject({ name: "FaultError", code: "fault", kind, status, at: "script[0]" });
  expect(model.turns).toEqual([]);
  expect(model.requests).toHaveLength(1);
});

test("the error of a fault says that the script wanted it", async () => {
  const error = await scriptedModel(rateLimited({ retryAfterSeconds: 2 }))([]).catch((e) => e);
  expect(error.message).toMatchInlineSnapshot(
    `"[vitest-tool-loop] The model call failed, as scripted: rateLimited() with status 429, at script[0]."`,
  );
  expect(error.retryAfterSeconds).toBe(2);
});

test("a loop that tries again gets the next turn", async () => {
  const model = scriptedModel(repeat(rateLimited(), { times: 2 }), "at last");
  const tries: unknown[] = [];
  while (tries.length < 3) tries.push(await model([]).catch(({ status }) => status));
  expect(tries).toEqual([429, 429, { kind: "text", content: "at last" }]);
});

test("hangs answers never, until the call is aborted", async () => {
  const controller = new AbortController();
  const model = scriptedModel(hangs());
  const call = model([{ role: "user", content: "hi" }], { signal: controller.signal });
  expect(await Promise.race([call, new Promise((resolve) => setTimeout(resolve, 0, "still waiting"))])).toBe(
    "still waiting",
  );
  controller.abort(new Error("timeout of the loop"));
  await expect(call).rejects.toThrow("timeout of the loop");
  expect(model.seen).toEqual([[{ role: "user", content: "hi" }]]);
});

test("a seam of its own reads a fault as data, with the turn it spoils", async () => {
  const fault = cutStream([toolCall("a"), toolCall.unchecked("b")], { afterChunks: 2 });
  expect(fault).toMatchObject({ kind: "cutStream", afterChunks: 2 });
  expect(await speak(scriptedModel(fault), { messages: [] })).toEqual({
    kind: "fault",
    fault,
    at: "script[0]",
    turn: {
      kind: "tool_calls",
      calls: [
        { id: "call_1", name: "a", arguments: "{}" },
        { id: "call_2", name: "b", arguments: "{}" },
      ],
    },
    unchecked: new Set(["call_2"]),
  });
  expect(await speak(scriptedModel(refusal("no")), { messages: [] })).toEqual({
    kind: "fault",
    fault: refusal("no"),
    at: "script[0]",
  });
});
