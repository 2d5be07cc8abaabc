import { expect, test } from "vitest";
import { type AssistantTurn, type CheckOptions, checkConversation, type Violation } from "../../../src/conversation.js";

const ASKED = { role: "user", content: "Is the bakery open?" };
const SPOKEN = { role: "assistant", content: "Until six." };
const WORDS = { type: "text", text: "Let me look." };

function use(id: unknown, input: unknown = { shop: "bakery" }) {
  return { type: "tool_use", id, name: "opening_hours", input };
}

function result(id: unknown, content: unknown = "08:00-18:00") {
  return { type: "tool_result", tool_use_id: id, content };
}

const asks = (...content: unknown[]) => ({ role: "assistant", content });
const says = (...content: unknown[]) => ({ role: "user", content });

function check(messages: unknown, options?: CheckOptions): Violation[] {
  return checkConversation(messages, "anthropic", options);
}

/** The one violation of a conversation; more or fewer are a failure of their own. */
function only(messages: unknown, options?: CheckOptions): Violation {
  const [violation, ...more] = check(messages, options);
  expect(violation, "a violation").toBeDefined();
  expect(more).toEqual([]);
  return violation!;
}

test("unanswered-call: a call without a result in the next message", () => {
  expect(
    only([ASKED, asks(WORDS, use("toolu_ba1"), use("toolu_ba2")), says(result("toolu_ba1"))]),
  ).toMatchInlineSnapshot(`
    {
      "at": "messages[1].content[2]",
      "fix": "Add { type: "tool_result", tool_use_id: "toolu_ba2", content: "…" } beside messages[2].content[0]: all results of a turn belong in one message.",
      "message": "messages.1: \`tool_use\` ids were found without \`tool_result\` blocks immediately after: toolu_ba2. Each \`tool_use\` block must have a corresponding \`tool_result\` block in the next message.",
      "rule": "anthropic/unanswered-call",
      "severity": "error",
      "source": "https://github.com/anthropics/claude-code/issues/5989",
    }
  `);
  expect(
    check([ASKED, asks(use("toolu_ba1"), use("toolu_ba2")), says(result("toolu_ba2"), result("toolu_ba1"))]),
  ).toEqual([]);
});

test("unanswered-call: a result one message too late", () => {
  expect(only([ASKED, asks(use("toolu_ba1")), ASKED, SPOKEN, says(result("toolu_ba1"))])).toMatchInlineSnapshot(`
    {
      "at": "messages[1].content[0]",
      "fix": "Put the result of toolu_ba1 (messages[4].content[0]) into the message directly after messages[1]: messages[2] stands between.",
      "message": "messages.1: \`tool_use\` ids were found without \`tool_result\` blocks immediately after: toolu_ba1. Each \`tool_use\` block must have a corresponding \`tool_result\` block in the next message.",
      "rule": "anthropic/unanswered-call",
      "severity": "error",
      "source": "https://github.com/anthropics/claude-code/issues/5989",
    }
  `);
});

test("unanswered-call: a result under a wrong id is the same fault, and the fix names both ends", () => {
  expect(only([ASKED, asks(use("toolu_ba1")), says(result("toolu_x"))])).toMatchInlineSnapshot(`
    {
      "at": "messages[1].content[0]",
      "fix": "Write tool_use_id: "toolu_ba1" into messages[2].content[0]: it answers toolu_x.",
      "message": "messages.1: \`tool_use\` ids were found without \`tool_result\` blocks immediately after: toolu_ba1. Each \`tool_use\` block must have a corresponding \`tool_result\` block in the next message.",
      "rule": "anthropic/unanswered-call",
      "severity": "error",
      "source": "https://github.com/anthropics/claude-code/issues/5989",
    }
  `);
});

