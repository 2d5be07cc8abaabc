import { expect, test } from "vitest";
import { type CheckOptions, checkConversation, type Violation } from "../../../src/conversation.js";

const ASKED = { role: "user", content: "Which trains leave Delft tonight?" };
const SPOKEN = { role: "assistant", content: "The 19:04 and the 19:34." };

function call(id: string, name = "departures", args: unknown = '{"station":"Delft"}') {
  return { id, type: "function", function: { name, arguments: args } };
}

function asks(...calls: unknown[]) {
  return { role: "assistant", content: null as string | null, tool_calls: calls };
}

function answers(id: unknown, content: unknown = '["19:04","19:34"]') {
  return { role: "tool", tool_call_id: id, content };
}

function check(messages: unknown, options?: CheckOptions): Violation[] {
  return checkConversation(messages, "openai-chat", options);
}

/** The one violation of a conversation; more or fewer are a failure of their own. */
function only(messages: unknown, options?: CheckOptions): Violation {
  const [violation, ...more] = check(messages, options);
  expect(violation, "a violation").toBeDefined();
  expect(more).toEqual([]);
  return violation!;
}

test("unanswered-call: a call without a tool message", () => {
  expect(only([ASKED, asks(call("call_nl1"), call("call_nl2")), answers("call_nl1"), ASKED])).toMatchInlineSnapshot(`
    {
      "at": "messages[1].tool_calls[1]",
      "fix": "Insert { role: "tool", tool_call_id: "call_nl2", content: "…" } directly after messages[1], in any order with its other results.",
      "message": "An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'. The following tool_call_ids did not have response messages: call_nl2",
      "rule": "openai-chat/unanswered-call",
      "severity": "error",
      "source": "https://github.com/BerriAI/litellm/issues/10083",
    }
  `);
  expect(check([ASKED, asks(call("call_nl1"), call("call_nl2")), answers("call_nl2"), answers("call_nl1")])).toEqual(
    [],
  );
});

test("unanswered-call: a result under a wrong id is the same fault, and the fix names both ends", () => {
  expect(only([ASKED, asks(call("call_nl1")), answers("call_1"), SPOKEN])).toMatchInlineSnapshot(`
    {
      "at": "messages[1].tool_calls[0]",
      "fix": "Write tool_call_id: "call_nl1" into messages[2]: it answers call_1.",
      "message": "An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'. The following tool_call_ids did not have response messages: call_nl1",
      "rule": "openai-chat/unanswered-call",
      "severity": "error",
      "source": "https://github.com/BerriAI/litellm/issues/10083",
    }
  `);
  expect(only([ASKED, asks(call("call_nl1")), { role: "tool", content: "[]" }, SPOKEN])).toMatchInlineSnapshot(`
    {
      "at": "messages[1].tool_calls[0]",
      "fix": "Write tool_call_id: "call_nl1" into messages[2]: it has no tool_call_id.",
      "message": "An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'. The following tool_call_ids did not have response messages: call_nl1",
      "rule": "openai-chat/unanswered-call",
      "severity": "error",
      "source": "https://github.com/BerriAI/litellm/issues/10083",
    }
  `);
});

test("unanswered-call: a call without an id cannot be answered", () => {
  const { id: _, ...nameless } = call("");
  expect(only([ASKED, asks(nameless), { role: "tool", content: "[]" }, SPOKEN])).toMatchInlineSnapshot(`
    {
      "at": "messages[1].tool_calls[0]",
      "fix": "Keep the id the model gave the call: messages[1].tool_calls[0] has none, so nothing can answer it.",
      "message": "An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'. The following tool_call_ids did not have response messages: (no id)",
      "rule": "openai-chat/unanswered-call",
      "severity": "error",
      "source": "https://github.com/BerriAI/litellm/issues/10083",
    }
  `);
});

