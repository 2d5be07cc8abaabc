import { expect, test } from "vitest";
import { type Model, repeat, scriptedModel, toolCall } from "../../src/index.js";

async function idsSpokenBy(model: Model, times: number): Promise<string[]> {
  const ids: string[] = [];
  for (let call = 0; call < times; call++) {
    const spoken = await model([]);
    if (spoken.kind === "tool_calls") ids.push(...spoken.calls.map(({ id }) => id));
  }
  return ids;
}

test("ids are counted per model, in the order spoken", async () => {
  const script = [[toolCall("a"), toolCall("b")], toolCall("c")] as const;
  expect(await idsSpokenBy(scriptedModel(...script), 2)).toEqual(["call_1", "call_2", "call_3"]);
  expect(await idsSpokenBy(scriptedModel(...script), 2)).toEqual(["call_1", "call_2", "call_3"]);
});

test("ids skip those the script gives itself, wherever they stand", async () => {
  const written = { kind: "tool_calls" as const, calls: [{ id: "call_3", name: "c", arguments: "{}" }] };
  const model = scriptedModel(toolCall("a"), toolCall("b", {}, "call_1"), toolCall("c"), written);
  expect(await idsSpokenBy(model, 4)).toEqual(["call_2", "call_1", "call_4", "call_3"]);
});

test("ids skip those a function gave", async () => {
  const model = scriptedModel(() => toolCall("a", {}, "call_1"), toolCall("b"));
  expect(await idsSpokenBy(model, 2)).toEqual(["call_1", "call_2"]);
});

test("ids are new when a draft is spoken again", async () => {
  const draft = toolCall("a", {}, "mine");
  expect(await idsSpokenBy(scriptedModel(repeat(draft, { times: 2 }), draft), 3)).toEqual(["mine", "call_1", "call_2"]);
  expect(await idsSpokenBy(scriptedModel(repeat(toolCall("a"), { times: 2 })), 2)).toEqual(["call_1", "call_2"]);
});