test("orphan-result: a result whose turn is gone", () => {
  expect(only([says(result("toolu_cut")), SPOKEN])).toMatchInlineSnapshot(`
    {
      "at": "messages[0].content[0]",
      "fix": "Keep the assistant message that asked for toolu_cut directly before the result, or drop both.",
      "message": "messages.0.content.0: unexpected \`tool_use_id\` found in \`tool_result\` blocks: toolu_cut. Each \`tool_result\` block must have a corresponding \`tool_use\` block in the previous message.",
      "rule": "anthropic/orphan-result",
      "severity": "error",
      "source": "https://github.com/anthropics/claude-code/issues/13460",
    }
  `);
  expect(only([ASKED, asks(use("toolu_ba1")), says(result("toolu_ba1"), result("toolu_cut"))]).at).toBe(
    "messages[2].content[1]",
  );
});

test("results-not-leading: words before or between the results", () => {
  const turn = asks(use("toolu_ba1"), use("toolu_ba2"));
  expect(only([ASKED, turn, says(result("toolu_ba1"), WORDS, result("toolu_ba2"))])).toMatchInlineSnapshot(`
    {
      "at": "messages[2].content[1]",
      "fix": "The order is wrong, messages[2].content[1] stands before a result: put the tool_result blocks of messages[2] first, and its other blocks after them.",
      "message": "messages.1: \`tool_use\` ids were found without \`tool_result\` blocks immediately after: toolu_ba2. Each \`tool_use\` block must have a corresponding \`tool_result\` block in the next message.",
      "rule": "anthropic/results-not-leading",
      "severity": "error",
      "source": "https://github.com/langchain-ai/langchain-aws/issues/451",
    }
  `);
  expect(only([ASKED, turn, says(WORDS, result("toolu_ba1"), result("toolu_ba2"))]).at).toBe("messages[2].content[0]");
  expect(check([ASKED, turn, says(result("toolu_ba1"), result("toolu_ba2"), WORDS)])).toEqual([]);
});

test("split-results: one user message for each result is a warning, given once", () => {
  const turn = asks(use("toolu_ba1"), use("toolu_ba2"), use("toolu_ba3"));
  const [one, two, three] = ["toolu_ba1", "toolu_ba2", "toolu_ba3"].map((id) => says(result(id)));
  expect(only([ASKED, turn, one, two, three])).toMatchInlineSnapshot(`
    {
      "at": "messages[3]",
      "fix": "Move the tool_result blocks of messages[3], and of those after it, into messages[2].",
      "message": "messages.3: the results of one turn stand in several user messages. The API merges them, and the model learns to stop calling tools in parallel.",
      "rule": "anthropic/split-results",
      "severity": "warn",
      "source": "https://github.com/anthony-chaudhary/fak/issues/5797",
    }
  `);
  expect(check([ASKED, turn, says(result("toolu_ba1"), result("toolu_ba2"), result("toolu_ba3")), ASKED])).toEqual([]);
});

test("duplicate-call-id: an id that was used before, anywhere in the request", () => {
  const round = [asks(use("toolu_ba1")), says(result("toolu_ba1"))];
  expect(only([ASKED, ...round, ...round])).toMatchInlineSnapshot(`
    {
      "at": "messages[3].content[0]",
      "fix": "Append the call with the id the model gave it: toolu_ba1 is already used at messages[1].content[0].",
      "message": "messages.3.content.0: \`tool_use\` ids must be unique",
      "rule": "anthropic/duplicate-call-id",
      "severity": "error",
      "source": "https://github.com/anomalyco/opencode/issues/1279",
    }
  `);
  expect(only([ASKED, asks(use("toolu_ba1"), use("toolu_ba1")), says(result("toolu_ba1"))]).rule).toBe(
    "anthropic/duplicate-call-id",
  );
});

test("duplicate-result: two results for one call", () => {
  expect(
    only([ASKED, asks(use("toolu_ba1")), says(result("toolu_ba1"), result("toolu_ba1", "closed"))]),
  ).toMatchInlineSnapshot(`
    {
      "at": "messages[2].content[1]",
      "fix": "Keep one tool_result for toolu_ba1: messages[2].content[0] answers it already.",
      "message": "messages.2.content.1: each tool_use must have a single result. Found multiple \`tool_result\` blocks with id: toolu_ba1",
      "rule": "anthropic/duplicate-result",
      "severity": "error",
      "source": "https://docs.anthropic.com/en/api/errors (wording as quoted in eight independent projects)",
    }
  `);
});