test("not-adjacent: a message between the call and its result", () => {
  const between = { role: "system", content: "The user is in a hurry." };
  expect(only([ASKED, asks(call("call_nl1")), between, answers("call_nl1")])).toMatchInlineSnapshot(`
    {
      "at": "messages[3]",
      "fix": "Put the tool message for call_nl1 directly after messages[1]: messages[2] (role "system") stands between.",
      "message": "An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'. The following tool_call_ids did not have response messages: call_nl1",
      "rule": "openai-chat/not-adjacent",
      "severity": "error",
      "source": "https://github.com/Yanyutin753/LambChat/issues/496",
    }
  `);
  expect(check([ASKED, asks(call("call_nl1")), answers("call_nl1"), between])).toEqual([]);
});

test("not-adjacent: of two results one late and one missing are one refusal of the API, which names both calls", () => {
  const violation = only([ASKED, asks(call("call_nl1"), call("call_nl2")), ASKED, answers("call_nl2")]);
  expect(violation.message).toContain("did not have response messages: call_nl1, call_nl2");
  expect(violation.fix).toMatchInlineSnapshot(
    `"Put the tool messages for call_nl1, call_nl2 directly after messages[1]: messages[2] (role "user") stands between."`,
  );
});

test("orphan-result: a result whose turn is gone", () => {
  expect(only([answers("call_cut"), SPOKEN])).toMatchInlineSnapshot(`
    {
      "at": "messages[0]",
      "fix": "Keep the assistant message that asked for call_cut directly before messages[0], or drop both.",
      "message": "Invalid parameter: messages with role 'tool' must be a response to a preceeding message with 'tool_calls'. (messages.[0].role)",
      "rule": "openai-chat/orphan-result",
      "severity": "error",
      "source": "https://github.com/miurla/morphic/issues/136",
    }
  `);
  expect(only([ASKED, asks(call("call_nl1")), answers("call_nl1"), answers("call_cut")]).at).toBe("messages[3]");
});

test("orphan-result: a result without an id, where every call is answered", () => {
  expect(only([ASKED, asks(call("call_nl1")), answers("call_nl1"), answers(undefined)]).fix).toMatchInlineSnapshot(
    `"Give messages[3] the tool_call_id of the call it answers."`,
  );
});

test("duplicate-id: two calls of one turn under one id", () => {
  expect(
    only([ASKED, asks(call("call_nl1"), call("call_nl1", "platforms")), answers("call_nl1")]),
  ).toMatchInlineSnapshot(`
    {
      "at": "messages[1].tool_calls[1]",
      "fix": "Give each call of the turn the id the model gave it: call_nl1 is used by 2 calls.",
      "message": "Duplicate value for 'tool_call_id' of call_nl1 in message[1]",
      "rule": "openai-chat/duplicate-id",
      "severity": "error",
      "source": "https://github.com/BerriAI/litellm/issues/10083 (wording as quoted from DeepSeek)",
    }
  `);
  const later = [asks(call("call_nl1")), answers("call_nl1")];
  expect(check([ASKED, ...later, ...later, SPOKEN])).toEqual([]);
});

test("duplicate-id: two results for one call", () => {
  expect(only([ASKED, asks(call("call_nl1")), answers("call_nl1"), answers("call_nl1", "[]")])).toMatchInlineSnapshot(`
    {
      "at": "messages[3]",
      "fix": "Append one tool message for call_nl1: messages[2] answers it already.",
      "message": "Duplicate value for 'tool_call_id' of call_nl1 in message[3]",
      "rule": "openai-chat/duplicate-id",
      "severity": "error",
      "source": "https://github.com/BerriAI/litellm/issues/10083 (wording as quoted from DeepSeek)",
    }
  `);
});

test("call-id-length: an id of more than 40 characters", () => {
  const id = `call_${"nl".repeat(18)}`;
  expect(only([ASKED, asks(call(id)), answers(id)])).toMatchInlineSnapshot(`
    {
      "at": "messages[1].tool_calls[0]",
      "fix": "Shorten the id to 40 characters in the call and in its result.",
      "message": "Invalid 'messages[1].tool_calls[0].id': string too long. Expected a string with maximum length 40, but got a string with length 41 instead.",
      "rule": "openai-chat/call-id-length",
      "severity": "error",
      "source": "https://github.com/vercel/ai/issues/8132",
    }
  `);
  expect(check([ASKED, asks(call(id.slice(0, 40))), answers(id.slice(0, 40))])).toEqual([]);
});

