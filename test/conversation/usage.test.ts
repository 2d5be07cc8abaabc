import { expect, test } from "vitest";
import { type CheckOptions, checkConversation, formatConversation, readConversation } from "../../src/conversation.js";
import { scriptedModel, toolCall } from "../../src/index.js";

/** The sentence of a usage error. */
function sentence(run: () => unknown): string {
  try {
    run();
  } catch (error) {
    expect(error).toMatchObject({ name: "UsageError", code: "usage" });
    return (error as Error).message;
  }
  throw new Error("It was accepted.");
}

const USER = { role: "user", content: "Any mail?" };
const CHAT_TURN = {
  role: "assistant",
  content: null,
  tool_calls: [{ id: "call_1", type: "function", function: { name: "inbox", arguments: "{}" } }],
};
const BLOCK_TURN = { role: "assistant", content: [{ type: "tool_use", id: "toolu_1", name: "inbox", input: {} }] };

test("a promise has to be awaited first", () => {
  expect(sentence(() => checkConversation(Promise.resolve([USER])))).toMatchInlineSnapshot(
    `"[vitest-tool-loop] checkConversation() needs the messages of a conversation: expected an array, found a promise. Await the loop first."`,
  );
  expect(sentence(() => checkConversation([USER, Promise.resolve(USER)]))).toMatchInlineSnapshot(
    `"[vitest-tool-loop] checkConversation() needs messages: expected an object with a role at messages[1], found a promise: await it first."`,
  );
});

test("what holds no messages is named for what it is", () => {
  const values = [
    "Any mail?",
    7,
    null,
    undefined,
    {},
    { text: "hi", usage: 3 },
    () => [USER],
    new Map(),
    Symbol("m"),
    9n,
  ];
  expect(values.map((value) => sentence(() => readConversation(value)))).toMatchInlineSnapshot(`
    [
      "[vitest-tool-loop] readConversation() needs the messages of a conversation: expected an array of messages, a scripted model or an object with messages, found the string "Any mail?". Pass what your loop returns, or the scripted model it called.",
      "[vitest-tool-loop] readConversation() needs the messages of a conversation: expected an array of messages, a scripted model or an object with messages, found 7. Pass what your loop returns, or the scripted model it called.",
      "[vitest-tool-loop] readConversation() needs the messages of a conversation: expected an array of messages, a scripted model or an object with messages, found null. Pass what your loop returns, or the scripted model it called.",
      "[vitest-tool-loop] readConversation() needs the messages of a conversation: expected an array of messages, a scripted model or an object with messages, found undefined. Pass what your loop returns, or the scripted model it called.",
      "[vitest-tool-loop] readConversation() needs the messages of a conversation: expected an array of messages, a scripted model or an object with messages, found an empty object. Pass what your loop returns, or the scripted model it called.",
      "[vitest-tool-loop] readConversation() needs the messages of a conversation: expected an array of messages, a scripted model or an object with messages, found an object with text, usage. Pass what your loop returns, or the scripted model it called.",
      "[vitest-tool-loop] readConversation() needs the messages of a conversation: expected an array of messages, a scripted model or an object with messages, found a function that is no scripted model. Pass what your loop returns, or the scripted model it called.",
      "[vitest-tool-loop] readConversation() needs the messages of a conversation: expected an array of messages, a scripted model or an object with messages, found an empty object. Pass what your loop returns, or the scripted model it called.",
      "[vitest-tool-loop] readConversation() needs the messages of a conversation: expected an array of messages, a scripted model or an object with messages, found Symbol(m). Pass what your loop returns, or the scripted model it called.",
      "[vitest-tool-loop] readConversation() needs the messages of a conversation: expected an array of messages, a scripted model or an object with messages, found 9n. Pass what your loop returns, or the scripted model it called.",
    ]
  `);
});