test("call-id-format: an id from another provider", () => {
  expect(only([ASKED, asks(use("call|ba.1")), says(result("call|ba.1"))])).toMatchInlineSnapshot(`
    {
      "at": "messages[1].content[0]",
      "fix": "Keep the id the API gave, or map "call|ba.1" to one of that pattern, in the call and in its result alike.",
      "message": "messages.1.content.0.tool_use.id: String should match pattern '^[a-zA-Z0-9_-]+$'",
      "rule": "anthropic/call-id-format",
      "severity": "error",
      "source": "https://github.com/screenpipe/screenpipe/pull/3252",
    }
  `);
  expect(only([ASKED, asks(use("")), says(result(""))]).fix).toMatchInlineSnapshot(
    `"Keep the id the API gave, or map the empty id to one of that pattern, in the call and in its result alike."`,
  );
  expect(check([ASKED, asks(use("call_ba-1")), says(result("call_ba-1"))])).toEqual([]);
});

test("call-id-format: a server-run call has an id of its own kind", () => {
  const search = { type: "server_tool_use", id: "toolu_ba1", name: "web_search", input: {} };
  const found = { type: "web_search_tool_result", tool_use_id: "toolu_ba1", content: [] };
  expect(only([ASKED, asks(search, found, WORDS)])).toMatchInlineSnapshot(`
    {
      "at": "messages[1].content[0]",
      "fix": "Keep the id the API gave, or map "toolu_ba1" to one of that pattern, in the call and in its result alike.",
      "message": "messages.1.content.0.server_tool_use.id: String should match pattern '^srvtoolu_[a-zA-Z0-9_]+$'",
      "rule": "anthropic/call-id-format",
      "severity": "error",
      "source": "https://github.com/screenpipe/screenpipe/pull/3252",
    }
  `);
});

test("input-not-object: an input that is text, a list or nothing", () => {
  expect(only([ASKED, asks(use("toolu_ba1", '{"shop":"bakery"}')), says(result("toolu_ba1"))])).toMatchInlineSnapshot(`
    {
      "at": "messages[1].content[0]",
      "fix": "Append the call with its input as an object, {} where there is none: found "{\\"shop\\":\\"bakery\\"}".",
      "message": "messages.1.content.0.tool_use.input: Input should be a valid dictionary",
      "rule": "anthropic/input-not-object",
      "severity": "error",
      "source": "https://github.com/anthropics/anthropic-sdk-typescript/issues/648",
    }
  `);
  const fixes = [null, [], 7].map(
    (input) => only([ASKED, asks(use("toolu_ba1", input)), says(result("toolu_ba1"))]).fix,
  );
  expect(fixes).toMatchInlineSnapshot(`
    [
      "Append the call with its input as an object, {} where there is none: found null.",
      "Append the call with its input as an object, {} where there is none: found [].",
      "Append the call with its input as an object, {} where there is none: found 7.",
    ]
  `);
  expect(check([ASKED, asks(use("toolu_ba1", {})), says(result("toolu_ba1"))])).toEqual([]);
});

test("empty-error-result: a failure that says nothing", () => {
  const failed = (content: unknown) => says({ ...result("toolu_ba1", content), is_error: true });
  expect(only([ASKED, asks(use("toolu_ba1")), failed("")])).toMatchInlineSnapshot(`
    {
      "at": "messages[2].content[0]",
      "fix": "Say what failed: content: "The tool failed." will do.",
      "message": "messages.2.content.0.tool_result: content cannot be empty if \`is_error\` is true",
      "rule": "anthropic/empty-error-result",
      "severity": "error",
      "source": "https://github.com/bytedance/trae-agent/issues/230",
    }
  `);
  expect(only([ASKED, asks(use("toolu_ba1")), failed([])]).rule).toBe("anthropic/empty-error-result");
  expect(
    only([ASKED, asks(use("toolu_ba1")), says({ type: "tool_result", tool_use_id: "toolu_ba1", is_error: true })]).rule,
  ).toBe("anthropic/empty-error-result");
  expect(check([ASKED, asks(use("toolu_ba1")), failed("The line is dead.")])).toEqual([]);
});

