import { expect, test } from "vitest";
import { checkConversation, formatConversation, readConversation } from "../../src/conversation.js";
import { SPOKEN, type SpokenConversation } from "../../src/transcript/spoken.js";
import type { AssistantTurn } from "../../src/transcript/turn.js";

const USER = { role: "user", content: "Any mail?" };
const TURN = {
  role: "assistant",
  content: null,
  tool_calls: [{ id: "call_1", type: "function", function: { name: "inbox", arguments: "{}" } }],
};
const RESULT = { role: "tool", tool_call_id: "call_1", content: "2 letters" };

function places(value: unknown): string[] {
  return readConversation(value).transcript.messages.map(({ at }) => at);
}

test("messages are found in an array, a request, and the state of a graph, and keep their path", () => {
  expect(places([USER, TURN])).toEqual(["messages[0]", "messages[1]"]);
  expect(places({ messages: [USER], model: "any" })).toEqual(["messages[0]"]);
  expect(places({ values: { messages: [USER, TURN] }, next: [] })).toEqual([
    "values.messages[0]",
    "values.messages[1]",
  ]);
  expect(places([])).toEqual([]);
});

test("the path of a violation is a path in the value that was passed", () => {
  expect(checkConversation({ values: { messages: [USER, TURN] } })[0]?.at).toBe("values.messages[1].tool_calls[0]");
});

test("tools beside the messages are judged with them, and tools alone as well", () => {
  const tools = [{ type: "function", function: { name: "in box" } }];
  expect(checkConversation({ messages: [USER], tools }).map(({ rule }) => rule)).toEqual(["openai-chat/tool-name"]);
  expect(checkConversation({ tools }).map(({ rule }) => rule)).toEqual(["openai-chat/tool-name"]);
  expect(checkConversation({ messages: [USER], tools }, undefined, { tools: [] })).toEqual([]);
});

/** A scripted model, as far as reading it goes: whatever answers under the symbol. */
function model(spoken: Partial<SpokenConversation>): unknown {
  return Object.assign(() => undefined, {
    [SPOKEN]: () => ({ requests: [], turns: [], overruns: 0, remaining: 0, ...spoken }),
  });
}

const ASKED: AssistantTurn = { kind: "tool_calls", calls: [{ id: "call_1", name: "inbox", arguments: "{}" }] };

test("a scripted model stands for its last request and the turn it spoke to it", () => {
  const done = { kind: "text", content: "Two letters." } as const;
  const requests = [
    { messages: [USER], turn: ASKED },
    { messages: [USER, TURN, RESULT], turn: done },
  ];
  expect(formatConversation(model({ requests, turns: [ASKED, done] }))).toMatchInlineSnapshot(`
    "    messages[0]  user       "Any mail?"
        messages[1]  assistant  inbox({})  call_1
        messages[2]  tool       answers call_1  "2 letters"
        messages[3]  assistant  "Two letters.""
  `);
});

test("a turn is written in the dialect of the request; text alone is read as openai-chat", () => {
  const requests = [{ messages: [USER], turn: ASKED }];
  expect(readConversation(model({ requests })).dialect).toBe("openai-chat");
  expect(readConversation(model({ requests }), "anthropic").transcript.messages[1]?.wire).toEqual({
    role: "assistant",
    content: [{ type: "tool_use", id: "call_1", name: "inbox", input: {} }],
  });
  expect(readConversation(model({ requests: [{ messages: [USER], dialect: "anthropic" }] })).dialect).toBe("anthropic");
});

test("a call that rejected spoke no turn, and a model nobody called stands for no messages", () => {
  expect(places(model({ requests: [{ messages: [USER] }] }))).toEqual(["messages[0]"]);
  expect(places(model({}))).toEqual([]);
});

test("what a model spoke is what its thoughts are compared with", () => {
  const thinking = { type: "thinking", thinking: "Edited.", signature: "sig" };
  const turn = { role: "assistant", content: [thinking, { type: "tool_use", id: "call_1", name: "inbox", input: {} }] };
  const result = { role: "user", content: [{ type: "tool_result", tool_use_id: "call_1", content: "2" }] };
  const turns = [{ ...ASKED, reasoning: { text: "As thought.", signature: "sig" } }];
  const violations = checkConversation(model({ requests: [{ messages: [USER, turn, result] }], turns }));
  expect(violations.map(({ rule, at }) => `${rule} at ${at}`)).toEqual([
    "anthropic/thinking-modified at messages[1].content[0]",
  ]);
});
