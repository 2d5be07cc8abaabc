import { beforeAll, expect, test } from "vitest";
import { type ChildRun, runVitest } from "../support/child-vitest.js";

const PRELUDE = `
  import { describe, expect } from "vitest";
  import { modelFetch, repeat, scriptedModel as make, test, toolCall, turn } from "vitest-tool-loop";

  export const user = { role: "user", content: "weather in Paris?" };
  export const asked = {
    role: "assistant",
    content: null,
    tool_calls: [{ id: "call_1", type: "function", function: { name: "get_weather", arguments: "{}" } }],
  };
  export const schema = { type: "object", properties: { city: { type: "string" } }, required: ["city"] };
  export const tools = [{ type: "function", function: { name: "get_weather", parameters: schema } }];
  export const anthropicTools = [{ name: "get_weather", input_schema: schema }];

  // A loop that swallows every error.
  export async function post(fetch, path, body) {
    const answer = await fetch("https://api.example.com" + path, { method: "POST", body: JSON.stringify(body) }).catch(() => {});
    return answer?.status;
  }
  export const chat = (fetch, body) => post(fetch, "/v1/chat/completions", body);
  export const message = (fetch, body) => post(fetch, "/v1/messages", body);
`;

const REFUSED = `
  test("openai", async ({ scriptedModel }) => {
    const model = scriptedModel("never spoken");
    const status = await chat(modelFetch(model), { messages: [user, asked, { role: "user", content: "14" }], tools });
    expect(status).toBe(400);
    expect(model.seen).toHaveLength(1);
    expect(model.turns).toHaveLength(0);
  });
  test("anthropic", async ({ scriptedModel }) => {
    const call = { type: "tool_use", id: "toolu_1", name: "get_weather", input: {} };
    const result = { type: "tool_result", tool_use_id: "toolu_2", content: "14" };
    const messages = [user, { role: "assistant", content: [call] }, { role: "user", content: [result] }];
    expect(await message(modelFetch(scriptedModel("never spoken")), { messages, tools: anthropicTools })).toBe(400);
  });
  test("unreadable", async ({ scriptedModel }) => {
    expect(await chat(modelFetch(scriptedModel("never spoken")), { messages: [user, "hello"] })).toBe(400);
  });
  test("another dialect", async ({ scriptedModel }) => {
    const call = { type: "tool_use", id: "toolu_1", name: "get_weather", input: {} };
    const messages = [user, { role: "assistant", content: [call] }];
    expect(await chat(modelFetch(scriptedModel("never spoken")), { messages })).toBe(400);
  });
  test("a lenient script", async () => {
    await chat(modelFetch(make.lenient("never spoken")), { messages: [user, asked], tools });
  });
  test("a warning", async ({ scriptedModel }) => {
    const result = (id) => ({ role: "user", content: [{ type: "tool_result", tool_use_id: id, content: "14" }] });
    const calls = ["a", "b"].map((id) => ({ type: "tool_use", id, name: "get_weather", input: {} }));
    const messages = [user, { role: "assistant", content: calls }, result("a"), result("b")];
    expect(await message(modelFetch(scriptedModel("hi")), { messages, tools: anthropicTools })).toBe(200);
  });
  test("validate: false", async ({ scriptedModel }) => {
    const fetch = modelFetch(scriptedModel("spoken"), { validate: false });
    expect(await chat(fetch, { messages: [user, asked], tools })).toBe(200);
  });
`;

const IMPOSSIBLE = `
  const serve = (model, body) => chat(modelFetch(model), { messages: [user], tools, ...body });
  test("not offered", async ({ scriptedModel }) => {
    expect(await serve(scriptedModel(toolCall("get_wether", { city: "Paris" }), "never spoken"))).toBe(400);
  });
  test("nothing offered", async ({ scriptedModel }) => {
    await serve(scriptedModel(toolCall("get_weather", { city: "Paris" })), { tools: undefined });
  });
  test("breaks the schema", async ({ scriptedModel }) => {
    const fetch = modelFetch(scriptedModel("first", toolCall("get_weather", { city: 42 })));
    expect(await chat(fetch, { messages: [user], tools })).toBe(200);
    expect(await chat(fetch, { messages: [user], tools })).toBe(400);
  });
  test("lacks what the schema requires, at anthropic", async ({ scriptedModel }) => {
    const fetch = modelFetch(scriptedModel(toolCall("get_weather")));
    expect(await message(fetch, { messages: [user], tools: anthropicTools })).toBe(400);
  });
  test("unchecked, or no JSON", async ({ scriptedModel }) => {
    const model = scriptedModel(
      [toolCall.unchecked("get_wether"), toolCall.unchecked("get_weather", { city: 42 })],
      toolCall("get_weather", '{"city": 4'),
    );
    const fetch = modelFetch(model);
    expect(await chat(fetch, { messages: [user], tools })).toBe(200);
    expect(await chat(fetch, { messages: [user], tools })).toBe(200);
  });
`;