test("empty-result: a result that says nothing is a warning", () => {
  expect(
    only([ASKED, asks(use("toolu_ba1")), says({ type: "tool_result", tool_use_id: "toolu_ba1" })]),
  ).toMatchInlineSnapshot(`
    {
      "at": "messages[2].content[0]",
      "fix": "Write something the model can read, such as "(no output)".",
      "message": "messages.2.content.0.tool_result: content is empty. The Messages API accepts it; behind Bedrock Converse it is refused.",
      "rule": "anthropic/empty-result",
      "severity": "warn",
      "source": "https://docs.anthropic.com/en/api/messages (content is optional)",
    }
  `);
});

test("result-content-type: content that is neither text nor blocks", () => {
  expect(only([ASKED, asks(use("toolu_ba1")), says(result("toolu_ba1", { open: true }))])).toMatchInlineSnapshot(`
    {
      "at": "messages[2].content[0]",
      "fix": "Write the result as text: content: JSON.stringify(…), found {"open":true}.",
      "message": "messages.2.content.0.tool_result.content: Input should be a valid string or list",
      "rule": "anthropic/result-content-type",
      "severity": "error",
      "source": "https://docs.anthropic.com/en/api/messages (ToolResultBlockParam)",
    }
  `);
});

test("result-role: results in a message that is not the user's", () => {
  expect(only([ASKED, asks(use("toolu_ba1")), asks(result("toolu_ba1"))])).toMatchInlineSnapshot(`
    {
      "at": "messages[2].content[0]",
      "fix": "Put the results into a message with role "user", as blocks { type: "tool_result", tool_use_id, content }: it has role "assistant".",
      "message": "messages.2: \`tool_result\` blocks can only be in \`user\` messages",
      "rule": "anthropic/result-role",
      "severity": "error",
      "source": "https://github.com/V1ki/dsh-plugin-subscriptions/issues/22 (wording as quoted in tests of several projects)",
    }
  `);
});

test("result-role: tool messages in the shape of another API are one fault", () => {
  const tool = (id: string) => ({ role: "tool", tool_call_id: id, content: "08:00-18:00" });
  expect(
    only([ASKED, asks(use("toolu_ba1"), use("toolu_ba2")), tool("toolu_ba1"), tool("toolu_ba2")]),
  ).toMatchInlineSnapshot(`
    {
      "at": "messages[2]",
      "fix": "Put the results into a message with role "user", as blocks { type: "tool_result", tool_use_id, content }: it has role "tool".",
      "message": "messages.2: \`tool_result\` blocks can only be in \`user\` messages",
      "rule": "anthropic/result-role",
      "severity": "error",
      "source": "https://github.com/V1ki/dsh-plugin-subscriptions/issues/22 (wording as quoted in tests of several projects)",
    }
  `);
});

test("call-role: a turn with calls under a role that is not the assistant's", () => {
  expect(only([ASKED, says(use("toolu_ba1")), says(result("toolu_ba1"))])).toMatchInlineSnapshot(`
    {
      "at": "messages[1].content[0]",
      "fix": "Append the turn that asked with role "assistant": messages[1] has role "user".",
      "message": "messages.1: \`tool_use\` blocks can only be in \`assistant\` messages",
      "rule": "anthropic/call-role",
      "severity": "error",
      "source": "https://github.com/V1ki/dsh-plugin-subscriptions/issues/22",
    }
  `);
});

test("result-id-required: a result without an id", () => {
  const nameless = { type: "tool_result", content: "08:00-18:00" };
  expect(only([ASKED, asks(use("toolu_ba1")), says(nameless)])).toMatchInlineSnapshot(`
    {
      "at": "messages[2].content[0]",
      "fix": "Write tool_use_id: "toolu_ba1" into messages[2].content[0].",
      "message": "messages.2.content.0.tool_result.tool_use_id: Field required",
      "rule": "anthropic/result-id-required",
      "severity": "error",
      "source": "https://docs.anthropic.com/en/api/messages (tool_use_id is required; wording as quoted in tests)",
    }
  `);
});

