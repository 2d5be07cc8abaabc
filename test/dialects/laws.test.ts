import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import fc from "fast-check";
import { expect, test } from "vitest";
import { checkConversation, formatConversation, readConversation, type UsageError } from "../../src/conversation.js";
import { anthropic } from "../../src/dialects/anthropic/index.js";
import type { DialectDefinition } from "../../src/dialects/dialect.js";
import { dialects } from "../../src/dialects/index.js";
import { openaiChat } from "../../src/dialects/openai-chat/index.js";
import { pair } from "../../src/transcript/pairing.js";
import { resultText, turnOf } from "../../src/transcript/queries.js";
import type { AssistantTurn } from "../../src/transcript/turn.js";
import type { Part, Transcript, TranscriptMessage } from "../../src/transcript/types.js";

// The same cases in every run; TOOL_LOOP_SEED tries others. A failure prints its seed and path.
fc.configureGlobal({ seed: Number(process.env.TOOL_LOOP_SEED ?? 20_261_201), numRuns: 200 });

const FIXTURES = resolve(import.meta.dirname, "../../fixtures/messages");

const fixtures = [openaiChat, anthropic].flatMap((dialect) =>
  readdirSync(join(FIXTURES, dialect.name)).map((file) => ({
    dialect,
    file: `${dialect.name}/${file}`,
    messages: JSON.parse(readFileSync(join(FIXTURES, dialect.name, file), "utf8")) as unknown[],
  })),
);

/** What a message says, without where it stands and how the wire holds it. */
function meaningOf({ role, parts }: Pick<TranscriptMessage, "role" | "parts">): unknown {
  return { role, parts: parts.map(partMeaning) };
}

function partMeaning(part: Part): unknown {
  switch (part.kind) {
    case "text":
    case "refusal":
      return { kind: part.kind, text: part.text };
    case "reasoning":
      return { kind: part.kind, text: part.text, signature: part.signature, redacted: part.redacted };
    case "call":
      return { kind: part.kind, id: part.id, name: part.name, parsed: part.parsed, custom: part.custom };
    case "result": {
      const { kind, callId, isError, content } = part;
      return { kind, callId, isError, content: typeof content === "object" ? content.map(partMeaning) : content };
    }
    default:
      return { kind: part.kind, wire: part.wire };
  }
}

// --- Turns: what a dialect has a place for. Usage and most reasons to stop stand beside a message, never in it.

const word = fc.string({ minLength: 1 });
const jsonText = fc.jsonValue().map((value) => JSON.stringify(value));
const call = (args: fc.Arbitrary<string>) => fc.record({ id: fc.string(), name: fc.string(), arguments: args });
const calls = (args: fc.Arbitrary<string>) => fc.array(call(args), { minLength: 1, maxLength: 4 });

const spokenInChat: fc.Arbitrary<AssistantTurn> = fc.oneof(
  fc.record(
    { kind: fc.constant("text"), content: fc.string(), reasoning: word },
    { requiredKeys: ["kind", "content"] },
  ),
  fc.record({ kind: fc.constant("text"), content: word, finish: fc.constant("refusal") }),
  fc.record(
    { kind: fc.constant("tool_calls"), calls: calls(fc.string()), content: word, reasoning: word },
    { requiredKeys: ["kind", "calls"] },
  ),
) as fc.Arbitrary<AssistantTurn>;

const thought = fc.oneof(fc.string(), fc.record({ text: fc.string(), signature: fc.string() }));
const serverCalls = fc.uniqueArray(
  fc.record(
    { id: fc.string(), name: fc.string(), arguments: jsonText, result: fc.jsonValue() },
    { requiredKeys: ["id", "name", "arguments"] },
  ),
  { selector: ({ id }) => id, minLength: 1, maxLength: 3 },
);
const spokenInBlocks: fc.Arbitrary<AssistantTurn> = fc.oneof(
  fc.record(
    { kind: fc.constant("text"), content: fc.string(), reasoning: thought, serverCalls },
    { requiredKeys: ["kind", "content"] },
  ),
  fc.record(
    { kind: fc.constant("tool_calls"), calls: calls(jsonText), content: word, reasoning: thought, serverCalls },
    { requiredKeys: ["kind", "calls"] },
  ),
) as fc.Arbitrary<AssistantTurn>;

