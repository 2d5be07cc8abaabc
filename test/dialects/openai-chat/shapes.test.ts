import { expect, test } from "vitest";
import {
  type CheckOptions,
  checkConversation,
  formatConversation,
  readConversation,
  type Violation,
} from "../../../src/conversation.js";

const ASKED = { role: "user", content: "Is the bridge open?" };
const SPOKEN = { role: "assistant", content: "It opens at noon." };
const FUNCTION = { name: "bridge", arguments: '{"at":"Weesp"}' };
const CALL = { id: "call_br1", type: "function", function: FUNCTION };
const ANSWER = { role: "tool", tool_call_id: "call_br1", content: "closed" };

function asks(...calls: unknown[]) {
  return { role: "assistant", content: null, tool_calls: calls };
}

function check(messages: unknown, options?: CheckOptions): Violation[] {
  return checkConversation(messages, "openai-chat", options);
}

/** `rule at: message` of the one violation; more or fewer are a failure of their own. */
function only(messages: unknown, options?: CheckOptions): string {
  const [violation, ...more] = check(messages, options);
  expect(violation, "a violation").toBeDefined();
  expect(more).toEqual([]);
  const { rule, severity, at, message } = violation!;
  return `${severity} ${rule} at ${at}: ${message}`;
}

function fixes(messages: unknown): string[] {
  return check(messages).map(({ fix }) => fix);
}

test("role: one the API does not know, and none", () => {
  const said = (role: unknown) => [ASKED, { role, content: "It opens at noon." }];
  expect([said("bot"), said(undefined), said(null), said(7)].map((messages) => only(messages))).toMatchInlineSnapshot(`
    [
      "warn openai-chat/unknown-role at messages[1].role: Invalid value: 'bot'. Supported values are: 'system', 'assistant', 'user', 'function', 'tool', and 'developer'.",
      "error openai-chat/role at messages[1].role: Missing required parameter: 'messages[1].role'.",
      "error openai-chat/role at messages[1].role: Invalid type for 'messages[1].role': expected one of 'system', 'assistant', 'user', 'function', 'tool', or 'developer', but got null instead.",
      "error openai-chat/role at messages[1].role: Invalid type for 'messages[1].role': expected one of 'system', 'assistant', 'user', 'function', 'tool', or 'developer', but got an integer instead.",
    ]
  `);
  expect(only([ASKED, { content: "It opens at noon." }])).toContain("'messages[1].role'");
  expect(fixes(said("bot"))).toMatchInlineSnapshot(`
    [
      "Write role: "assistant" for what the model said, "user" for what it is told, "tool" for the result of a call.",
    ]
  `);
  const roles = ["system", "developer", "user", "assistant"];
  expect(check(roles.map((role) => ({ role, content: "It opens at noon." })))).toEqual([]);
});

test("role: a turn without a role is one fault, the results of its calls included", () => {
  const turn = { ...asks(CALL, { ...CALL, id: "call_br2" }), role: undefined };
  const results = [ANSWER, { ...ANSWER, tool_call_id: "call_br2" }];
  expect(only([ASKED, turn, ...results, SPOKEN])).toContain("error openai-chat/role at messages[1].role");
  expect(check([ASKED, turn, ANSWER, SPOKEN, ANSWER]).map(({ rule, at }) => `${rule} at ${at}`)).toMatchInlineSnapshot(`
    [
      "openai-chat/role at messages[1].role",
      "openai-chat/orphan-result at messages[4]",
    ]
  `);
});

test("unknown-role: a warning, which says nothing of the results that answer nothing because of it", () => {
  const turn = { ...asks(CALL), role: "model" };
  expect(
    check([ASKED, turn, ANSWER, SPOKEN]).map(({ rule, severity, at }) => `${severity} ${rule} at ${at}`),
  ).toMatchInlineSnapshot(`
    [
      "warn openai-chat/unknown-role at messages[1].role",
      "error openai-chat/orphan-result at messages[2]",
    ]
  `);
});