test("result-id-required: the other calls of its turn are judged for themselves", () => {
  const nameless = { type: "tool_result", content: "08:00-18:00" };
  const violations = check([ASKED, asks(use("toolu_ba1"), use("toolu_ba2")), says(nameless)]);
  expect(violations.map(({ rule, at }) => `${rule} at ${at}`)).toEqual([
    "anthropic/result-id-required at messages[2].content[0]",
    "anthropic/unanswered-call at messages[1].content[1]",
  ]);
});

test("empty-text: a block without words", () => {
  expect(
    only([ASKED, asks({ type: "text", text: "" }, use("toolu_ba1")), says(result("toolu_ba1"))]),
  ).toMatchInlineSnapshot(`
    {
      "at": "messages[1].content[0]",
      "fix": "Leave the text block out where there is nothing to say.",
      "message": "messages: text content blocks must be non-empty",
      "rule": "anthropic/empty-text",
      "severity": "error",
      "source": "https://github.com/vercel/ai/issues/5576",
    }
  `);
  expect(only([ASKED, asks({ type: "text", text: " \n" })]).message).toMatchInlineSnapshot(
    `"messages: text content blocks must contain non-whitespace text"`,
  );
  expect(check([ASKED, asks({ type: "text", text: "." })])).toEqual([]);
});

test("empty-content: a message that says nothing, unless it is the turn at the end", () => {
  expect(only([{ role: "user", content: "" }, SPOKEN])).toMatchInlineSnapshot(`
    {
      "at": "messages[0]",
      "fix": "Leave the message out, or say something in it.",
      "message": "messages.0: all messages must have non-empty content except for the optional final assistant message",
      "rule": "anthropic/empty-content",
      "severity": "error",
      "source": "https://github.com/microsoft/autogen/issues/6083",
    }
  `);
  expect(only([ASKED, asks(), ASKED]).at).toBe("messages[1]");
  expect(check([ASKED, asks()])).toEqual([]);
});

const THOUGHT = { type: "thinking", thinking: "Bakeries close at six.", signature: "sig_ba" };

test("thinking-first: with thinking on, a tool turn has to begin with its thoughts", () => {
  const turn = [ASKED, asks(WORDS, use("toolu_ba1")), says(result("toolu_ba1"))];
  expect(only(turn, { thinking: true })).toMatchInlineSnapshot(`
    {
      "at": "messages[1].content[0]",
      "fix": "Append the turn as the model spoke it: its thinking blocks, signature included, first in messages[1].",
      "message": "messages.1.content.0.type: Expected \`thinking\` or \`redacted_thinking\`, but found \`text\`. When \`thinking\` is enabled, a final \`assistant\` message must start with a thinking block (preceeding the lastmost set of \`tool_use\` and \`tool_result\` blocks).",
      "rule": "anthropic/thinking-first",
      "severity": "error",
      "source": "https://github.com/deepset-ai/haystack-core-integrations/issues/2146",
    }
  `);
  expect(check(turn)).toEqual([]);
  const thought = asks(THOUGHT, use("toolu_ba1"));
  // All messages of one tool loop are one turn: it thought once, at its beginning.
  const loop = [ASKED, thought, says(result("toolu_ba1")), asks(use("toolu_ba2")), says(result("toolu_ba2"))];
  expect(check(loop, { thinking: true })).toEqual([]);
  expect(check([...turn, SPOKEN, ASKED], { thinking: true })).toEqual([]);
  const redacted = { type: "redacted_thinking", data: "EmwKAhgB" };
  expect(check([ASKED, asks(redacted, use("toolu_ba1")), says(result("toolu_ba1"))], { thinking: true })).toEqual([]);
});

const spokenTurn: AssistantTurn = {
  kind: "tool_calls",
  calls: [{ id: "toolu_ba1", name: "opening_hours", arguments: '{"shop":"bakery"}' }],
  reasoning: { text: THOUGHT.thinking, signature: THOUGHT.signature },
};
const spoken = [spokenTurn];