test("call-name: a call without a name", () => {
  expect(only([ASKED, asks(call("call_nl1", "")), answers("call_nl1")])).toMatchInlineSnapshot(`
    {
      "at": "messages[1].tool_calls[0]",
      "fix": "Append the call with the name the model gave it; where it gave none, leave the whole turn out.",
      "message": "Invalid 'messages[1].tool_calls[0].function.name': empty string. Expected a string with minimum length 1, but got an empty string instead.",
      "rule": "openai-chat/call-name",
      "severity": "error",
      "source": "https://github.com/continuedev/continue/issues/11645",
    }
  `);
  const custom = { id: "call_nl2", type: "custom", custom: { name: "", input: "Delft" } };
  expect(only([ASKED, asks(custom), answers("call_nl2")]).message).toContain("'messages[1].tool_calls[0].custom.name'");
  expect(check([ASKED, asks(call("call_nl1", "d")), answers("call_nl1")])).toEqual([]);
});

test("tool-name: a called name outside the pattern", () => {
  expect(only([ASKED, asks(call("call_nl1", "rail.departures")), answers("call_nl1")])).toMatchInlineSnapshot(`
    {
      "at": "messages[1].tool_calls[0]",
      "fix": "Use letters, digits, underscores and dashes only; map the name back when the model calls it.",
      "message": "Invalid 'messages[1].tool_calls[0].function.name': string does not match pattern. Expected a string that matches the pattern '^[a-zA-Z0-9_-]+$'.",
      "rule": "openai-chat/tool-name",
      "severity": "error",
      "source": "https://github.com/openai/codex/issues/8174",
    }
  `);
  expect(check([ASKED, asks(call("call_nl1", "rail-departures_2")), answers("call_nl1")])).toEqual([]);
});

test("tool-name: an offered name outside the pattern", () => {
  const tool = (name: string) => ({ type: "function", function: { name, parameters: { type: "object" } } });
  expect(only({ messages: [ASKED], tools: [tool("departures"), tool("rail departures")] })).toMatchInlineSnapshot(`
    {
      "at": "tools[1]",
      "fix": "Use letters, digits, underscores and dashes only; map the name back when the model calls it.",
      "message": "Invalid 'tools[1].function.name': string does not match pattern. Expected a string that matches the pattern '^[a-zA-Z0-9_-]+$'.",
      "rule": "openai-chat/tool-name",
      "severity": "error",
      "source": "https://github.com/openai/codex/issues/8174",
    }
  `);
  expect(check({ messages: [ASKED], tools: [tool("departures"), { type: "web_search" }] })).toEqual([]);
});

test("tool-name: an offered name of more than 64 characters is a warning", () => {
  const tools = [{ type: "function", function: { name: "departures_".repeat(6) } }];
  expect(only([ASKED], { tools })).toMatchInlineSnapshot(`
    {
      "at": "tools[0]",
      "fix": "Shorten the name to 64 characters.",
      "message": "Invalid 'tools[0].function.name': string too long. Expected a string with maximum length 64, but got a string with length 66 instead.",
      "rule": "openai-chat/tool-name",
      "severity": "warn",
      "source": "https://platform.openai.com/docs/api-reference/chat/create (64 characters; not read in an answer of the API)",
    }
  `);
  expect(check([ASKED], { tools: [{ type: "function", function: { name: "d".repeat(64) } }] })).toEqual([]);
});

test("tool-name-duplicate: two offered tools of one name", () => {
  const tool = { type: "function", function: { name: "departures" } };
  expect(only([ASKED], { tools: [tool, tool] })).toMatchInlineSnapshot(`
    {
      "at": "tools[1]",
      "fix": "Rename tools[1] or tools[0].",
      "message": "Tool names must be unique: 'departures' is offered twice.",
      "rule": "openai-chat/tool-name-duplicate",
      "severity": "error",
      "source": "https://platform.openai.com/docs/api-reference/chat/create",
    }
  `);
});