test("call-shape: a call without its wrapper is one fault, its result included", () => {
  expect(only([ASKED, asks({ id: "call_br1", ...FUNCTION }), ANSWER, SPOKEN])).toMatchInlineSnapshot(
    `"error openai-chat/call-shape at messages[1].tool_calls[0].function: Missing required parameter: 'messages[1].tool_calls[0].function'."`,
  );
  expect(only([ASKED, asks({ id: "call_br1", type: "function", ...FUNCTION }), ANSWER])).toContain(".function'");
  expect(only([ASKED, asks({ id: "call_br1", type: "function" }), ANSWER])).toContain(".function'");
  expect(only([ASKED, asks({ id: "call_br1", type: "custom", function: FUNCTION }), ANSWER])).toContain(".custom'");
  expect(fixes([ASKED, asks({ id: "call_br1", ...FUNCTION }), ANSWER])).toMatchInlineSnapshot(`
    [
      "Wrap name and arguments: { id, type: "function", function: { name, arguments } }.",
    ]
  `);
  expect(check([ASKED, asks(CALL), ANSWER, SPOKEN])).toEqual([]);
});

test("call-shape: beside a whole call, the fault of the other stays its own", () => {
  const flat = { id: "call_br2", ...FUNCTION };
  const answers = [ANSWER, { ...ANSWER, tool_call_id: "call_br2" }];
  expect(only([ASKED, asks(CALL, flat), ...answers, SPOKEN])).toContain("messages[1].tool_calls[1].function'");
  expect(check([ASKED, asks(CALL, flat), ASKED]).map(({ rule, at }) => `${rule} at ${at}`)).toMatchInlineSnapshot(`
    [
      "openai-chat/call-shape at messages[1].tool_calls[1].function",
      "openai-chat/unanswered-call at messages[1].tool_calls[0]",
    ]
  `);
});

test("call-shape: a call without a type, or of one the API does not know", () => {
  const typed = (type: unknown) => [ASKED, asks({ ...CALL, type }), ANSWER, SPOKEN];
  expect([undefined, null, "tool_call"].map((type) => only(typed(type)))).toMatchInlineSnapshot(`
    [
      "error openai-chat/call-shape at messages[1].tool_calls[0].type: Missing required parameter: 'messages[1].tool_calls[0].type'.",
      "error openai-chat/call-shape at messages[1].tool_calls[0].type: Invalid type for 'messages[1].tool_calls[0].type': expected one of 'function', 'allowed_tools', or 'custom', but got null instead.",
      "warn openai-chat/call-type at messages[1].tool_calls[0].type: Invalid value: 'tool_call'. Supported values are: 'function', 'allowed_tools', and 'custom'.",
    ]
  `);
  expect(fixes(typed(undefined))).toMatchInlineSnapshot(`
    [
      "Write type: "function" beside the id of the call.",
    ]
  `);
  expect(only([ASKED, asks({ id: "call_br1", type: "hologram", hologram: {} }), SPOKEN])).toContain("'hologram'");
});

test("call-shape: a call without a name or without arguments", () => {
  const holding = (held: object) => [ASKED, asks({ ...CALL, function: held }), ANSWER, SPOKEN];
  const { name, arguments: args } = FUNCTION;
  const faults = [{ arguments: args }, { name: 7, arguments: args }, { name }, "bridge"];
  expect(faults.map((held) => only(holding(held as object)))).toMatchInlineSnapshot(`
    [
      "error openai-chat/call-shape at messages[1].tool_calls[0].function.name: Missing required parameter: 'messages[1].tool_calls[0].function.name'.",
      "error openai-chat/call-shape at messages[1].tool_calls[0].function.name: Invalid type for 'messages[1].tool_calls[0].function.name': expected a string, but got an integer instead.",
      "error openai-chat/call-shape at messages[1].tool_calls[0].function.arguments: Missing required parameter: 'messages[1].tool_calls[0].function.arguments'.",
      "error openai-chat/call-shape at messages[1].tool_calls[0].function: Invalid type for 'messages[1].tool_calls[0].function': expected an object, but got a string instead.",
    ]
  `);
  expect(faults.flatMap((held) => fixes(holding(held as object)))).toMatchInlineSnapshot(`
    [
      "Append the call with the name the model gave it.",
      "Append the call with the name the model gave it.",
      "Append the arguments as the model wrote them, as text: "{}" where it sent none.",
      "Wrap name and arguments: { id, type: "function", function: { name, arguments } }.",
    ]
  `);
  expect(check(holding({ name, arguments: "{}" }))).toEqual([]);
});