test("thinking-modified: thoughts that are not what the model spoke", () => {
  const altered = asks({ ...THOUGHT, thinking: "Bakeries never close." }, use("toolu_ba1"));
  expect(only([ASKED, altered, says(result("toolu_ba1"))], { spoken })).toMatchInlineSnapshot(`
    {
      "at": "messages[1].content[0]",
      "fix": "Append the thinking block as the model spoke it: "Bakeries close at six.".",
      "message": "messages.1.content.0: \`thinking\` or \`redacted_thinking\` blocks in the latest assistant message cannot be modified. These blocks must remain as they were in the original response.",
      "rule": "anthropic/thinking-modified",
      "severity": "error",
      "source": "https://github.com/anthropics/claude-code/issues/63203",
    }
  `);
  expect(check([ASKED, altered, says(result("toolu_ba1"))])).toEqual([]);
  expect(check([ASKED, asks(THOUGHT, use("toolu_ba1")), says(result("toolu_ba1"))], { spoken })).toEqual([]);
});

test("thinking-modified: thoughts that were dropped are one fault, with thinking on too", () => {
  const messages = [ASKED, asks(use("toolu_ba1")), says(result("toolu_ba1"))];
  expect(only(messages, { spoken, thinking: true }).rule).toBe("anthropic/thinking-modified");
  expect(check(messages, { spoken, thinking: false })).toEqual([]);
});

test("thinking-modified: a turn that only speaks may go without its thoughts", () => {
  const said: AssistantTurn = { kind: "text", content: "Until six.", reasoning: "Bakeries close at six." };
  expect(check([ASKED, SPOKEN, ASKED], { spoken: [said] })).toEqual([]);
});

test("thinking-signature: a signature that is not the one the model gave", () => {
  const forged = asks({ ...THOUGHT, signature: "sig_other" }, use("toolu_ba1"));
  expect(only([ASKED, forged, says(result("toolu_ba1"))], { spoken })).toMatchInlineSnapshot(`
    {
      "at": "messages[1].content[0]",
      "fix": "Append the block with the signature the model gave it, untouched.",
      "message": "messages.1.content.0: Invalid \`signature\` in \`thinking\` block",
      "rule": "anthropic/thinking-signature",
      "severity": "error",
      "source": "https://github.com/lbjlaq/Antigravity-Manager/issues/498",
    }
  `);
});

test("thinking-disabled-final: thoughts at the end of a request that has thinking off", () => {
  const messages = [ASKED, asks(THOUGHT, WORDS)];
  expect(only(messages, { thinking: false, stage: "request" })).toMatchInlineSnapshot(`
    {
      "at": "messages[1].content[0]",
      "fix": "Drop the thinking blocks of messages[1], or leave thinking on.",
      "message": "When thinking is disabled, an \`assistant\` message in the final position cannot contain \`thinking\`.",
      "rule": "anthropic/thinking-disabled-final",
      "severity": "error",
      "source": "https://github.com/antinomyhq/forgecode/issues/1853",
    }
  `);
  expect(check(messages, { thinking: false })).toEqual([]);
  expect(check(messages, { stage: "request" })).toEqual([]);
});

test("server-tool-pair: a server-run result without its call", () => {
  const found = { type: "web_search_tool_result", tool_use_id: "srvtoolu_ba1", content: [] };
  expect(only([ASKED, asks(found, WORDS)])).toMatchInlineSnapshot(`
    {
      "at": "messages[1].content[0]",
      "fix": "Keep the server_tool_use block and its result together in the assistant message, as the API sent them.",
      "message": "unexpected \`tool_use_id\` found in \`web_search_tool_result\` blocks: srvtoolu_ba1. Each \`web_search_tool_result\` block must have a corresponding \`server_tool_use\` block before it.",
      "rule": "anthropic/server-tool-pair",
      "severity": "error",
      "source": "https://github.com/anthropics/claude-code/issues/64383",
    }
  `);
  const search = { type: "server_tool_use", id: "srvtoolu_ba1", name: "web_search", input: {} };
  expect(only([ASKED, asks(search), ASKED, asks(found)]).at).toBe("messages[3].content[0]");
  expect(check([ASKED, asks(search, found, WORDS)])).toEqual([]);
});