const turns: [DialectDefinition, fc.Arbitrary<AssistantTurn>][] = [
  [openaiChat, spokenInChat],
  [anthropic, spokenInBlocks],
];

test.each(turns)("what $name writes for a turn reads back as that turn", (dialect, turn) => {
  fc.assert(
    fc.property(turn, (spoken) => {
      const [message, ...more] = dialect.read([dialect.writeTurn(spoken)].flat()).messages;
      expect(more).toEqual([]);
      expect(turnOf(message!)).toEqual(spoken);
    }),
  );
});

test.each([openaiChat, anthropic])("what $name writes for results answers the calls it answers", (dialect) => {
  const result = fc.record({
    callId: fc.string(),
    value: fc.oneof(fc.string(), fc.jsonValue()),
    isError: fc.boolean(),
  });
  fc.assert(
    fc.property(fc.array(result, { minLength: 1, maxLength: 4 }), (results) => {
      const read = dialect.read([dialect.writeResults(results)].flat()).messages.flatMap(({ parts }) => parts);
      expect(read.map((part) => part.kind === "result" && [part.callId, resultText(part)])).toEqual(
        results.map(({ callId, value }) => [callId, typeof value === "string" ? value : JSON.stringify(value)]),
      );
    }),
  );
});

// --- Detection.

const shared = fc.record({
  role: fc.constantFrom("system", "user", "assistant"),
  content: fc.oneof(
    fc.string(),
    fc.array(fc.record({ type: fc.constant("text"), text: fc.string() }), { maxLength: 3 }),
  ),
});
const partTypes = [
  "text",
  "image_url",
  "input_audio",
  "refusal",
  "file",
  "image",
  "document",
  "thinking",
  "redacted_thinking",
  "tool_use",
  "tool_result",
  "server_tool_use",
  "web_search_tool_result",
  "search_result",
  "hologram",
  "tool-call",
];
const mixedPart = fc.record(
  { type: fc.constantFrom(...partTypes), source: fc.constantFrom({}, "url"), text: fc.string() },
  { requiredKeys: ["type"] },
);
const mixedMessage = fc.record(
  {
    role: fc.constantFrom("system", "developer", "user", "assistant", "tool", "function", "model", "critic"),
    content: fc.oneof(fc.string(), fc.constant(null), fc.array(mixedPart, { maxLength: 3 }), fc.anything()),
    tool_calls: fc.oneof(fc.constant([]), fc.constant([{ function: {} }]), fc.constant([{ args: {} }]), fc.anything()),
    tool_call_id: fc.string(),
    function_call: fc.oneof(fc.constant({}), fc.anything()),
    parts: fc.constant([]),
  },
  { requiredKeys: ["role"] },
);

test("at most one dialect says yes to anything", () => {
  const fixtureMessage = fc.constantFrom(...fixtures.flatMap(({ messages }) => messages));
  const message = fc.oneof(mixedMessage, fixtureMessage, shared, fc.anything());
  fc.assert(
    fc.property(fc.oneof(fc.array(message, { maxLength: 5 }), fc.anything()), (value) => {
      const claims = dialects().filter((dialect) => dialect.detect(value) === "yes");
      expect(claims.map(({ name }) => name).slice(1)).toEqual([]);
    }),
    { numRuns: 1500 },
  );
});

test("what both dialects share is maybe for each, reads alike in both, and is read as openai-chat", () => {
  fc.assert(
    fc.property(fc.array(shared, { maxLength: 5 }), (messages) => {
      expect(dialects().map((dialect) => dialect.detect(messages))).toEqual(["maybe", "maybe"]);
      const [one, other] = dialects().map((dialect) => dialect.read(messages).messages.map(meaningOf));
      expect(one).toEqual(other);
      expect(readConversation(messages).dialect).toBe("openai-chat");
    }),
  );
});