test("call-shape: a custom call without its input", () => {
  const calls = [{ name: "grep" }, { name: "grep", input: {} }, { input: "closed" }].map((custom) => ({
    id: "call_br1",
    type: "custom",
    custom,
  }));
  expect(calls.map((call) => only([ASKED, asks(call), ANSWER]))).toMatchInlineSnapshot(`
    [
      "error openai-chat/call-shape at messages[1].tool_calls[0].custom.input: Missing required parameter: 'messages[1].tool_calls[0].custom.input'.",
      "error openai-chat/call-shape at messages[1].tool_calls[0].custom.input: Invalid type for 'messages[1].tool_calls[0].custom.input': expected a string, but got an object instead.",
      "error openai-chat/call-shape at messages[1].tool_calls[0].custom.name: Missing required parameter: 'messages[1].tool_calls[0].custom.name'.",
    ]
  `);
});

test("call-shape: calls that are no list, and list entries that are no call", () => {
  expect(only([ASKED, { ...asks(), tool_calls: "bridge" }, ANSWER])).toMatchInlineSnapshot(
    `"error openai-chat/call-shape at messages[1].tool_calls: Invalid type for 'messages[1].tool_calls': expected an array of objects, but got a string instead."`,
  );
  expect(only([ASKED, { ...asks(), tool_calls: CALL }, ANSWER])).toContain("but got an object instead");
  expect(only([ASKED, asks("bridge"), ANSWER])).toMatchInlineSnapshot(
    `"error openai-chat/call-shape at messages[1].tool_calls[0]: Invalid type for 'messages[1].tool_calls[0]': expected an object, but got a string instead."`,
  );
  expect(only([ASKED, asks(null), ANSWER])).toContain("but got null instead");
  expect(check([ASKED, { ...SPOKEN, tool_calls: null }])).toEqual([]);
});

test("call-id: an empty id on both sides answers nothing", () => {
  const both = [ASKED, asks({ ...CALL, id: "" }), { ...ANSWER, tool_call_id: "" }, SPOKEN];
  expect(only(both)).toMatchInlineSnapshot(
    `"error openai-chat/call-id at messages[1].tool_calls[0]: Invalid 'messages[1].tool_calls[0].id': empty string. Expected a string with minimum length 1, but got an empty string instead."`,
  );
  expect(fixes(both)).toMatchInlineSnapshot(`
    [
      "Keep the id the model gave the call, and write it as tool_call_id into messages[2]; where it gave none, make one up for both.",
    ]
  `);
});

test("call-id: a call without an id is named though nothing has to answer it yet", () => {
  const { id: _, ...nameless } = CALL;
  const afterModel = { stage: "after-model" } as const;
  expect(only([ASKED, asks(nameless)], afterModel)).toMatchInlineSnapshot(
    `"error openai-chat/call-id at messages[1].tool_calls[0]: Missing required parameter: 'messages[1].tool_calls[0].id'."`,
  );
  expect(only([ASKED, asks({ ...CALL, id: 7 })], afterModel)).toContain("expected a string, but got an integer");
  expect(only([ASKED, asks(nameless), SPOKEN])).toContain("openai-chat/unanswered-call");
});

test("orphan-result: a result that says not what it answers, in the API's own words", () => {
  const { tool_call_id: _, ...nameless } = ANSWER;
  expect(only([ASKED, asks(CALL), ANSWER, nameless])).toMatchInlineSnapshot(
    `"error openai-chat/orphan-result at messages[3]: Missing parameter 'tool_call_id': messages with role 'tool' must have a 'tool_call_id'. (messages.[3].tool_call_id)"`,
  );
});

test("content-type: content that is neither text nor a list", () => {
  const said = ["system", "developer", "user", "assistant"].flatMap((role) =>
    [7, 0.5, true, { text: "Is the bridge open?" }].map((content) => [{ role, content }]),
  );
  expect(
    said.map((messages) => only(messages)).filter((text, index) => index < 4 || text.includes("0.5")),
  ).toMatchInlineSnapshot(`
    [
      "error openai-chat/content-type at messages[0].content: Invalid type for 'messages[0].content': expected one of a string or array of objects, but got an integer instead.",
      "error openai-chat/content-type at messages[0].content: Invalid type for 'messages[0].content': expected one of a string or array of objects, but got a decimal number instead.",
      "error openai-chat/content-type at messages[0].content: Invalid type for 'messages[0].content': expected one of a string or array of objects, but got a boolean instead.",
      "error openai-chat/content-type at messages[0].content: Invalid type for 'messages[0].content': expected one of a string or array of objects, but got an object instead.",
    ]
  `);
  expect(said.flatMap((messages) => check(messages).map(({ rule }) => rule))).toEqual(
    said.map(() => "openai-chat/content-type"),
  );
  expect(fixes(said[3])).toMatchInlineSnapshot(`
    [
      "Write the content as text: "{\\"text\\":\\"Is the bridge open?\\"}".",
    ]
  `);
  expect(only([ASKED, asks(CALL), { ...ANSWER, content: { open: false } }])).toContain(
    "openai-chat/result-content-type",
  );
});

