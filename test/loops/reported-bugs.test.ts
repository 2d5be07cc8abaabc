/** Five bugs that users of other projects reported: the loop that has it, the mended one, and what a test says about them. */
import { expect, test, vi } from "vitest";
import { type Model, repeat, scriptedModel, serverError, type ToolCall, toolCall } from "../../src/index.js";
import { failureOf } from "../support/failure.js";
import type { Message, Tools } from "./loops.js";

const ask: Message[] = [{ role: "user", content: "book berth 7 and pay for it" }];

function asked(calls: readonly ToolCall[]): Message {
  const wire = calls.map(({ id, name, arguments: args }) => ({
    id,
    type: "function",
    function: { name, arguments: args },
  }));
  return { role: "assistant", content: null, tool_calls: wire };
}

async function answer(call: ToolCall, tools: Tools): Promise<Message> {
  const result = await tools[call.name]!(JSON.parse(call.arguments) as never);
  return { role: "tool", tool_call_id: call.id, content: JSON.stringify(result) };
}

/** Goes on with `history`, in place, until the model has spoken. */
async function goOn(model: Model<Message>, tools: Tools, history: Message[], answerWith = answer): Promise<Message[]> {
  for (;;) {
    const reply = await model(history);
    if (reply.kind === "text") {
      history.push({ role: "assistant", content: reply.content });
      return history;
    }
    history.push(asked(reply.calls));
    for (const call of reply.calls) history.push(await answerWith(call, tools));
  }
}

// https://github.com/agno-agi/agno/issues/10366
test("a retried run pays twice, because it starts from the first message again", async () => {
  const runWithRetry = async (mended: boolean, model: Model<Message>, tools: Tools) => {
    const history = [...ask];
    return goOn(model, tools, history).catch(() => goOn(model, tools, mended ? history : [...ask]));
  };
  const run = async (mended: boolean) => {
    const pay = vi.fn(async () => ({ paid: 40 }));
    const model = scriptedModel<Message>(
      toolCall("pay", { amount: 40 }),
      serverError(),
      repeat((messages) => (messages.at(-1)!.role === "tool" ? "Paid." : toolCall("pay", { amount: 40 }))),
    );
    await runWithRetry(mended, model, { pay });
    return { model, pay };
  };

  const mended = await run(true);
  expect(mended.pay).toHaveBeenCalledOnce();
  expect(mended.model).toHaveCalledToolsInOrder([["pay", { amount: 40 }]]);
  expect(mended.model).toKeepCachePrefix();

  const { model, pay } = await run(false);
  expect(pay).toHaveBeenCalledTimes(2);
  expect(failureOf(() => expect(model).toHaveCalledToolsInOrder([["pay", { amount: 40 }]]))).toMatchInlineSnapshot(`
    "expect(model).toHaveCalledToolsInOrder(calls)

    Expected exactly 1 call in this order, but turns[1].calls[0] (pay) is one too many.

        turns[0].calls[0]  pay({"amount":40})  call_1
      > turns[1].calls[0]  pay({"amount":40})  call_2

    Look for a step that ran twice, too early or not at all; or correct the list of expected calls."
  `);
  expect(failureOf(() => expect(model).toKeepCachePrefix())).toMatchInlineSnapshot(`
    "expect(model).toKeepCachePrefix()

    Expected each request to begin with the whole previous one, but requests[2] has only 1 of the 3 messages of requests[1].

        requests[1].messages[1]  {"role":"assistant","content":null,"tool_calls":[{"id":"call_1","type":"function","function":{"name":"pay","arguments":"… (140 characters)

    From that place on, the provider reads nothing from its cache. Leave what was sent as it is, and append what changes (a date, an id, a state) at the end. If requests[2] compacts the history on purpose, say { except: [2] }."
  `);
});