/** What the APIs refuse in the fixtures: kept to show that it is read and written all the same. */
const REFUSED: Record<string, string[]> = { "openai-chat/markers-and-strangers.json": ["messages[4].content[1]"] };

test.each(fixtures)("$file is recognised as its dialect, unless nothing in it tells", ({ file, dialect, messages }) => {
  expect(readConversation(messages).dialect).toBe(dialect.name);
  const errors = checkConversation(messages).filter(({ severity }) => severity === "error");
  expect(errors.map(({ at }) => at)).toEqual(REFUSED[file] ?? []);
});

// --- Writing.

test.each(fixtures)("$file is written back as it was read", ({ dialect, messages }) => {
  expect(dialect.write(dialect.read(messages))).toEqual({ messages, lost: [] });
});

/** The transcript with other ids, names and words: what is written has to come from here, not from the wire. */
function reworded(transcript: Transcript): Transcript {
  return {
    ...transcript,
    messages: transcript.messages.map(({ role, at, wire, parts }) => ({
      role,
      at,
      wire,
      parts: parts.map(rewordPart),
    })),
  };
}

function rewordPart(part: Part): Part {
  const { at, wire } = part;
  switch (part.kind) {
    case "text":
    case "refusal":
      return { kind: part.kind, at, wire, text: `${part.text}!` };
    case "reasoning":
      if (part.redacted !== undefined) return { kind: part.kind, at, wire, text: "", redacted: `${part.redacted}!` };
      return { ...part, text: `${part.text}!`, ...(part.signature ? { signature: "sig_new" } : {}) };
    case "call": {
      const id = part.id && `${part.id}_new`;
      const parsed = { ok: true, value: part.custom ? "new" : { new: 1 } } as const;
      const text = part.custom ? "new" : '{"new":1}';
      const { custom = false } = part;
      return { kind: part.kind, at, wire, id, name: "renamed", arguments: text, parsed, custom };
    }
    case "result": {
      const { kind, role, callId, raw } = part;
      const content = typeof part.content === "string" ? `${part.content}!` : part.content?.map(rewordPart);
      return { kind, at, wire, role, raw, callId: callId && `${callId}_new`, content, isError: part.isError };
    }
    default:
      return part;
  }
}

test.each(fixtures)("$file is written from what was read, not copied from the wire", ({ dialect, messages }) => {
  const changed = reworded(dialect.read(messages));
  const { messages: written } = dialect.write(changed);
  expect(dialect.read(written).messages.map(meaningOf)).toEqual(changed.messages.map(meaningOf));
});

/** What the other dialect has no place for. */
const LOST: Record<string, string[]> = {
  "openai-chat/markers-and-strangers.json": [
    "cache_control at messages[0].content[0]",
    "name at messages[1]",
    "trace at messages[1]",
    "extra_content at messages[2].tool_calls[0]",
    "cache_control at messages[3].content[0]",
    "cache_control at messages[3]",
    "unknown at messages[4].content[0]",
    "unknown at messages[6].tool_calls[0]",
  ],
  "openai-chat/media.json": [
    "detail at messages[0].content[1]",
    "audio at messages[0].content[3]",
    "document at messages[0].content[4]",
    "audio at messages[1]",
  ],
  "openai-chat/reasoning.json": [
    "reasoning at messages[1].reasoning_content",
    "reasoning at messages[3].reasoning",
    "reasoning_details at messages[3]",
  ],
  "anthropic/markers-and-strangers.json": [
    "cache_control at messages[0].content[0]",
    "cache_control at messages[2].content[0]",
    "toolset_name at messages[2].content[0]",
    "unknown at messages[2].content[1]",
    "cache_control at messages[3].content[0]",
    "trace at messages[3]",
  ],
  "anthropic/media.json": [
    "document at messages[0].content[1]",
    "image at messages[0].content[2]",
    "image at messages[2].content[0].content[0]",
    "unknown at messages[2].content[0].content[1]",
  ],
  "anthropic/parallel-calls.json": ["is_error at messages[2].content[1]"],
  "anthropic/paused-and-called-by-code.json": [
    "caller at messages[1].content[1]",
    "server-call at messages[1].content[0]",
    "server-result at messages[3].content[0]",
  ],
  "anthropic/server-tools.json": [
    "server-call at messages[1].content[0]",
    "server-result at messages[1].content[1]",
    "server-call at messages[1].content[2]",
    "server-result at messages[1].content[3]",
    "citations at messages[1].content[4]",
  ],
  "anthropic/thinking.json": ["reasoning at messages[1].content[0]", "reasoning at messages[1].content[1]"],
};

