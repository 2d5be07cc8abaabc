import { runInNewContext } from "node:vm";
import { describe, expect, test } from "vitest";
import { toolCall } from "../../src/index.js";
import { DIALECTS, spokenModel, weather } from "../support/conversations.js";
import { diffOf, failureOf } from "../support/failure.js";

const tools = [{ name: "search", input_schema: { type: "object", required: ["q"] } }, { name: "book" }];

function bodies(...changes: object[]): Record<string, unknown>[] {
  const messages = weather("anthropic");
  return changes.map((change, index) => ({
    system: "You are helpful.",
    tools,
    messages: messages.slice(0, 1 + 2 * index),
    ...change,
  }));
}

describe.each(DIALECTS)("in %s", (dialect) => {
  test("passes when each request only adds to the one before it", async () => {
    expect(await spokenModel([toolCall("search"), toolCall("book"), "done"], { dialect })).toKeepCachePrefix();
    expect([weather(dialect).slice(0, 1), weather(dialect).slice(0, 3)]).toKeepCachePrefix();
    expect([]).toKeepCachePrefix();
  });

  test("fails when earlier messages are dropped, changed or put in another order", () => {
    const messages = weather(dialect);
    expect([messages, messages.slice(1)]).not.toKeepCachePrefix();
    expect([messages, messages.slice(0, 2)]).not.toKeepCachePrefix();
    expect([messages, [{ role: "user", content: "weather in Rome?" }, ...messages.slice(1)]]).not.toKeepCachePrefix();
    expect([messages, [...messages].reverse()]).not.toKeepCachePrefix();
  });
});

test("fails when tools or system text change", () => {
  expect(bodies({}, {})).toKeepCachePrefix();
  expect(bodies({}, { system: "You are helpful. It is 10:32." })).not.toKeepCachePrefix();
  expect(bodies({}, { tools: tools.slice(0, 1) })).not.toKeepCachePrefix();
  expect(bodies({}, { tools: [...tools].reverse() })).not.toKeepCachePrefix();
  expect(bodies({}, { tools: [...tools, { name: "more" }] })).not.toKeepCachePrefix();
});

test("fails when keys come in another order: they are sent as they stand", () => {
  const call = (input: object) => ({ role: "assistant", content: [{ type: "tool_use", id: "a", name: "b", input }] });
  expect([[call({ x: 1, y: 2 })], [call({ x: 1, y: 2 })]]).toKeepCachePrefix();
  expect([[call({ x: 1, y: 2 })], [call({ y: 2, x: 1 })]]).not.toKeepCachePrefix();
});

test("lets cache markers move on", () => {
  const text = (text: string, marked: boolean) => ({
    role: "user",
    content: [{ type: "text", text, ...(marked ? { cache_control: { type: "ephemeral" } } : {}) }],
  });
  expect([[text("a", true)], [text("a", false), text("b", true)]]).toKeepCachePrefix();
  expect([[text("a", true)], [{ role: "user", content: "a" }, text("b", true)]]).toKeepCachePrefix();
  expect([[text("a", true)], [text("b", false)]]).not.toKeepCachePrefix();
  const point = { cachePoint: { type: "default" } };
  expect([
    [{ role: "user", content: [{ text: "a" }, point] }],
    [
      { role: "user", content: [{ text: "a" }] },
      { role: "user", content: [{ text: "b" }, point] },
    ],
  ]).toKeepCachePrefix();
  const marked = { providerOptions: { any: { cacheControl: { type: "ephemeral" } } } };
  expect([
    [{ role: "user", content: "a", ...marked }],
    [
      { role: "user", content: "a" },
      { role: "user", content: "b", ...marked },
    ],
  ]).toKeepCachePrefix();
});

test("lets the named requests break it, and compares from there on", () => {
  const [first, second] = [weather("openai-chat"), [{ role: "user", content: "In short: 14 degrees." }]];
  expect([first, second]).not.toKeepCachePrefix();
  expect([first, second, second]).toKeepCachePrefix({ except: [1] });
  expect([first, second, first]).not.toKeepCachePrefix({ except: [1] });
});

test("says which message changed, and leaves the diff to Vitest", () => {
  const messages = weather("openai-chat");
  const changed = [{ role: "user", content: "weather in Paris? (10:32)" }, ...messages.slice(1)];
  const assertion = () => expect([messages.slice(0, 1), changed]).toKeepCachePrefix();
  expect(failureOf(assertion)).toMatchInlineSnapshot(`
    "expect(messages).toKeepCachePrefix()

    Expected each request to begin with the whole previous one, but requests[1][0] is not what it was in requests[0].

        requests[0][0]  {"role":"user","content":"weather in Paris?"}
      > requests[1][0]  {"role":"user","content":"weather in Paris? (10:32)"}

    From that place on, the provider reads nothing from its cache. Leave what was sent as it is, and append what changes (a date, an id, a state) at the end. If requests[1] compacts the history on purpose, say { except: [1] }."
  `);
  expect(diffOf(assertion)).toEqual({ actual: changed[0], expected: messages[0] });
});

