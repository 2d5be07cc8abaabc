import { expect, test } from "vitest";
import { readConversation } from "../../src/conversation.js";
import {
  callsOf,
  isAssistantTurn,
  isGenuineUserMessage,
  isTurn,
  lastUserIndex,
  readingsOf,
  resultsOf,
  sinceLastUser,
  textOf,
  turnOf,
} from "../../src/transcript/queries.js";

const USE = { type: "tool_use", id: "toolu_oven", name: "preheat", input: { degrees: 220 } };
const RESULT = { type: "tool_result", tool_use_id: "toolu_oven", content: '{"minutes":9}' };
const MESSAGES = [
  { role: "user", content: "Bake bread." },
  { role: "assistant", content: [{ type: "text", text: "Heating " }, { type: "text", text: "up." }, USE] },
  { role: "user", content: [RESULT] },
  { role: "assistant", content: "Nine minutes." },
];
const { transcript } = readConversation(MESSAGES);
const [question, turn, results] = transcript.messages;

test("joins the words of a message", () => {
  expect(textOf(turn!)).toBe("Heating up.");
});

test("lists calls and results with their places", () => {
  expect(callsOf(transcript).map(({ at, id }) => [at, id])).toEqual([["messages[1].content[2]", "toolu_oven"]]);
  expect(resultsOf(transcript).map(({ at, callId }) => [at, callId])).toEqual([
    ["messages[2].content[0]", "toolu_oven"],
  ]);
});

test("tells a turn from results that were misplaced under its role", () => {
  expect(isTurn(turn!)).toBe(true);
  const misplaced = readConversation([...MESSAGES.slice(0, 2), { role: "assistant", content: [RESULT] }]).transcript;
  expect(isTurn(misplaced.messages[2]!)).toBe(false);
});

test("tells a person's message from one that only carries results", () => {
  expect(isGenuineUserMessage(question!)).toBe(true);
  expect(isGenuineUserMessage(results!)).toBe(false);
  expect(lastUserIndex(transcript)).toBe(0);
  expect(sinceLastUser(transcript).map(({ at }) => at)).toEqual(["messages[1]", "messages[2]", "messages[3]"]);
  const nobody = readConversation([{ role: "assistant", content: "Hello." }]).transcript;
  expect([lastUserIndex(nobody), sinceLastUser(nobody).length]).toEqual([-1, 1]);
});

test("reads a result as it stands, as text, and decoded", () => {
  const readings = (content: unknown) =>
    readingsOf(resultsOf(readConversation([{ role: "user", content: [{ ...RESULT, content }] }]).transcript)[0]!);
  expect(readings('{"minutes":9}')).toEqual(['{"minutes":9}', { minutes: 9 }]);
  expect(readings("nine")).toEqual(["nine"]);
  expect(readings([{ type: "text", text: "[9]" }])).toEqual([[{ type: "text", text: "[9]" }], "[9]", [9]]);
  expect(readings(undefined)).toEqual([undefined]);
});

test("projects a message onto the turn that scripts speak", () => {
  expect(turnOf(turn!)).toEqual({
    kind: "tool_calls",
    calls: [{ id: "toolu_oven", name: "preheat", arguments: '{"degrees":220}' }],
    content: "Heating up.",
  });
  expect(turnOf(transcript.messages[3]!)).toEqual({ kind: "text", content: "Nine minutes." });
});

test("knows an assistant turn when it sees one", () => {
  expect([turnOf(turn!), { kind: "text", content: "" }].map(isAssistantTurn)).toEqual([true, true]);
  expect([{ kind: "text" }, { kind: "tool_calls" }, { role: "assistant" }, null, "text"].some(isAssistantTurn)).toBe(
    false,
  );
});

test("arguments are what the model wrote, and parsed when asked", () => {
  const read = (args: unknown) => {
    const call = { id: "c", type: "function", function: { name: "preheat", arguments: args } };
    const { arguments: text, parsed } = callsOf(
      readConversation([{ role: "assistant", tool_calls: [call] }]).transcript,
    )[0]!;
    return [text, parsed];
  };
  expect(read('{ "degrees": 220 }')).toEqual(['{ "degrees": 220 }', { ok: true, value: { degrees: 220 } }]);
  expect(read("")).toEqual(["", { ok: true, value: {} }]);
  expect(read(undefined)).toEqual(["", { ok: true, value: {} }]);
  expect(read({ degrees: 220 })).toEqual(['{"degrees":220}', { ok: true, value: { degrees: 220 } }]);
  expect(read("{")).toEqual(["{", { ok: false, offset: 1, reason: expect.any(String) }]);
});