/** Each call with the text of its answer. */
function exchanges(transcript: Transcript): unknown[] {
  return pair(transcript).turns.flatMap(({ calls: asked }) =>
    asked.map(({ call: { id, name, parsed, custom }, answer }) => ({
      id,
      name,
      input: custom && parsed.ok ? { input: parsed.value } : parsed,
      text: answer && (resultText(answer) ?? ""),
    })),
  );
}

/** A custom call's free text has to go into an object where the other dialect knows only objects. */
function unwrapped(exchange: unknown): unknown {
  const { input, ...rest } = exchange as { input: { ok?: boolean; value?: { input?: string } } };
  return { ...rest, input: typeof input.value?.input === "string" ? { input: input.value.input } : input };
}

test.each(fixtures)("$file keeps every call and its result in the other dialect, and lists its losses", (fixture) => {
  const { dialect, messages } = fixture;
  const other = dialect === openaiChat ? anthropic : openaiChat;
  const { messages: converted, lost } = other.write(dialect.read(messages));
  const read = other.read(converted);
  expect(exchanges(read).map(unwrapped)).toEqual(exchanges(dialect.read(messages)).map(unwrapped));
  expect(lost.map(({ at, what }) => `${what} at ${at}`)).toEqual(LOST[fixture.file] ?? []);
});

// --- Anything at all.

function outcome(run: () => unknown): string {
  try {
    run();
    return "a result";
  } catch (error) {
    const { name, message } = error as UsageError;
    if (name !== "UsageError") throw error;
    expect(message).toMatch(/^\[vitest-tool-loop\] \S[\s\S]*\.$/);
    expect(message).not.toContain("[object");
    return message;
  }
}

function survive(value: unknown): void {
  for (const dialect of [undefined, "openai-chat", "anthropic"]) {
    outcome(() => checkConversation(value, dialect));
    outcome(() => readConversation(value, dialect).transcript.messages.map(({ at, parts }) => [at, parts]));
    outcome(() => formatConversation(value, dialect));
  }
  for (const dialect of dialects()) expect(["yes", "maybe", "no"]).toContain(dialect.detect(value));
}

test("any value gives a result or a sentence", () => {
  const anything = fc.anything({
    withBigInt: true,
    withDate: true,
    withMap: true,
    withNullPrototype: true,
    withSparseArray: true,
    withObjectString: true,
  });
  const fields = fc.dictionary(
    fc.constantFrom("role", "content", "tool_calls", "function_call", "tool_call_id", "parts"),
    anything,
  );
  const block = fc.dictionary(
    fc.constantFrom("type", "text", "id", "name", "input", "tool_use_id", "content", "source"),
    anything,
  );
  const message = fc.record({
    role: fc.constantFrom("user", "assistant", "tool"),
    content: fc.oneof(fc.array(fc.oneof(block, mixedPart, anything), { maxLength: 3 }), anything),
    tool_calls: fc.oneof(fc.array(block, { maxLength: 2 }), fc.constant(undefined), anything),
    tool_call_id: anything,
  });
  fc.assert(
    fc.property(fc.oneof(fc.array(fc.oneof(fields, message, mixedMessage), { maxLength: 4 }), anything), survive),
    { numRuns: 500 },
  );
});