const FORBIDDEN = `
  const call = toolCall("get_weather", { city: "Paris" });
  const openai = (item, body) => chat(modelFetch(make(item)), { messages: [user], tools, ...body });
  const anthropic = (item, tool_choice) =>
    message(modelFetch(make(item)), { messages: [user], tools: anthropicTools, tool_choice });
  const named = { type: "function", function: { name: "get_weather" } };
  const allowed = { type: "allowed_tools", allowed_tools: { mode: "required", tools: [] } };

  test("parallel calls, openai", () => openai([call, call], { parallel_tool_calls: false }));
  test("parallel calls, anthropic", () => anthropic([call, call], { type: "auto", disable_parallel_tool_use: true }));
  test("a call under none, openai", () => openai(call, { tool_choice: "none" }));
  test("a call under none, anthropic", () => anthropic(call, { type: "none" }));
  test("words under required, openai", () => openai("hi", { tool_choice: "required" }));
  test("words under any, anthropic", () => anthropic("hi", { type: "any" }));
  test("words under allowed_tools, openai", () => openai("hi", { tool_choice: allowed }));
  test("words under a named tool, openai", () => openai("hi", { tool_choice: named }));
  test("words under a named tool, anthropic", () => anthropic("hi", { type: "tool", name: "get_weather" }));

  test("what the request allows", async () => {
    const statuses = [
      await openai(call, { parallel_tool_calls: false }),
      await openai([call, call], { tool_choice: "auto" }),
      await openai("hi", { tool_choice: "none" }),
      await openai(call, { tool_choice: "required" }),
      await openai(call, { tool_choice: named }),
      await openai(call, { tool_choice: allowed }),
      await openai(turn("", { finish: "length" }), { tool_choice: "required" }),
      await openai(toolCall.unchecked("get_weather"), { tool_choice: "none" }),
      await anthropic(call, { type: "tool", name: "get_weather" }),
    ];
    expect(statuses).toEqual(statuses.map(() => 200));
  });
`;

const SERVED = `
  const model = make("one", "two");
  test("speaks one turn of two", async () => {
    await chat(modelFetch(model), { messages: [user] });
  });
  test("speaks the other", async () => {
    await chat(modelFetch(model), { messages: [user] });
  });
  test("goes past the end", async () => {
    await chat(modelFetch(model), { messages: [user] });
  });
  test("a refused request is not held against later tests", async () => {
    const other = make.lenient(repeat("hi"));
    await chat(modelFetch(other), { messages: [user] });
  });
`;

let child: ChildRun;

// One child run for all: starting Vitest takes longer than any of these.
beforeAll(async () => {
  const sources = { refused: REFUSED, impossible: IMPOSSIBLE, forbidden: FORBIDDEN, served: SERVED };
  const files = Object.entries(sources).map(([name, source]) => [
    `${name}.test.ts`,
    `${PRELUDE}describe("${name}", () => {${source}});`,
  ]);
  child = await runVitest({ files: Object.fromEntries(files) });
}, 60_000);

function failedIn(suite: string): string[] {
  return child.failed.filter((name) => name.startsWith(`${suite} > `)).map((name) => name.slice(suite.length + 3));
}

/** Everything a test failed with. */
function said(name: string): string {
  return child
    .test(name)
    .errors.map(({ message }) => message)
    .join("\n---\n");
}

test("a request that the API refuses fails the test that served the model, even if the loop swallows it", () => {
  expect(failedIn("refused")).toEqual(["openai", "anthropic", "unreadable", "another dialect", "a lenient script"]);
  expect(said("refused > openai")).toMatchInlineSnapshot(`
    "[vitest-tool-loop] The loop sent what OpenAI Chat Completions refuses: expected request 1 to keep its rules, found openai-chat/unanswered-call broken, at messages[1].tool_calls[0].

        messages[0]  user       "weather in Paris?"
      > messages[1]  assistant  get_weather({})  call_1
        messages[2]  user       "14"

    OpenAI Chat Completions would answer 400: An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'. The following tool_call_ids did not have response messages: call_1 (openai-chat/unanswered-call)
    Insert { role: "tool", tool_call_id: "call_1", content: "…" } directly after messages[1].
    To serve such requests all the same, pass { validate: false } where the model is served."
  `);
  expect(said("refused > anthropic")).toMatchInlineSnapshot(`
    "[vitest-tool-loop] The loop sent what the Anthropic Messages API refuses: expected request 1 to keep its rules, found anthropic/unanswered-call broken, at messages[1].content[0].

        messages[0]  user       "weather in Paris?"
      > messages[1]  assistant  get_weather({})  toolu_1
        messages[2]  user       answers toolu_2  "14"

    The Anthropic Messages API would answer 400: messages.1: \`tool_use\` ids were found without \`tool_result\` blocks immediately after: toolu_1. Each \`tool_use\` block must have a corresponding \`tool_result\` block in the next message. (anthropic/unanswered-call)
    Write tool_use_id: "toolu_1" into messages[2].content[0]: it answers toolu_2.
    To serve such requests all the same, pass { validate: false } where the model is served."
  `);
  expect(said("refused > unreadable")).toMatchInlineSnapshot(
    `"[vitest-tool-loop] The request needs messages: expected an object with a role at messages[1], found the string "hello"."`,
  );
  expect(said("refused > another dialect")).toMatchInlineSnapshot(
    `"[vitest-tool-loop] Cannot read messages[1] as "openai-chat": it is a turn in "anthropic". One conversation has one dialect: convert the messages where they enter the history."`,
  );
  expect(said("refused > a lenient script")).toContain("openai-chat/unanswered-call");
});