test("tool-name-duplicate: two names that sanitising makes one are a warning", () => {
  const tools = [{ name: "rail_departures" }, { name: "rail.departures" }].map((tool) => ({ function: tool }));
  expect(check([ASKED], { tools }).map(({ severity, rule }) => `${severity} ${rule}`)).toEqual([
    "error openai-chat/tool-name",
    "warn openai-chat/tool-name-duplicate",
  ]);
  expect(check([ASKED], { tools })[1]).toMatchInlineSnapshot(`
    {
      "at": "tools[1]",
      "fix": "Rename tools[1] or tools[0], so that a call names one of them.",
      "message": "'rail.departures' and 'rail_departures' are one name once characters the API refuses are replaced: 'rail_departures'.",
      "rule": "openai-chat/tool-name-duplicate",
      "severity": "warn",
      "source": "https://github.com/NVIDIA/NeMo-Agent-Toolkit/pull/1215",
    }
  `);
});

test("tool-count: more than 128 tools", () => {
  const tools = Array.from({ length: 129 }, (_, index) => ({ function: { name: `line_${index}` } }));
  expect(only([ASKED], { tools })).toMatchInlineSnapshot(`
    {
      "at": "tools",
      "fix": "Offer at most 128 tools in one request.",
      "message": "Invalid 'tools': array too long. Expected an array with maximum length 128, but got an array with length 129 instead.",
      "rule": "openai-chat/tool-count",
      "severity": "warn",
      "source": "https://platform.openai.com/docs/api-reference/chat/create (128 tools; not read in an answer of the API)",
    }
  `);
  expect(check([ASKED], { tools: tools.slice(1) })).toEqual([]);
});

test("args-type: arguments that are no text", () => {
  expect(
    only([ASKED, asks(call("call_nl1", "departures", { station: "Delft" })), answers("call_nl1")]),
  ).toMatchInlineSnapshot(`
    {
      "at": "messages[1].tool_calls[0]",
      "fix": "Append the arguments as the model wrote them, as text: "{\\"station\\":\\"Delft\\"}".",
      "message": "Invalid type for 'messages[1].tool_calls[0].function.arguments': expected a string, but got an object instead.",
      "rule": "openai-chat/args-type",
      "severity": "error",
      "source": "https://platform.openai.com/docs/api-reference/chat/create",
    }
  `);
});

test("args-json: arguments that are no JSON are a warning that shows where they break", () => {
  expect(
    only([ASKED, asks(call("call_nl1", "departures", '{"station": Delft}')), answers("call_nl1")]),
  ).toMatchInlineSnapshot(`
    {
      "at": "messages[1].tool_calls[0]",
      "fix": "Answer the call with an error result; for backends that refuse the text, send "{}" in its place. It stops being JSON at offset 12: "{\\"station\\": Delft}".",
      "message": "The "function.arguments" parameter of messages[1].tool_calls[0] must be in JSON format. (OpenAI accepts it; DashScope, Ollama and vLLM refuse.)",
      "rule": "openai-chat/args-json",
      "severity": "warn",
      "source": "https://github.com/JetBrains/koog/pull/2070",
    }
  `);
  expect(only([ASKED, asks(call("call_nl1", "departures", "")), answers("call_nl1")]).fix).toMatchInlineSnapshot(
    `"Append "{}" where the model sent no arguments."`,
  );
  expect(check([ASKED, asks(call("call_nl1", "departures", "{}")), answers("call_nl1")])).toEqual([]);
});

test("args-double-encoded: JSON inside JSON is a warning", () => {
  const twice = JSON.stringify(JSON.stringify({ station: "Delft" }));
  expect(only([ASKED, asks(call("call_nl1", "departures", twice)), answers("call_nl1")])).toMatchInlineSnapshot(`
    {
      "at": "messages[1].tool_calls[0]",
      "fix": "Append the arguments as the model wrote them; do not stringify them again.",
      "message": "messages[1].tool_calls[0].function.arguments is JSON inside JSON: parsed once, it is still a string.",
      "rule": "openai-chat/args-double-encoded",
      "severity": "warn",
      "source": "https://github.com/openclaw/openclaw/pull/96717",
    }
  `);
});