test("tool-name: an offered name outside the pattern", () => {
  expect(only({ messages: [ASKED], tools: [{ name: "opening.hours", input_schema: {} }] })).toMatchInlineSnapshot(`
    {
      "at": "tools[0]",
      "fix": "Use letters, digits, underscores and dashes only, at most 128: found "opening.hours". Map the name back when the model calls it.",
      "message": "tools.0.custom.name: String should match pattern '^[a-zA-Z0-9_-]{1,128}$'",
      "rule": "anthropic/tool-name",
      "severity": "error",
      "source": "https://github.com/github/copilot-cli/issues/1879",
    }
  `);
  const tools = [
    { name: "o".repeat(128) },
    { type: "web_search_20250305", name: "web_search" },
    { type: "mcp_toolset" },
  ];
  expect(check([ASKED], { tools })).toEqual([]);
});

test("ends-on-assistant: a request that ends with the model's own words, where the model takes none", () => {
  const options = { prefill: false, stage: "request" } as const;
  expect(only([ASKED, SPOKEN], options)).toMatchInlineSnapshot(`
    {
      "at": "messages[1]",
      "fix": "End the request before messages[1], or go on with a user message.",
      "message": "This model does not support assistant message prefill. The conversation must end with a user message.",
      "rule": "anthropic/ends-on-assistant",
      "severity": "error",
      "source": "https://docs.anthropic.com/en/api/messages (prefill; wording as quoted in tests)",
    }
  `);
  expect(check([ASKED, SPOKEN], { prefill: false })).toEqual([]);
  expect(check([ASKED, SPOKEN], { stage: "request" })).toEqual([]);
  expect(only([ASKED, asks(use("toolu_ba1"))], options).rule).toBe("anthropic/unanswered-call");
});

test("tools-required: tool blocks in a request without tools are a warning", () => {
  const messages = [ASKED, asks(use("toolu_ba1")), says(result("toolu_ba1"))];
  expect(only({ messages, tools: [] })).toMatchInlineSnapshot(`
    {
      "at": "messages[1].content[0]",
      "fix": "Offer the tools again in every request of the conversation.",
      "message": "Requests which include \`tool_use\` or \`tool_result\` blocks must define tools.",
      "rule": "anthropic/tools-required",
      "severity": "warn",
      "source": "https://docs.anthropic.com/en/api/messages (wording as quoted in one test file)",
    }
  `);
  expect(check({ messages, tools: [{ name: "opening_hours" }] })).toEqual([]);
  expect(check(messages)).toEqual([]);
});

test("system-between: a system message between a call and its result is a warning", () => {
  const between = { role: "system", content: "Be brief." };
  expect(only([ASKED, asks(use("toolu_ba1")), between, says(result("toolu_ba1"))])).toMatchInlineSnapshot(`
    {
      "at": "messages[2]",
      "fix": "Move messages[2] behind messages[3].",
      "message": "messages.2: a system message stands between \`tool_use\` and \`tool_result\`; whether the API takes it there is not known.",
      "rule": "anthropic/system-between",
      "severity": "warn",
      "source": "https://docs.anthropic.com/en/api/messages (SystemMessageParam in the 1.14.0 types; the place between is not described)",
    }
  `);
  expect(check([ASKED, asks(use("toolu_ba1")), says(result("toolu_ba1")), between])).toEqual([]);
});

test("stage: a history that ends with calls is a request, unless the model has just spoken", () => {
  expect(only([ASKED, asks(use("toolu_ba1"))]).rule).toBe("anthropic/unanswered-call");
  expect(only([ASKED, asks(use("toolu_ba1"))], { stage: "request" }).rule).toBe("anthropic/unanswered-call");
  expect(check([ASKED, asks(use("toolu_ba1"))], { stage: "after-model" })).toEqual([]);
});