// https://github.com/openclaw/openclaw/issues/116379
test("an aborted run leaves a call that nothing answers, and every later request fails on it", async () => {
  const runUntilAborted = async (mended: boolean, model: Model<Message>, tools: Tools, signal: AbortSignal) => {
    const history = [...ask];
    const reply = await model(history);
    if (reply.kind === "text") return history;
    history.push(asked(reply.calls));
    for (const call of reply.calls) {
      if (!signal.aborted) history.push(await answer(call, tools));
      else if (mended) history.push({ role: "tool", tool_call_id: call.id, content: '{"error":"Cancelled."}' });
    }
    return history;
  };
  const run = (mended: boolean) => {
    const user = new AbortController();
    const book = async () => {
      user.abort();
      return "booked";
    };
    const model = scriptedModel([toolCall("book", { berth: 7 }), toolCall("pay", { amount: 40 })]);
    return runUntilAborted(mended, model, { book, pay: async () => "paid" }, user.signal);
  };

  expect(await run(true)).toMatchToolCallIds();
  const aborted = await run(false);
  expect(failureOf(() => expect(aborted).toMatchToolCallIds())).toMatchInlineSnapshot(`
    "expect(messages).toMatchToolCallIds()

    Expected every call to be answered once, by its own id, before the next turn, but nothing answers call_2.

        messages[0]  user       "book berth 7 and pay for it"
        messages[1]  assistant  book({"berth":7})  call_1
      >                         pay({"amount":40})  call_2
        messages[2]  tool       answers call_1  "\\"booked\\""

    OpenAI Chat Completions would answer 400: An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'. The following tool_call_ids did not have response messages: call_2 (openai-chat/unanswered-call)
    Insert { role: "tool", tool_call_id: "call_2", content: "…" } directly after messages[1], in any order with its other results."
  `);
});

// https://github.com/openai/openai-agents-python/issues/3004
test("a batch with one call that waits for approval loses the result of the other", async () => {
  const runToApproval = async (mended: boolean, model: Model<Message>, tools: Tools) => {
    const history = [...ask];
    const reply = await model(history);
    if (reply.kind === "text") return history;
    history.push(asked(reply.calls));
    const free = reply.calls.filter(({ name }) => name !== "pay");
    const results = await Promise.all(free.map((call) => answer(call, tools)));
    return mended ? [...history, ...results] : history;
  };
  const run = async (mended: boolean) => {
    const book = vi.fn(async () => ({ berth: 7 }));
    const pay = vi.fn(async () => ({ paid: 40 }));
    const tools = { book, pay };
    const model = scriptedModel<Message>(
      [toolCall("book", { berth: 7 }), toolCall("pay", { amount: 40 })],
      "Booked and paid.",
    );
    const paused = await runToApproval(mended, model, tools);
    expect(pay).not.toHaveBeenCalled();
    const approved = await answer({ id: "call_2", name: "pay", arguments: '{"amount":40}' }, tools);
    await goOn(model, tools, [...paused, approved]);
    expect(book).toHaveBeenCalledOnce();
    return { paused, model };
  };

  const mended = await run(true);
  expect(mended.paused).toMatchToolCallIds(["call_1"], { open: ["call_2"] });
  expect(mended.model).toMatchToolCallIds(["call_1", "call_2"]);

  const { paused, model } = await run(false);
  expect(failureOf(() => expect(paused).toMatchToolCallIds(["call_1"], { open: ["call_2"] }))).toMatchInlineSnapshot(`
    "expect(messages).toMatchToolCallIds(["call_1"])

    Expected every call to be answered once, by its own id, before the next turn, but nothing answers call_1.

        messages[0]  user       "book berth 7 and pay for it"
      > messages[1]  assistant  book({"berth":7})  call_1
                                pay({"amount":40})  call_2

    Answer call_1 directly after messages[1]; only call_2 may stay open."
  `);
  expect(failureOf(() => expect(model).toHaveAppendedToolResult("call_1", { berth: 7 }))).toMatchInlineSnapshot(`
    "expect(model).toHaveAppendedToolResult("call_1", result)

    Expected a tool result answering call_1, but messages[2] answers only call_2.

        messages[0]  user       "book berth 7 and pay for it"
      > messages[1]  assistant  book({"berth":7})  call_1
                                pay({"amount":40})  call_2
        messages[2]  tool       answers call_2  "{\\"paid\\":40}"
        messages[3]  assistant  "Booked and paid."

    OpenAI Chat Completions would answer 400: An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'. The following tool_call_ids did not have response messages: call_1 (openai-chat/unanswered-call)
    Insert { role: "tool", tool_call_id: "call_1", content: "{\\"berth\\":7}" } directly after messages[1]."
  `);
});

