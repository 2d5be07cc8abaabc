import { expect, test } from "vitest";
import { openConversation } from "../../src/conversation/index.js";
import type { Dialect } from "../../src/dialects/dialect.js";
import { type PairingOptions, pair } from "../../src/transcript/pairing.js";

const ASKED = { role: "user", content: "Move the pieces." };

function asks(...ids: string[]) {
  const calls = ids.map((id) => ({ id, type: "function", function: { name: "move", arguments: "{}" } }));
  return { role: "assistant", content: null, tool_calls: calls };
}

function answers(id: string | undefined, content = "moved") {
  return { role: "tool", tool_call_id: id, content };
}

function transcriptOf(messages: unknown[], dialect: Dialect = "openai-chat") {
  return openConversation(messages, "the test", dialect).transcript;
}

/** The pairing in words: each call with what became of it, then the results that answer none. */
function paired(messages: unknown[], options: PairingOptions = {}): string[] {
  const transcript = transcriptOf(messages);
  const { turns, orphans } = pair(transcript, options);
  const outcomes = turns.flatMap(({ calls }) =>
    calls.map(({ call, answer, late, duplicates }) =>
      [
        `${call.id} of ${call.at}`,
        answer ? `is answered by ${answer.at}` : "is open",
        ...(late ? [`late ${late.result.at} behind ${late.behind.at}`] : []),
        ...duplicates.map(({ at }) => `again ${at}`),
      ].join(", "),
    ),
  );
  return [
    ...outcomes,
    ...orphans.map(({ result, after }) => `orphan ${result.at} after ${after?.turn.at ?? "nothing"}`),
  ];
}

test("pairs parallel calls in any order of results", () => {
  expect(paired([ASKED, asks("a", "b"), answers("b"), answers("a")])).toEqual([
    "a of messages[1].tool_calls[0], is answered by messages[3]",
    "b of messages[1].tool_calls[1], is answered by messages[2]",
  ]);
});

test("keeps the order in which the results stand", () => {
  const transcript = transcriptOf([ASKED, asks("a", "b"), answers("b"), answers("a")]);
  expect(pair(transcript).turns[0]?.answers.map(({ callId }) => callId)).toEqual(["b", "a"]);
});

test("an id that comes back later is a call of its own", () => {
  expect(paired([ASKED, asks("a"), answers("a"), asks("a"), answers("a")])).toEqual([
    "a of messages[1].tool_calls[0], is answered by messages[2]",
    "a of messages[3].tool_calls[0], is answered by messages[4]",
  ]);
});

test("a result behind a message that is no result is late, and says what stands in the way", () => {
  expect(paired([ASKED, asks("a", "b"), answers("a"), ASKED, answers("b")])).toEqual([
    "a of messages[1].tool_calls[0], is answered by messages[2]",
    "b of messages[1].tool_calls[1], is open, late messages[4] behind messages[3]",
  ]);
});

test("a message that may stand between parts nothing", () => {
  const system = { role: "system", content: "Mind the clock." };
  const messages = [ASKED, asks("a"), system, answers("a")];
  expect(paired(messages)).toEqual(["a of messages[1].tool_calls[0], is open, late messages[3] behind messages[2]"]);
  expect(paired(messages, { mayStandBetween: ({ role }) => role === "system" })).toEqual([
    "a of messages[1].tool_calls[0], is answered by messages[3]",
  ]);
});

test("a result behind the next turn is late for the earlier one", () => {
  expect(paired([ASKED, asks("a"), asks("b"), answers("a"), answers("b")])).toEqual([
    "a of messages[1].tool_calls[0], is open, late messages[3] behind messages[2]",
    "b of messages[2].tool_calls[0], is answered by messages[4]",
  ]);
});

test("where a message goes on with the turn before it, results behind it answer both", () => {
  const goesOn = { continues: () => true };
  expect(paired([ASKED, asks("a"), asks("b"), asks("c"), answers("c"), answers("a"), answers("b")], goesOn)).toEqual([
    "a of messages[1].tool_calls[0], is answered by messages[5]",
    "b of messages[2].tool_calls[0], is answered by messages[6]",
    "c of messages[3].tool_calls[0], is answered by messages[4]",
  ]);
  expect(paired([ASKED, asks("a"), asks("b"), answers("a"), answers("b")], goesOn)).toEqual([
    "a of messages[1].tool_calls[0], is answered by messages[3]",
    "b of messages[2].tool_calls[0], is answered by messages[4]",
  ]);
  expect(paired([ASKED, asks("a"), answers("x"), asks("b"), answers("a"), answers("b")], goesOn)).toEqual([
    "a of messages[1].tool_calls[0], is open, late messages[4] behind messages[3]",
    "b of messages[3].tool_calls[0], is answered by messages[5]",
    "orphan messages[2] after messages[1]",
  ]);
  expect(paired([ASKED, asks("a"), asks("b"), ASKED, answers("a"), answers("b")], goesOn)).toEqual([
    "a of messages[1].tool_calls[0], is open, late messages[4] behind messages[3]",
    "b of messages[2].tool_calls[0], is open, late messages[5] behind messages[3]",
  ]);
});

