import { expect } from "vitest";
import { type AssistantTurn, type Model, repeat, test, toolCall } from "vitest-tool-loop";

type Message =
  | { role: "user"; content: string }
  | { role: "assistant"; content: string | null; tool_calls?: object[] }
  | { role: "tool"; tool_call_id: string; content: string };

async function runLoop(model: Model<Message>, messages: Message[], maxTurns = 8): Promise<Message[]> {
  const history = [...messages];
  for (let turns = 0; turns < maxTurns; turns++) {
    const turn: AssistantTurn = await model(history);
    if (turn.kind === "text") return [...history, { role: "assistant", content: turn.content }];
    const calls = turn.calls.map(({ id, name, arguments: args }) => ({ id, function: { name, arguments: args } }));
    history.push({ role: "assistant", content: null, tool_calls: calls });
    for (const call of turn.calls) history.push({ role: "tool", tool_call_id: call.id, content: "ok" });
  }
  return history;
}

test("a typed loop takes a scripted model", async ({ scriptedModel }) => {
  const model = scriptedModel<Message>(toolCall("search", { q: "a" }), (messages) => `${messages.length} messages`);
  const out = await runLoop(model, [{ role: "user", content: "go" }]);
  expect(out).toHaveAppendedToolResult("call_1", "ok");
  expect(model.seen[0]?.[0]?.role).toBe("user");
  expect(out).toEqual(expect.toMatchToolCallIds());
});

test("a loop stops", async ({ scriptedModel }) => {
  const model = scriptedModel(repeat(toolCall("search")));
  await runLoop(model, [], 3);
  expect(model).toStopWithinTurns(3);
});