test("an entry that is no message is named with its position", () => {
  expect(sentence(() => checkConversation([USER, "hello"]))).toMatchInlineSnapshot(
    `"[vitest-tool-loop] checkConversation() needs messages: expected an object with a role at messages[1], found the string "hello"."`,
  );
  expect(sentence(() => checkConversation({ messages: [null] }))).toMatchInlineSnapshot(
    `"[vitest-tool-loop] checkConversation() needs messages: expected an object with a role at messages[0], found null."`,
  );
  expect(sentence(() => checkConversation({ values: { messages: [USER, [USER]] } }))).toMatchInlineSnapshot(
    `"[vitest-tool-loop] checkConversation() needs messages: expected an object with a role at values.messages[1], found an array."`,
  );
  expect(sentence(() => checkConversation([USER, { content: "no role" }]))).toMatchInlineSnapshot(
    `"[vitest-tool-loop] Cannot tell the dialect of the messages: messages[1] has no role, and keys content, which fits none of "openai-chat", "anthropic". Name the dialect, or register your own with registerDialect(definition)."`,
  );
});

test("a turn that was appended as the scripted model returned it is told from a foreign message", async () => {
  const turn = await scriptedModel(toolCall("get_weather"))([USER]);
  expect(sentence(() => checkConversation([USER, turn]))).toMatchInlineSnapshot(
    `"[vitest-tool-loop] Cannot tell the dialect of the messages: messages[1] has no role, and keys kind, calls, which fits none of "openai-chat", "anthropic". It is what a scripted model returned: append it as the API has it, or give the loop speakAs(model, dialect), which returns that."`,
  );
});

test("messages that fit no dialect say which one does not, and what to do", () => {
  const stranger = { role: "assistant", toolCalls: [], content: "" };
  expect(sentence(() => checkConversation([USER, stranger]))).toMatchInlineSnapshot(
    `"[vitest-tool-loop] Cannot tell the dialect of the messages: messages[1] has role "assistant" and keys role, toolCalls, content, which fits none of "openai-chat", "anthropic". Name the dialect, or register your own with registerDialect(definition)."`,
  );
});

test("turns of two dialects are refused at the second", () => {
  expect(sentence(() => checkConversation([USER, CHAT_TURN, BLOCK_TURN]))).toMatchInlineSnapshot(
    `"[vitest-tool-loop] Cannot read messages[2] as "openai-chat": it is a turn in "anthropic". One conversation has one dialect: convert the messages where they enter the history."`,
  );
  expect(sentence(() => checkConversation([USER, CHAT_TURN], "anthropic"))).toMatchInlineSnapshot(
    `"[vitest-tool-loop] Cannot read messages[1] as "anthropic": it is a turn in "openai-chat". One conversation has one dialect: convert the messages where they enter the history."`,
  );
});

test("messages that fit several dialects one by one, and none together, say why", () => {
  const developer = { role: "developer", content: "Be brief." };
  const results = { role: "user", content: [{ type: "tool_result", tool_use_id: "toolu_1", content: "none" }] };
  expect(sentence(() => checkConversation([developer, results]))).toMatchInlineSnapshot(
    `"[vitest-tool-loop] Cannot read the messages in one dialect: messages[1] is not in "openai-chat", messages[0] is not in "anthropic". Convert the messages where they enter the history."`,
  );
});

test("a dialect nobody knows is answered with those that are known", () => {
  expect(sentence(() => checkConversation([USER], "openai"))).toMatchInlineSnapshot(
    `"[vitest-tool-loop] There is no dialect "openai": expected one of "openai-chat", "anthropic". Register your own with registerDialect(definition)."`,
  );
  expect(sentence(() => checkConversation([USER], Symbol("x") as never))).toMatchInlineSnapshot(
    `"[vitest-tool-loop] There is no dialect Symbol(x): expected one of "openai-chat", "anthropic". Register your own with registerDialect(definition)."`,
  );
});