test("a second result is a duplicate of the first", () => {
  expect(paired([ASKED, asks("a"), answers("a"), answers("a")])).toEqual([
    "a of messages[1].tool_calls[0], is answered by messages[2], again messages[3]",
  ]);
});

test("a second result behind later turns is a duplicate too", () => {
  expect(paired([ASKED, asks("a", "b"), answers("a"), answers("b"), asks("c"), answers("a"), answers("c")])).toEqual([
    "a of messages[1].tool_calls[0], is answered by messages[2], again messages[5]",
    "b of messages[1].tool_calls[1], is answered by messages[3]",
    "c of messages[4].tool_calls[0], is answered by messages[6]",
  ]);
});

test("a turn in which all is well is settled, and reads the same each time", () => {
  const transcript = transcriptOf([
    asks("a", "b"),
    answers("a"),
    answers("b"),
    asks("c", "d"),
    answers("d"),
    answers("c"),
    asks("e"),
  ]);
  const { turns, unsettled, broken, asking } = pair(transcript);
  expect(unsettled).toEqual([turns[1], turns[2]]);
  expect(broken).toEqual([turns[2]]);
  expect(turns[0]!.calls.map(({ call, answer }) => [call.id, answer?.at])).toEqual([
    ["a", "messages[1]"],
    ["b", "messages[2]"],
  ]);
  expect(turns[0]!.answers.map(({ at }) => at)).toEqual(["messages[1]", "messages[2]"]);
  expect(turns[0]!.calls).toEqual(turns[0]!.calls);
  expect(asking).toEqual([0, 3, 6]);
  expect(turns.map(({ turn }) => transcript.messages.indexOf(turn))).toEqual([0, 3, 6]);
});

test("a result without an id before the calls of its own message is none of theirs", () => {
  const call = { type: "tool_use", id: "a", name: "move", input: {} };
  const result = { type: "tool_result", tool_use_id: "a", content: "moved" };
  const transcript = transcriptOf(
    [
      { role: "assistant", content: [{ ...result, tool_use_id: undefined }, call] },
      { role: "user", content: [result] },
    ],
    "anthropic",
  );
  const { turns, orphans } = pair(transcript);
  expect(turns[0]!.calls[0]!.answer?.at).toBe("messages[1].content[0]");
  expect(orphans.map(({ result: { at } }) => at)).toEqual(["messages[0].content[0]"]);
});

test("calls of one turn that share an id take the results in turn", () => {
  expect(paired([ASKED, asks("a", "a"), answers("a"), answers("a"), answers("a")])).toEqual([
    "a of messages[1].tool_calls[0], is answered by messages[2], again messages[4]",
    "a of messages[1].tool_calls[1], is answered by messages[3]",
  ]);
});

test("a result that answers no call is an orphan, and a stranger where an answer would have counted", () => {
  expect(paired([answers("z"), ASKED, asks("a"), answers("x"), answers(undefined)])).toEqual([
    "a of messages[2].tool_calls[0], is open",
    "orphan messages[0] after nothing",
    "orphan messages[3] after messages[2]",
    "orphan messages[4] after messages[2]",
  ]);
  const transcript = transcriptOf([asks("a"), answers("x"), ASKED, answers("y")]);
  expect(pair(transcript).turns[0]?.strangers.map(({ at }) => at)).toEqual(["messages[1]"]);
});

test("ids that are names of object members are ids like any other", () => {
  expect(paired([ASKED, asks("__proto__", "constructor"), answers("constructor"), answers("__proto__")])).toEqual([
    "__proto__ of messages[1].tool_calls[0], is answered by messages[3]",
    "constructor of messages[1].tool_calls[1], is answered by messages[2]",
  ]);
});

test("words before a result in one message stand in its way, words behind it do not", () => {
  const result = { type: "tool_result", tool_use_id: "a", content: "moved" };
  const words = { type: "text", text: "and?" };
  const read = (...content: unknown[]) => {
    const call = { role: "assistant", content: [{ type: "tool_use", id: "a", name: "move", input: {} }] };
    return pair(transcriptOf([call, { role: "user", content }], "anthropic")).turns[0]!.calls[0]!;
  };
  expect(read(result, words).answer?.at).toBe("messages[1].content[0]");
  expect(read(words, result).late?.behind).toMatchObject({ at: "messages[1].content[0]", sameMessage: true });
});