test("result-content-type: content that is no text", () => {
  expect(only([ASKED, asks(call("call_nl1")), answers("call_nl1", { trains: 2 })])).toMatchInlineSnapshot(`
    {
      "at": "messages[2]",
      "fix": "Write the result as text: content: "{\\"trains\\":2}".",
      "message": "Invalid type for 'messages[2].content': expected a string, but got an object instead.",
      "rule": "openai-chat/result-content-type",
      "severity": "error",
      "source": "https://github.com/SAP/ai-sdk-js/pull/2188",
    }
  `);
  const image = { type: "image_url", image_url: { url: "https://rail.example/map.png" } };
  expect(only([ASKED, asks(call("call_nl1")), answers("call_nl1", [image])])).toMatchInlineSnapshot(`
    {
      "at": "messages[2]",
      "fix": "Keep the text in messages[2], and send the image in a user message after the results.",
      "message": "Invalid value for 'messages[2].content[0]': tool messages take text parts only, found image.",
      "rule": "openai-chat/result-content-type",
      "severity": "error",
      "source": "https://github.com/SAP/ai-sdk-js/pull/2188",
    }
  `);
  const found = [undefined, null, 2, true, []].map((content) => {
    const { message, fix } = only([ASKED, asks(call("call_nl1")), { ...answers("call_nl1"), content }]);
    return `${message.split("expected ")[1]} ${fix}`;
  });
  expect(found).toMatchInlineSnapshot(`
    [
      "a string, but got nothing instead. Write the result as text: content: "".",
      "a string, but got null instead. Write the result as text: content: "".",
      "a string, but got an integer instead. Write the result as text: content: "2".",
      "a string, but got a boolean instead. Write the result as text: content: "true".",
      "a string, but got an empty array instead. Write the result as text: content: "".",
    ]
  `);
  expect(check([ASKED, asks(call("call_nl1")), answers("call_nl1", [{ type: "text", text: "19:04" }])])).toEqual([]);
  expect(check([ASKED, asks(call("call_nl1")), answers("call_nl1", "")])).toEqual([]);
});

test("empty-tool-calls: a turn with an empty list of calls", () => {
  expect(only([ASKED, { ...SPOKEN, tool_calls: [] }])).toMatchInlineSnapshot(`
    {
      "at": "messages[1].tool_calls",
      "fix": "Leave tool_calls out when the turn has no calls.",
      "message": "Invalid 'messages[1].tool_calls': empty array. Expected an array with minimum length 1, but got an empty array instead.",
      "rule": "openai-chat/empty-tool-calls",
      "severity": "error",
      "source": "https://github.com/openai/openai-node/pull/1341",
    }
  `);
  expect(check([ASKED, { ...SPOKEN, tool_calls: null }])).toEqual([]);
});

test("content-null: null where somebody should speak", () => {
  expect(only([{ role: "user", content: null }])).toMatchInlineSnapshot(`
    {
      "at": "messages[0].content",
      "fix": "Write "" where there is nothing to say; null is for assistant turns with calls.",
      "message": "Invalid value for 'content': expected a string, got null. (messages.[0].content)",
      "rule": "openai-chat/content-null",
      "severity": "error",
      "source": "https://github.com/langchain4j/langchain4j/issues/1105",
    }
  `);
  expect(only([ASKED, { role: "assistant", content: null }]).at).toBe("messages[1].content");
});

test("reasoning-content: a turn with calls comes back to DeepSeek without its thoughts", () => {
  const turn = asks(call("call_00_nl1"));
  const options = { profile: "deepseek-thinking" };
  expect(only([ASKED, turn, answers("call_00_nl1")], options)).toMatchInlineSnapshot(`
    {
      "at": "messages[1]",
      "fix": "Append the turn as the model spoke it: with its reasoning_content beside tool_calls.",
      "message": "The \`reasoning_content\` in the thinking mode must be passed back to the API.",
      "rule": "openai-chat/reasoning-content",
      "severity": "error",
      "source": "https://github.com/AgentiLoop/Agent/issues/22",
    }
  `);
  expect(check([ASKED, { ...turn, reasoning_content: "Delft has one." }, answers("call_00_nl1")], options)).toEqual([]);
  expect(check([ASKED, turn, answers("call_00_nl1")])).toEqual([]);
});

const open = asks(call("call_nl1"));