test("a value that throws while it is read gives a sentence with its cause", () => {
  const hostile = Object.defineProperty({ role: "user" }, "content", {
    get() {
      throw new RangeError("not for you");
    },
  });
  expect(sentence(() => checkConversation([hostile]))).toBe(
    sentence(() => checkConversation([hostile], "openai-chat")),
  );
  expect(sentence(() => checkConversation([hostile], "openai-chat"))).toMatchInlineSnapshot(
    `"[vitest-tool-loop] checkConversation() cannot read messages[0].content: expected plain data, but reading it threw RangeError: not for you. Pass a plain copy."`,
  );
});

test("an option that would be ignored is refused", () => {
  const options = [{ stage: "requst" }, { tools: { inbox: {} } }, { spoken: "hi" }, null, "request"];
  const refused = options.map((option) => sentence(() => checkConversation([USER], undefined, option as CheckOptions)));
  expect(refused).toMatchInlineSnapshot(`
    [
      "[vitest-tool-loop] checkConversation() cannot use the option stage: expected "auto", "request" or "after-model", found "requst". Did you mean "request"?",
      "[vitest-tool-loop] checkConversation() cannot use the option tools: expected a list of tools, found {"inbox":{}}.",
      "[vitest-tool-loop] checkConversation() cannot use the option spoken: expected a list of turns, found "hi".",
      "[vitest-tool-loop] checkConversation() cannot use its options: expected an object with stage, strict, profile, thinking, model, tokenizer, toolConfig, prefill, tools or spoken, found null.",
      "[vitest-tool-loop] checkConversation() cannot use its options: expected an object with stage, strict, profile, thinking, model, tokenizer, toolConfig, prefill, tools or spoken, found "request".",
    ]
  `);
});

test("a misspelt option is answered with the one that is near, and one left undefined is none", () => {
  const options = [
    { stag: "request" },
    { Strict: true },
    { sstage: 1, strict: true },
    { colour: "red" },
    { strict: 1 },
  ];
  const refused = options.map((option) => sentence(() => checkConversation([USER], undefined, option as CheckOptions)));
  expect(refused).toMatchInlineSnapshot(`
    [
      "[vitest-tool-loop] checkConversation() has no option "stag": expected stage, strict, profile, thinking, model, tokenizer, toolConfig, prefill, tools or spoken. Did you mean "stage"?",
      "[vitest-tool-loop] checkConversation() has no option "Strict": expected stage, strict, profile, thinking, model, tokenizer, toolConfig, prefill, tools or spoken. Did you mean "strict"?",
      "[vitest-tool-loop] checkConversation() has no option "sstage": expected stage, strict, profile, thinking, model, tokenizer, toolConfig, prefill, tools or spoken. Did you mean "stage"?",
      "[vitest-tool-loop] checkConversation() has no option "colour": expected stage, strict, profile, thinking, model, tokenizer, toolConfig, prefill, tools or spoken.",
      "[vitest-tool-loop] checkConversation() cannot use the option strict: expected true or false, found 1.",
    ]
  `);
  const undecided: object = { stage: "request", strict: true, profile: undefined };
  expect(checkConversation([USER], undefined, undecided)).toEqual([]);
});

test("a dialect that is null is none", () => {
  for (const ask of [checkConversation, readConversation, formatConversation]) {
    expect(sentence(() => ask([USER], null as never))).toContain("There is no dialect null: expected one of ");
  }
});

test("what cannot be read gives a sentence when it is printed, too", () => {
  let readings = 0;
  const wearingOut = Object.defineProperty({ role: "user" }, "content", {
    get() {
      readings++;
      if (readings > 1) throw new RangeError("read already");
      return "hi";
    },
  });
  expect(sentence(() => [1, 2, 3].map(() => formatConversation([wearingOut], "openai-chat")))).toMatchInlineSnapshot(
    `"[vitest-tool-loop] formatConversation() cannot read messages[0].content: expected plain data, but reading it threw RangeError: read already. Pass a plain copy."`,
  );
});