test("says that the system text changed", () => {
  const requests = bodies({ system: "It is 10:31." }, { system: "It is 10:32." });
  expect(failureOf(() => expect(requests).toKeepCachePrefix())).toMatchInlineSnapshot(`
    "expect(messages).toKeepCachePrefix()

    Expected each request to begin with the whole previous one, but requests[1].system is not what it was in requests[0].

        requests[0].system  "It is 10:31."
      > requests[1].system  "It is 10:32."

    From that place on, the provider reads nothing from its cache. Leave what was sent as it is, and append what changes (a date, an id, a state) at the end. If requests[1] compacts the history on purpose, say { except: [1] }."
  `);
});

test("says that messages are gone", async () => {
  const model = await spokenModel([toolCall("search"), "done"]);
  await model([{ role: "user", content: "weather in Paris?" }]).catch(() => {});
  expect(failureOf(() => expect(model).toKeepCachePrefix())).toMatchInlineSnapshot(`
    "expect(model).toKeepCachePrefix()

    Expected each request to begin with the whole previous one, but requests[2] has only 1 of the 3 messages of requests[1].

        requests[1].messages[1]  {"role":"assistant","content":null,"tool_calls":[{"id":"call_1","type":"function","function":{"name":"search","arguments… (130 characters)

    From that place on, the provider reads nothing from its cache. Leave what was sent as it is, and append what changes (a date, an id, a state) at the end. If requests[2] compacts the history on purpose, say { except: [2] }."
  `);
});

test(".not says that each request keeps it", async () => {
  const model = await spokenModel([toolCall("search"), "done"]);
  expect(failureOf(() => expect(model).not.toKeepCachePrefix())).toMatchInlineSnapshot(`
    "expect(model).not.toKeepCachePrefix()

    Expected some request not to begin with the whole previous one, but each of 2 requests does."
  `);
});

test(".not says so where there was only one request", async () => {
  const model = await spokenModel(["done"]);
  expect(failureOf(() => expect(model).not.toKeepCachePrefix())).toMatchInlineSnapshot(`
    "expect(model).not.toKeepCachePrefix()

    Expected some request not to begin with the whole previous one, but there was only 1 request."
  `);
});

test("refuses messages of one request, and what is no request at all", () => {
  expect(failureOf(() => expect(weather("openai-chat")).toKeepCachePrefix())).toMatchInlineSnapshot(
    `"[vitest-tool-loop] toKeepCachePrefix() needs requests: expected a list of messages or an object with messages at requests[0], found an object with role, content. These are messages: pass the scripted model that got them."`,
  );
  expect(failureOf(() => expect([[], "x"]).not.toKeepCachePrefix())).toMatchInlineSnapshot(
    `"[vitest-tool-loop] toKeepCachePrefix() needs requests: expected a list of messages or an object with messages at requests[1], found the string "x"."`,
  );
  // @ts-expect-error a list is needed
  expect(failureOf(() => expect([]).toKeepCachePrefix({ except: 1 }))).toMatchInlineSnapshot(
    `"[vitest-tool-loop] toKeepCachePrefix() cannot use the option except: expected a list of request numbers from 1, found 1."`,
  );
});

test("refuses an exception for a request that was never made, and for the first", () => {
  const requests = [[{ role: "user", content: "hi" }], [{ role: "user", content: "bye" }]];
  expect(requests).toKeepCachePrefix({ except: [1] });
  expect(failureOf(() => expect(requests).toKeepCachePrefix({ except: [2] }))).toMatchInlineSnapshot(
    `"[vitest-tool-loop] toKeepCachePrefix() cannot use the option except: expected the number of a request that was made (there are requests[0] to [1]), found 2."`,
  );
  expect(failureOf(() => expect(requests).toKeepCachePrefix({ except: [0] }))).toMatchInlineSnapshot(
    `"[vitest-tool-loop] toKeepCachePrefix() cannot use the option except: expected a list of request numbers from 1, found [0]."`,
  );
});

test("overlooks cache markers in objects of another realm, as tests in a VM make them", () => {
  const texts = '{ role: "user", content: [{ type: "text", text: "hi"';
  const marked = runInNewContext(`(${texts}, cache_control: { type: "ephemeral" } }] })`);
  const plain = runInNewContext(`(${texts} }] })`);
  expect([{ messages: [marked] }, { messages: [plain, { role: "assistant", content: "hello" }] }]).toKeepCachePrefix();
});