test("content-null: content that is not there, where nothing stands in for it", () => {
  const roles = ["system", "developer", "user", "assistant"];
  expect(roles.map((role) => only([{ role }]))[3]).toMatchInlineSnapshot(
    `"error openai-chat/content-null at messages[0].content: Invalid value for 'content': expected a string, got null. (messages.[0].content)"`,
  );
  for (const role of roles) expect(only([{ role }])).toContain("openai-chat/content-null");
  for (const lost of [{ refusal: null }, { tool_calls: null }, { function_call: null }, { audio: null }]) {
    expect(only([ASKED, { role: "assistant", ...lost }])).toContain("openai-chat/content-null");
  }
  for (const kept of [{ refusal: "No." }, { function_call: FUNCTION }, { audio: { id: "audio_1" } }]) {
    expect(check([ASKED, { role: "assistant", ...kept }], { stage: "after-model" })).toEqual([]);
  }
  expect(only([{ ...ASKED, content: undefined, tool_calls: [CALL] }])).toContain("openai-chat/content-null");
});

test("empty-content: a list without parts is a warning, because the API takes it", () => {
  expect(only([{ role: "user", content: [] }])).toMatchInlineSnapshot(
    `"warn openai-chat/empty-content at messages[0].content: 'messages[0].content' is an empty array. OpenAI takes it, though its published schema wants at least one part."`,
  );
  expect(check([ASKED, { role: "assistant", content: "" }])).toEqual([]);
});

test("part-shape: parts without a type, without what their type holds, and no parts at all", () => {
  const parts = [
    { text: "Is the bridge open?" },
    { type: 7 },
    { type: "text" },
    { type: "text", text: { value: "Is the bridge open?" } },
    { type: "image_url", image_url: "https://bridges.example/weesp.png" },
    { type: "file", file_id: "file_1" },
    "Is the bridge open?",
    null,
  ];
  expect(parts.map((part) => only([{ role: "user", content: [part] }]))).toMatchInlineSnapshot(`
    [
      "error openai-chat/part-shape at messages[0].content[0].type: Missing required parameter: 'messages[0].content[0].type'.",
      "error openai-chat/part-shape at messages[0].content[0].type: Invalid type for 'messages[0].content[0].type': expected a string, but got an integer instead.",
      "error openai-chat/part-shape at messages[0].content[0].text: Missing required parameter: 'messages[0].content[0].text'.",
      "error openai-chat/part-shape at messages[0].content[0].text: Invalid type for 'messages[0].content[0].text': expected a string, but got an object instead.",
      "error openai-chat/part-shape at messages[0].content[0].image_url: Invalid type for 'messages[0].content[0].image_url': expected an object, but got a string instead.",
      "error openai-chat/part-shape at messages[0].content[0].file: Missing required parameter: 'messages[0].content[0].file'.",
      "error openai-chat/part-shape at messages[0].content[0]: Invalid type for 'messages[0].content[0]': expected an object, but got a string instead.",
      "error openai-chat/part-shape at messages[0].content[0]: Invalid type for 'messages[0].content[0]': expected an object, but got null instead.",
    ]
  `);
  expect(parts.flatMap((part) => fixes([{ role: "user", content: [part] }]))).toMatchInlineSnapshot(`
    [
      "Give the part its type: { type: "text", text: … }. A tool that returns a list of objects needs JSON.stringify.",
      "Give the part its type: { type: "text", text: … }. A tool that returns a list of objects needs JSON.stringify.",
      "Write { type: "text", text: a string }.",
      "Write { type: "text", text: a string }.",
      "Write { type: "image_url", image_url: an object }.",
      "Write { type: "file", file: an object }.",
      "Write { type: "text", text: "Is the bridge open?" }.",
      "Write { type: "text", text: "null" }.",
    ]
  `);
});