const accepted: Record<string, unknown[]> = {
  "images and documents from the user and in results": [
    says(
      { type: "image", source: { type: "base64", media_type: "image/png", data: "iVBORw0KGgo=" } },
      {
        type: "document",
        source: { type: "url", url: "https://shops.example/hours.pdf" },
        citations: { enabled: true },
      },
    ),
    asks(use("toolu_ba1")),
    says(
      result("toolu_ba1", [
        { type: "text", text: "See the sign." },
        { type: "image", source: { type: "url", url: "https://shops.example/sign.png" } },
        { type: "search_result", source: "https://shops.example", title: "Shops", content: [] },
      ]),
      { type: "image", source: { type: "file", file_id: "file_1" } },
    ),
  ],
  "thinking with its signature, and redacted thinking": [
    ASKED,
    asks(THOUGHT, { type: "redacted_thinking", data: "EmwKAhgB" }, use("toolu_ba1")),
    says(result("toolu_ba1")),
    SPOKEN,
  ],
  "tools the provider runs": [
    ASKED,
    asks(
      { type: "server_tool_use", id: "srvtoolu_ba1", name: "web_search", input: { query: "bakery" } },
      { type: "web_search_tool_result", tool_use_id: "srvtoolu_ba1", content: [] },
      { type: "mcp_tool_use", id: "mcptoolu-ba.2", name: "maps", server_name: "maps", input: {} },
      { type: "mcp_tool_result", tool_use_id: "mcptoolu-ba.2", is_error: false, content: [] },
      WORDS,
    ),
  ],
  "a paused turn that is sent back as it is, and goes on": [
    ASKED,
    asks({ type: "server_tool_use", id: "srvtoolu_ba1", name: "web_search", input: {} }),
    asks({ type: "web_search_tool_result", tool_use_id: "srvtoolu_ba1", content: [] }, WORDS),
  ],
  "a call made by the provider's code, answered before the code's own result": [
    ASKED,
    asks(
      { type: "server_tool_use", id: "srvtoolu_ba1", name: "code_execution", input: { code: "await hours()" } },
      { ...use("toolu_ba1"), caller: { type: "code_execution_20250825", tool_id: "srvtoolu_ba1" } },
    ),
    says(result("toolu_ba1")),
    asks({ type: "code_execution_tool_result", tool_use_id: "srvtoolu_ba1", content: {} }, WORDS),
  ],
  "cache markers and fields nobody knows": [
    says({ ...WORDS, cache_control: { type: "ephemeral" } }),
    asks({ ...use("toolu_ba1"), cache_control: { type: "ephemeral" }, toolset_name: "shops" }),
    says({ ...result("toolu_ba1"), cache_control: { type: "ephemeral" }, trace: 7 }),
  ],
  "a system message in the list": [ASKED, { role: "system", content: "Be brief." }, SPOKEN],
  "consecutive user messages": [ASKED, says(WORDS), SPOKEN, ASKED],
  "results in the first of two user messages": [ASKED, asks(use("toolu_ba1")), says(result("toolu_ba1")), ASKED],
  "is_error false": [ASKED, asks(use("toolu_ba1")), says({ ...result("toolu_ba1"), is_error: false })],
  "nothing at all": [],
};

test.each(Object.entries(accepted))("accepts %s", (_, messages) => {
  expect(check(messages)).toEqual([]);
});

test("equal words after different thoughts are each as they were spoken", () => {
  const spoken = ["one", "two"].map((text) => ({
    kind: "text" as const,
    content: "ok",
    reasoning: { text, signature: `s-${text}` },
  }));
  const again = [{ reasoning: { text: "one", signature: "s-other" }, kind: "text" as const, content: "and" }];
  const messages = (text: string, signature: string) => [
    { role: "user", content: "q" },
    {
      role: "assistant",
      content: [
        { type: "thinking", thinking: text, signature },
        { type: "text", text: "ok" },
      ],
    },
    { role: "user", content: "q" },
  ];
  const rulesBroken = (text: string, signature: string) =>
    checkConversation(messages(text, signature), "anthropic", { spoken: [...spoken, ...again] }).map(
      ({ rule }) => rule,
    );
  expect(rulesBroken("one", "s-one")).toEqual([]);
  expect(rulesBroken("two", "s-two")).toEqual([]);
  expect(rulesBroken("one", "s-other")).toEqual([]);
  expect(rulesBroken("two", "s-one")).toEqual(["anthropic/thinking-signature"]);
  expect(rulesBroken("three", "s-one")).toEqual(["anthropic/thinking-modified"]);
});
