import { expect, test } from "vitest";
import {
  type CheckOptions,
  checkConversation,
  formatConversation,
  readConversation,
  type Violation,
} from "../../../src/conversation.js";

const ASKED = { role: "user", content: "When does the ferry leave?" };
const SPOKEN = { role: "assistant", content: "At ten past." };
const WORDS = { type: "text", text: "Let me look." };

function use(id: string) {
  return { type: "tool_use", id, name: "ferries", input: { quay: "Pontsteiger" } };
}

function result(id: string, content: unknown = "14:10") {
  return { type: "tool_result", tool_use_id: id, content };
}

const asks = (...content: unknown[]) => ({ role: "assistant", content });
const says = (...content: unknown[]) => ({ role: "user", content });

function check(messages: unknown, options?: CheckOptions): Violation[] {
  return checkConversation(messages, "anthropic", options);
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

/** A call without one of its fields, or with another value in it, and its result. */
function calling(changed: Record<string, unknown>) {
  const call = Object.fromEntries(
    Object.entries({ ...use("toolu_fe1"), ...changed }).filter(([, value]) => value !== undefined),
  );
  return [ASKED, asks(call), says(result("toolu_fe1"))];
}

test("role: one the API does not know, and none", () => {
  const said = (role: unknown) => [ASKED, { role, content: "At ten past." }];
  expect(
    [said("bot"), said("developer"), said(undefined), said(7)].map((messages) => only(messages)),
  ).toMatchInlineSnapshot(`
    [
      "warn anthropic/unknown-role at messages[1].role: messages: Unexpected role "bot". Allowed roles are "user" or "assistant"",
      "warn anthropic/unknown-role at messages[1].role: messages: Unexpected role "developer". Allowed roles are "user" or "assistant"",
      "error anthropic/role at messages[1].role: messages.1.role: Field required",
      "error anthropic/role at messages[1].role: messages.1.role: Input should be a valid string",
    ]
  `);
  expect(only([ASKED, { content: "At ten past." }])).toContain("messages.1.role: Field required");
  expect(fixes(said("bot"))).toMatchInlineSnapshot(`
    [
      "Write role: "assistant" for what the model said, "user" for what it is told and for tool_result blocks.",
    ]
  `);
  expect(check([ASKED, SPOKEN, ASKED, { role: "system", content: "Be brief." }])).toEqual([]);
});

test("role: a turn and results under roles nobody knows are a fault each, whatever they hold", () => {
  const turn = { ...asks(use("toolu_fe1")), role: "model" };
  expect(only([ASKED, turn, says(result("toolu_fe1")), SPOKEN])).toContain('Unexpected role "model"');
  const results = { ...says(result("toolu_fe1")), role: "function" };
  expect(only([ASKED, asks(use("toolu_fe1")), results, SPOKEN])).toContain('Unexpected role "function"');
  expect(only([ASKED, asks(use("toolu_fe1")), { ...results, role: "tool" }, SPOKEN])).toContain(
    "anthropic/result-role",
  );
});

test("system-first: the system prompt as first message", () => {
  const system = { role: "system", content: "Be brief." };
  expect(only([system, ASKED, SPOKEN])).toMatchInlineSnapshot(
    `"warn anthropic/system-first at messages[0]: messages.0: use the top-level 'system' parameter for the initial system prompt"`,
  );
  expect(fixes([system, ASKED])).toMatchInlineSnapshot(`
    [
      "Send the text of messages[0] as system, beside messages.",
    ]
  `);
  expect(check([ASKED, system, SPOKEN])).toEqual([]);
});

test("content-type: content that is neither text nor a list, and none", () => {
  const contents = [undefined, null, 7, { type: "text", text: "At ten past." }];
  expect(contents.map((content) => only([ASKED, { role: "assistant", content }]))).toMatchInlineSnapshot(`
    [
      "error anthropic/content-type at messages[1].content: messages.1.content: Field required",
      "error anthropic/content-type at messages[1].content: messages.1.content: Input should be a valid array",
      "error anthropic/content-type at messages[1].content: messages.1.content: Input should be a valid array",
      "error anthropic/content-type at messages[1].content: messages.1.content: Input should be a valid array",
    ]
  `);
  expect(contents.flatMap((content) => fixes([{ role: "user", content }, SPOKEN]))).toMatchInlineSnapshot(`
    [
      "Leave the message out, or say something in it.",
      "Leave the message out, or say something in it.",
      "Write the content as text or as blocks, found 7.",
      "Write the content as text or as blocks, found {"type":"text","text":"At ten past."}.",
    ]
  `);
  expect(only([{ role: "user" }, SPOKEN])).toContain("messages.0.content: Field required");
  expect(only([{ role: "user", content: "" }, SPOKEN])).toContain("anthropic/empty-content");
  expect(check([ASKED, { role: "assistant", content: [] }])).toEqual([]);
});

test("block-shape: a call without a name", () => {
  expect([undefined, 7, ""].map((name) => only(calling({ name })))).toMatchInlineSnapshot(`
    [
      "error anthropic/block-shape at messages[1].content[0].name: messages.1.content.0.tool_use.name: Field required",
      "error anthropic/block-shape at messages[1].content[0].name: messages.1.content.0.tool_use.name: Input should be a valid string",
      "error anthropic/block-shape at messages[1].content[0].name: messages.1.content.0.tool_use.name: String should have at least 1 character",
    ]
  `);
  expect(fixes(calling({ name: "" }))).toMatchInlineSnapshot(`
    [
      "Append the call with the name the model gave it; where it gave none, leave the whole turn out.",
    ]
  `);
});

test("call-id-format and input-not-object: what is missing is named as missing", () => {
  const { id: _, ...nameless } = use("");
  expect(only([ASKED, asks(nameless), says(result("toolu_fe1"))])).toMatchInlineSnapshot(
    `"error anthropic/call-id-format at messages[1].content[0]: messages.1.content.0.tool_use.id: Field required"`,
  );
  expect(only([ASKED, asks({ ...nameless, id: 7 })])).toContain("tool_use.id: Input should be a valid string");
  expect(only([ASKED, asks({ ...nameless, id: "" })])).toContain("tool_use.id: String should match pattern");
  expect(only(calling({ input: undefined }))).toMatchInlineSnapshot(
    `"error anthropic/input-not-object at messages[1].content[0]: messages.1.content.0.tool_use.input: Field required"`,
  );
  expect(only(calling({ input: "{}" }))).toContain("tool_use.input: Input should be a valid dictionary");
});

test("result-id-required: a result whose id is no string", () => {
  const answer = { ...result(""), tool_use_id: 7 };
  expect(only([ASKED, asks(use("toolu_fe1")), says(answer)])).toContain("anthropic/result-id-required");
});

test("block-shape: text, images and documents without what their type holds", () => {
  const blocks = [
    { type: "text" },
    { type: "text", text: { value: "Hello" } },
    { type: "image" },
    { type: "image", image_url: { url: "https://ferries.example/quay.png" } },
    { type: "document", source: "https://ferries.example/times.pdf" },
  ];
  expect(blocks.map((block) => only([says(block), SPOKEN]))).toMatchInlineSnapshot(`
    [
      "error anthropic/block-shape at messages[0].content[0].text: messages.0.content.0.text.text: Field required",
      "error anthropic/block-shape at messages[0].content[0].text: messages.0.content.0.text.text: Input should be a valid string",
      "error anthropic/block-shape at messages[0].content[0].source: messages.0.content.0.image.source: Field required",
      "error anthropic/block-shape at messages[0].content[0].source: messages.0.content.0.image.source: Field required",
      "error anthropic/block-shape at messages[0].content[0].source: messages.0.content.0.document.source: Input should be an object",
    ]
  `);
  expect(blocks.flatMap((block) => fixes([says(block)]))).toMatchInlineSnapshot(`
    [
      "Write the text as a string, and leave the block out where there is nothing to say.",
      "Write the text as a string, and leave the block out where there is nothing to say.",
      "Write source: { type: "base64", media_type, data }.",
      "Write source: { type: "base64", media_type, data }.",
      "Write source: { type: "base64", media_type, data }.",
    ]
  `);
  expect(only([says({ type: "text", text: "" }), SPOKEN])).toContain("anthropic/empty-text");
});

test("block-shape: blocks without a type, and no blocks at all", () => {
  const blocks = [{ text: "Hello" }, { type: null, text: "Hello" }, "Hello", 7, null];
  expect(blocks.map((block) => only([says(block), SPOKEN]))).toMatchInlineSnapshot(`
    [
      "error anthropic/block-shape at messages[0].content[0].type: messages.0.content.0.type: Field required",
      "error anthropic/block-shape at messages[0].content[0].type: messages.0.content.0.type: Input should be a valid string",
      "error anthropic/block-shape at messages[0].content[0]: messages.0.content.0: Input should be an object",
      "error anthropic/block-shape at messages[0].content[0]: messages.0.content.0: Input should be an object",
      "error anthropic/block-shape at messages[0].content[0]: messages.0.content.0: Input should be an object",
    ]
  `);
  expect(blocks.flatMap((block) => fixes([says(block)]))).toMatchInlineSnapshot(`
    [
      "Give the block its type: { type: "text", text: … }.",
      "Give the block its type: { type: "text", text: … }.",
      "Write { type: "text", text: "Hello" }.",
      "Write { type: "text", text: "7" }.",
      "Write { type: "text", text: "null" }.",
    ]
  `);
});

test("block-shape: parts of another API", () => {
  const types = ["image_url", "input_text", "refusal", "tool-call"];
  const found = types.map((type) => only([says(WORDS, { type }), SPOKEN]));
  expect(found[0]).toMatchInlineSnapshot(
    `"error anthropic/block-shape at messages[0].content[1].type: messages.0.content.1: Input tag 'image_url' found using 'type' does not match any of the expected tags: 'document', 'image', 'redacted_thinking', 'search_result', 'server_tool_use', 'text', 'thinking', 'tool_result', 'tool_use', …"`,
  );
  expect(found).toEqual(types.map((type) => found[0]!.replace("'image_url'", `'${type}'`)));
});

test("block-shape: a tool that returns a list of objects is one fault", () => {
  const rows = [{ leaves: "14:10" }, { leaves: "14:20" }];
  expect(only([ASKED, asks(use("toolu_fe1")), says(result("toolu_fe1", rows))])).toMatchInlineSnapshot(
    `"error anthropic/block-shape at messages[2].content[0].content[0].type: messages.2.content.0.content.0.type: Field required"`,
  );
  expect(only([ASKED, asks(use("toolu_fe1")), says(result("toolu_fe1", ["14:10"]))])).toContain("should be an object");
  expect(check([ASKED, asks(use("toolu_fe1")), says(result("toolu_fe1", [WORDS]))])).toEqual([]);
});

test("block-type: a type nobody knows is a warning, because the API learns new ones", () => {
  expect(only([says(WORDS, { type: "hologram" }), SPOKEN])).toMatchInlineSnapshot(
    `"warn anthropic/block-type at messages[0].content[1].type: messages.0.content.1: Input tag 'hologram' found using 'type' does not match any of the expected tags: 'document', 'image', 'redacted_thinking', 'search_result', 'server_tool_use', 'text', 'thinking', 'tool_result', 'tool_use', …"`,
  );
  expect(fixes([says(WORDS, { type: "hologram" }), SPOKEN])).toMatchInlineSnapshot(`
    [
      "Check the spelling of the type. Where the API knows the block and this package does not, nothing is to be done.",
    ]
  `);
  const called = [ASKED, asks(use("toolu_fe1")), says(result("toolu_fe1", [{ type: "hologram" }]))];
  expect(only(called)).toContain("messages.2.content.0.content.0: Input tag 'hologram'");
});

const known = [
  { type: "search_result", source: "https://ferries.example", title: "Times", content: [] },
  { type: "container_upload", file_id: "file_1" },
  { type: "compaction", content: "The user wants to cross." },
  { type: "fallback", from: { model: "one" }, to: { model: "other" } },
  { type: "bash_code_execution_tool_result", tool_use_id: "srvtoolu_fe1", content: {} },
];

test.each(known)("block-type: $type is known", (block) => {
  const server = { type: "server_tool_use", id: "srvtoolu_fe1", name: "bash_code_execution", input: {} };
  expect(check([ASKED, asks(server, block, WORDS)])).toEqual([]);
});

test("split-turn: calls in two assistant messages are combined into one turn, and the results behind answer both", () => {
  const turns = [asks(WORDS, use("toolu_fe1")), asks(use("toolu_fe2"))];
  const answered = [ASKED, ...turns, says(result("toolu_fe1"), result("toolu_fe2")), SPOKEN];
  expect(only(answered)).toMatchInlineSnapshot(
    `"warn anthropic/split-turn at messages[2]: messages.2: the calls of one turn stand in several assistant messages. The API combines them; Bedrock Converse, and proxies that translate, do not."`,
  );
  expect(fixes(answered)).toMatchInlineSnapshot(`
    [
      "Append the turn as the model spoke it: its blocks in one message, messages[1].",
    ]
  `);
  expect(check([ASKED, asks(use("toolu_fe1"), use("toolu_fe2")), ...answered.slice(3)])).toEqual([]);
  expect(check([ASKED, asks(WORDS), asks(use("toolu_fe1")), says(result("toolu_fe1"))])).toEqual([]);
});

test("split-turn: of the combined turn every call has to be answered", () => {
  const turns = [asks(use("toolu_fe1")), asks(use("toolu_fe2"))];
  const open = check([ASKED, ...turns, says(result("toolu_fe2"))]).filter(({ severity }) => severity === "error");
  expect(open.map(({ at, message }) => `${at} ${message}`)).toMatchInlineSnapshot(`
    [
      "messages[1].content[0] messages.1: \`tool_use\` ids were found without \`tool_result\` blocks immediately after: toolu_fe1. Each \`tool_use\` block must have a corresponding \`tool_result\` block in the next message.",
    ]
  `);
});

test("split-turn: words behind a call part it from its result, because the combined turn is reported as refused", () => {
  const messages = [ASKED, asks(use("toolu_fe1")), SPOKEN, says(result("toolu_fe1"))];
  expect(only(messages)).toContain("anthropic/unanswered-call at messages[1].content[0]");
  const between = [ASKED, asks(use("toolu_fe1")), asks(WORDS, use("toolu_fe2"))];
  const [first] = check([...between, says(result("toolu_fe1"), result("toolu_fe2"))]);
  expect(first).toMatchObject({ rule: "anthropic/unanswered-call", at: "messages[1].content[0]" });
});

const malformed: Record<string, unknown[]> = {
  "a call without its fields": [ASKED, asks({ type: "tool_use" })],
  "a result without its fields": [ASKED, asks(use("toolu_fe1")), says({ type: "tool_result" })],
  "blocks without a type beside a call": [says({ text: "Hello" }), asks(use("toolu_fe1"))],
  "a role nobody knows": [ASKED, asks(use("toolu_fe1")), { ...says(result("toolu_fe1")), role: "bot" }],
};

test.each(Object.entries(malformed))("%s is read, recognised and shown", (_, messages) => {
  expect(readConversation(messages).dialect).toBe("anthropic");
  expect(check(messages).length).toBeGreaterThan(0);
  expect(formatConversation(messages).split("\n")).toHaveLength(messages.length);
});