test("part-shape: part types of other APIs", () => {
  const types = ["image", "input_text", "tool_result", "thinking", "tool-call", "toolCall"];
  const found = types.map((type) => only([{ role: "user", content: [{ type }] }]));
  expect(found.slice(0, 1)).toMatchInlineSnapshot(`
    [
      "error openai-chat/part-shape at messages[0].content[0].type: Invalid value: 'image'. Supported values are: 'text', 'image_url', 'input_audio', 'refusal', 'audio', and 'file'.",
    ]
  `);
  expect(found).toEqual(types.map((type) => found[0]!.replace("'image'", `'${type}'`)));
});

test("part-shape: a tool that returns a list of objects", () => {
  const rows = [{ bridge: "Weesp" }, { bridge: "Muiden" }];
  expect(
    check([ASKED, asks(CALL), { ...ANSWER, content: rows }]).map(({ at, fix }) => `${at} ${fix}`),
  ).toMatchInlineSnapshot(`
    [
      "messages[2].content[0].type Give the part its type: { type: "text", text: … }. A tool that returns a list of objects needs JSON.stringify.",
    ]
  `);
  const said = [{ type: "text", text: "closed" }];
  expect(check([ASKED, asks(CALL), { ...ANSWER, content: said }])).toEqual([]);
});

test("part-type: types nobody knows here are a warning, a backend may know them", () => {
  const types = ["video_url", "hologram", "toString"];
  const found = types.map((type) => only([{ role: "user", content: [{ type }] }]));
  expect(found[0]).toMatchInlineSnapshot(
    `"warn openai-chat/part-type at messages[0].content[0].type: Invalid value: 'video_url'. Supported values are: 'text', 'image_url', 'input_audio', 'refusal', 'audio', and 'file'. (OpenAI's answer; other backends know more.)"`,
  );
  expect(found).toEqual(types.map((type) => found[0]!.replace("'video_url'", `'${type}'`)));
});

test("image-role: an image that the user did not send", () => {
  const content = [{ type: "image_url", image_url: { url: "https://bridges.example/weesp.png" } }];
  expect(only([ASKED, { role: "assistant", content }])).toMatchInlineSnapshot(
    `"error openai-chat/image-role at messages[1].content[0]: Invalid 'messages[1]'. Image URLs are only allowed for messages with role 'user', but this message with role 'assistant' contains an image URL."`,
  );
  expect(only([ASKED, asks(CALL), { ...ANSWER, content }])).toContain("openai-chat/result-content-type");
  expect(check([{ role: "user", content }])).toEqual([]);
});

const malformed: Record<string, unknown[]> = {
  "a call without its wrapper": [ASKED, asks({ id: "call_br1", ...FUNCTION }), ANSWER],
  "calls that are text": [ASKED, asks("bridge"), ANSWER],
  "calls that are no list": [ASKED, { ...asks(), tool_calls: "bridge" }, ANSWER],
  "a call of nothing but an id": [ASKED, asks({ id: "call_br1" }), ANSWER],
  "content of a number": [{ role: "user", content: 7 }, SPOKEN],
  "a role nobody knows": [ASKED, { role: "bot", content: "It opens at noon." }],
};

test.each(Object.entries(malformed))("%s is read, recognised and shown", (_, messages) => {
  expect(readConversation(messages).dialect).toBe("openai-chat");
  expect(check(messages).length).toBeGreaterThan(0);
  expect(formatConversation(messages).split("\n")).toHaveLength(messages.length);
});

test("calls in the words of a framework are not taken for this dialect's", () => {
  const messages = [ASKED, asks({ id: "call_br1", name: "bridge", args: { at: "Weesp" } })];
  expect(() => readConversation(messages)).toThrow("Cannot tell the dialect of the messages: messages[1] has");
});

test("two assistant messages with calls in a row are two turns: the first has no answer behind it", () => {
  const turns = [asks(CALL), asks({ ...CALL, id: "call_br2" })];
  const messages = [ASKED, ...turns, ANSWER, { ...ANSWER, tool_call_id: "call_br2" }, SPOKEN];
  expect(only(messages)).toMatchInlineSnapshot(
    `"error openai-chat/not-adjacent at messages[3]: An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'. The following tool_call_ids did not have response messages: call_br1"`,
  );
});