// https://github.com/launchdarkly/js-core/pull/1338
test("a tool that returns nothing gives a result without content", async () => {
  const answerInText: typeof answer = async (call, tools) => {
    const message = await answer(call, tools);
    return { ...message, content: message.content ?? "(no output)" };
  };
  const run = (answerWith: typeof answer) => {
    const model = scriptedModel<Message>(toolCall("release", { berth: 7 }), "Released.");
    return goOn(model, { release: async () => {} }, [...ask], answerWith);
  };

  expect(await run(answerInText)).toHaveAppendedToolResult("call_1", "(no output)");
  const out = await run(answer);
  expect(failureOf(() => expect(out).toHaveAppendedToolResult("call_1"))).toMatchInlineSnapshot(`
    "expect(messages).toHaveAppendedToolResult("call_1")

    Expected a tool result answering call_1, but messages[2] answers it in a shape that the API refuses.

        messages[0]  user       "book berth 7 and pay for it"
        messages[1]  assistant  release({"berth":7})  call_1
      > messages[2]  tool       answers call_1  (no content)
        messages[3]  assistant  "Released."

    OpenAI Chat Completions would answer 400: Invalid type for 'messages[2].content': expected a string, but got nothing instead. (openai-chat/result-content-type)
    Write the result as text: content: ""."
  `);
});

// https://github.com/open-webui/open-webui/issues/28305
test("a call whose id an earlier turn used is dropped, and its result is kept", async () => {
  const runWithIdSet = async (mended: boolean, model: Model<Message>, tools: Tools) => {
    const history = [...ask];
    const known = new Set<string>();
    for (;;) {
      const reply = await model(history);
      if (reply.kind === "text") return [...history, { role: "assistant", content: reply.content }];
      const fresh = mended ? reply.calls : reply.calls.filter(({ id }) => !known.has(id));
      if (fresh.length > 0) history.push(asked(fresh));
      for (const call of reply.calls) {
        known.add(call.id);
        history.push(await answer(call, tools));
      }
    }
  };
  const run = (mended: boolean) => {
    const model = scriptedModel<Message>(
      toolCall("list", { dock: "north" }, "list:0"),
      toolCall("list", { dock: "south" }, "list:0"),
      "Both are full.",
    );
    return runWithIdSet(mended, model, { list: async ({ dock }: { dock: string }) => `${dock} is full` });
  };

  expect(await run(true)).toMatchToolCallIds(["list:0", "list:0"]);
  const out = await run(false);
  expect(failureOf(() => expect(out).toMatchToolCallIds())).toMatchInlineSnapshot(`
    "expect(messages).toMatchToolCallIds()

    Expected every call to be answered once, by its own id, before the next turn, but messages[3] answers list:0 a second time.

        messages[0]  user       "book berth 7 and pay for it"
        messages[1]  assistant  list({"dock":"north"})  list:0
        messages[2]  tool       answers list:0  "\\"north is full\\""
      > messages[3]  tool       answers list:0  "\\"south is full\\""
        messages[4]  assistant  "Both are full."

    OpenAI Chat Completions would answer 400: Duplicate value for 'tool_call_id' of list:0 in message[3] (openai-chat/duplicate-id)
    Append one tool message for list:0: messages[2] answers it already."
  `);
});