test("stage: a history that ends with calls is a request, unless the model has just spoken", () => {
  expect(only([ASKED, open]).rule).toBe("openai-chat/unanswered-call");
  expect(only([ASKED, open], { stage: "request" }).rule).toBe("openai-chat/unanswered-call");
  expect(check([ASKED, open], { stage: "after-model" })).toEqual([]);
  expect(only([ASKED, open, open], { stage: "after-model" }).at).toBe("messages[1].tool_calls[0]");
});

test("violations stand in the order of the rules, each fault once", () => {
  const long = `call_${"nl".repeat(18)}`;
  const messages = [ASKED, asks(call(long, "", {})), ASKED, answers(long, 5), { role: "user", content: null }];
  expect(check(messages).map(({ rule }) => rule)).toEqual([
    "openai-chat/not-adjacent",
    "openai-chat/call-id-length",
    "openai-chat/call-name",
    "openai-chat/args-type",
    "openai-chat/result-content-type",
    "openai-chat/content-null",
  ]);
});

const accepted: Record<string, unknown[]> = {
  "a developer message and system messages between turns": [
    { role: "developer", content: "Answer briefly." },
    ASKED,
    open,
    answers("call_nl1"),
    { role: "system", content: "Trains are on time." },
    SPOKEN,
  ],
  "consecutive user messages": [ASKED, ASKED, SPOKEN, ASKED],
  "images, audio and files from the user": [
    {
      role: "user",
      content: [
        { type: "text", text: "What does this sign say?" },
        { type: "image_url", image_url: { url: "data:image/png;base64,iVBORw0KGgo=", detail: "low" } },
        { type: "input_audio", input_audio: { data: "UklGRg==", format: "wav" } },
        { type: "file", file: { file_id: "file-timetable" } },
      ],
    },
    SPOKEN,
  ],
  "a refusal with null content": [ASKED, { role: "assistant", content: null, refusal: "I cannot sell tickets." }],
  "a refusal as a part": [ASKED, { role: "assistant", content: [{ type: "refusal", refusal: "I cannot." }] }],
  "an answer in audio with null content": [ASKED, { role: "assistant", content: null, audio: { id: "audio_1" } }],
  "content absent beside calls": [ASKED, { role: "assistant", tool_calls: open.tool_calls }, answers("call_nl1")],
  "content empty beside calls": [ASKED, { ...open, content: "" }, answers("call_nl1")],
  "words beside calls": [ASKED, { ...open, content: "Let me look." }, answers("call_nl1"), SPOKEN],
  "a custom tool": [
    ASKED,
    asks({ id: "call_nl1", type: "custom", custom: { name: "grep", input: "not {json" } }),
    answers("call_nl1"),
  ],
  "reasoning under either name": [
    ASKED,
    { ...open, reasoning_content: "One line." },
    answers("call_nl1"),
    { ...SPOKEN, reasoning: "Two trains.", reasoning_details: [{ type: "reasoning.text" }] },
  ],
  "the function calling of 2023": [
    ASKED,
    { role: "assistant", content: null, function_call: { name: "departures", arguments: "{}" } },
    { role: "function", name: "departures", content: "[]" },
    { role: "assistant", content: null, function_call: { name: "departures", arguments: "{}" } },
    { role: "function", name: "departures", content: null },
    SPOKEN,
  ],
  "a function call of 2023 that nothing answers": [
    ASKED,
    { role: "assistant", content: null, function_call: { name: "departures", arguments: "{}" } },
    ASKED,
    { role: "function", name: "departures", content: "[]" },
  ],
  "cache markers, names and fields nobody knows": [
    { role: "system", content: [{ type: "text", text: "Be brief.", cache_control: { type: "ephemeral" } }] },
    { ...ASKED, name: "saskia", trace: 7 },
    { ...open, extra_content: { google: { thought_signature: "sig" } } },
    { ...answers("call_nl1"), name: "departures", is_error: true },
  ],
  "an id as long as any, in any script": [ASKED, asks(call("zug_Ä".repeat(8))), answers("zug_Ä".repeat(8))],
  "one id again in a later turn": [ASKED, open, answers("call_nl1"), open, answers("call_nl1"), SPOKEN],
  "nothing at all": [],
};

test.each(Object.entries(accepted))("accepts %s", (_, messages) => {
  expect(check(messages)).toEqual([]);
});
