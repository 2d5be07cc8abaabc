import { expect, test, vi } from "vitest";
import { scriptedModel, toolCall } from "../../src/index.js";

type Message = Record<string, unknown>;

test("speaks its script in order", async () => {
  const model = scriptedModel(toolCall("get_weather", { city: "Paris" }), "It is 14 degrees in Paris.");
  expect(await model([{ role: "user", content: "weather in Paris?" }])).toEqual({
    kind: "tool_calls",
    calls: [{ id: "call_1", name: "get_weather", arguments: '{"city":"Paris"}' }],
  });
  expect(await model([])).toEqual({ kind: "text", content: "It is 14 degrees in Paris." });
});

test("is a Vitest mock whose calls are copies", async () => {
  const model = scriptedModel<Message>("one", "two");
  const messages: Message[] = [{ role: "user", content: "hi" }];
  await model(messages);
  messages[0]!.content = "changed";
  messages.push({ role: "assistant", content: "one" });
  await model(messages);
  expect(vi.isMockFunction(model)).toBe(true);
  expect(model).toHaveBeenCalledTimes(2);
  expect(model).toHaveBeenNthCalledWith(1, [{ role: "user", content: "hi" }]);
  expect(model.mock.calls[1]![0]).toEqual(messages);
});