test("a scripted call that the request does not offer, or that breaks its schema, fails the test", () => {
  expect(failedIn("impossible")).toEqual([
    "not offered",
    "nothing offered",
    "breaks the schema",
    "lacks what the schema requires, at anthropic",
  ]);
  expect(said("impossible > not offered")).toMatchInlineSnapshot(
    `"[vitest-tool-loop] No model could answer so: expected a call of a tool that the request offers (get_weather), found a call of get_wether, at script[0]. Correct the name, or offer the tool. A model that makes up a tool is toolCall.unchecked("get_wether", {"city":"Paris"})."`,
  );
  expect(said("impossible > nothing offered")).toMatchInlineSnapshot(
    `"[vitest-tool-loop] No model could answer so: expected a call of a tool that the request offers (it offers none), found a call of get_weather, at script[0]. Correct the name, or offer the tool. A model that makes up a tool is toolCall.unchecked("get_weather", {"city":"Paris"})."`,
  );
  expect(said("impossible > breaks the schema")).toMatchInlineSnapshot(
    `"[vitest-tool-loop] No model could answer so: expected arguments that satisfy the schema offered for get_weather, found {"city":42}: city: Instance type "number" is invalid, expected "string", at script[1]. Correct the arguments, or the schema. A model that breaks the schema is toolCall.unchecked("get_weather", …)."`,
  );
  expect(said("impossible > lacks what the schema requires, at anthropic")).toMatchInlineSnapshot(
    `"[vitest-tool-loop] No model could answer so: expected arguments that satisfy the schema offered for get_weather, found {}: Instance does not have required property "city", at script[0]. Correct the arguments, or the schema. A model that breaks the schema is toolCall.unchecked("get_weather", …)."`,
  );
});

test("a script that the request forbids fails the test", () => {
  const sentences = failedIn("forbidden").map((name) => `${name}: ${said(`forbidden > ${name}`)}`);
  expect(sentences.join("\n\n")).toMatchInlineSnapshot(`
    "parallel calls, openai: [vitest-tool-loop] No model could answer so: expected one call at most, because the request forbids parallel calls, found calls of get_weather, get_weather, at script[0]. Script the calls as turns of their own, or let the request allow parallel calls.

    parallel calls, anthropic: [vitest-tool-loop] No model could answer so: expected one call at most, because the request forbids parallel calls, found calls of get_weather, get_weather, at script[0]. Script the calls as turns of their own, or let the request allow parallel calls.

    a call under none, openai: [vitest-tool-loop] No model could answer so: expected no call, because the request forbids calls, found calls of get_weather, at script[0]. Correct the turn, or the tool choice the loop sends.

    a call under none, anthropic: [vitest-tool-loop] No model could answer so: expected no call, because the request forbids calls, found calls of get_weather, at script[0]. Correct the turn, or the tool choice the loop sends.

    words under required, openai: [vitest-tool-loop] No model could answer so: expected a call, because the request demands one, found words only, at script[0]. Correct the turn, or the tool choice the loop sends.

    words under any, anthropic: [vitest-tool-loop] No model could answer so: expected a call, because the request demands one, found words only, at script[0]. Correct the turn, or the tool choice the loop sends.

    words under allowed_tools, openai: [vitest-tool-loop] No model could answer so: expected a call, because the request demands one, found words only, at script[0]. Correct the turn, or the tool choice the loop sends.

    words under a named tool, openai: [vitest-tool-loop] No model could answer so: expected a call of get_weather, because the request demands that tool, found words only, at script[0]. Correct the turn, or the tool choice the loop sends.

    words under a named tool, anthropic: [vitest-tool-loop] No model could answer so: expected a call of get_weather, because the request demands that tool, found words only, at script[0]. Correct the turn, or the tool choice the loop sends."
  `);
});

test("the test in which a model is served answers for it, wherever it was made", () => {
  expect(failedIn("served")).toEqual(["speaks one turn of two", "goes past the end"]);
  expect(said("served > speaks one turn of two")).toContain("expected 1 more call of the model");
  expect(said("served > goes past the end")).toContain("call 3, but the script has 2 turns");
});