const USER = { role: "user", content: "hi" };
const circular: Record<string, unknown> = { role: "user", content: [] };
circular.self = circular;
(circular.content as unknown[]).push(circular, { type: "tool_result", tool_use_id: "a", content: circular });
const circularInput = {
  role: "assistant",
  content: null,
  tool_calls: [{ id: "a", function: { name: "f", arguments: circular } }],
};
const deep = JSON.parse(`${'{"a":'.repeat(9000)}1${"}".repeat(9000)}`);
let nested: unknown = "end";
for (let depth = 0; depth < 20_000; depth++) nested = [{ type: "tool_result", tool_use_id: "a", content: nested }];
const throwing = Object.defineProperty({ role: "user" }, "content", {
  enumerable: true,
  get() {
    throw new Error("not yours");
  },
});
const holed = [USER, USER, USER];
delete holed[1];
const { proxy: revoked, revoke } = Proxy.revocable({}, {});
revoke();

const oddities: Record<string, unknown> = {
  "a null entry": [USER, null],
  "a hole": holed,
  "a promise": Promise.resolve([USER]),
  "a promise in the list": [USER, Promise.resolve(USER)],
  "a circular message": [circular],
  "circular arguments": [circularInput],
  "a circular result": [USER, circularInput, { role: "tool", tool_call_id: "a", content: circular }],
  "a deep message": [{ role: "user", content: deep }],
  "results in results": [{ role: "user", content: nested }],
  "deep arguments": [USER, { role: "assistant", content: [{ type: "tool_use", id: "a", name: "f", input: deep }] }],
  "a getter that throws": [USER, throwing],
  "a revoked proxy": revoked,
  "a revoked proxy in the list": [USER, revoked],
  "keys called __proto__": JSON.parse('[{"role":"user","content":"hi","__proto__":{"role":"tool"}},{"__proto__":[]}]'),
  "calls called __proto__": [
    USER,
    { role: "assistant", content: [{ type: "tool_use", id: "__proto__", name: "constructor", input: {} }] },
  ],
  "a number as content": [{ role: "user", content: 7 }],
  "calls that are no list": [{ role: "assistant", content: null, tool_calls: {} }],
  "two dialects": [
    { role: "assistant", content: null, tool_calls: [{ id: "a", function: { name: "f", arguments: "{}" } }] },
    { role: "assistant", content: [{ type: "tool_use", id: "b", name: "f", input: {} }] },
  ],
  "a call without an id": [{ role: "assistant", content: [{ type: "tool_use", name: "f", input: {} }] }],
};

test.each(Object.entries(oddities))("%s gives a result or a sentence", (_, value) => {
  survive(value);
});

const MANY = 100_000;
const crowds: Record<string, unknown[]> = {
  "results that answer nothing": Array.from({ length: MANY }, (_, index) => ({
    role: "tool",
    tool_call_id: `c${index}`,
    content: "",
  })),
  "calls under one id": Array.from({ length: MANY }, () => ({
    role: "assistant",
    content: [{ type: "tool_use", id: "a", name: "f", input: {} }],
  })),
  "calls of one turn under one id": [
    {
      role: "assistant",
      content: null,
      tool_calls: Array.from({ length: MANY }, () => ({ id: "a", function: { name: "f", arguments: "{" } })),
    },
    ...Array.from({ length: 3 }, () => ({ role: "tool", tool_call_id: "a", content: "" })),
  ],
  "results for one call": [
    { role: "assistant", content: [{ type: "tool_use", id: "a", name: "f", input: {} }] },
    {
      role: "user",
      content: Array.from({ length: MANY }, () => ({ type: "tool_result", tool_use_id: "a", content: "1" })),
    },
  ],
};

test.each(Object.entries(crowds))(
  "100,000 %s are judged",
  (_, messages) => {
    expect(checkConversation(messages).length).toBeGreaterThan(0);
    expect(formatConversation(messages).length).toBeLessThan(MANY * 100);
  },
  60_000,
);
