/** What the article on testing a tool-calling loop asks for, each as a right loop that passes and a broken one that fails. */
import { expect, onTestFinished, test, vi } from "vitest";
import { type AssistantTurn, type Model, repeat, scriptedModel, toolCall } from "../../src/index.js";
import { runVitest } from "../support/child-vitest.js";
import { failureOf } from "../support/failure.js";
import { loadLoop, loadReference, type Message, pathOf, type RunLoop } from "./loops.js";

const runLoop = await loadReference("openai-chat");
const runAnthropicLoop = await loadReference("anthropic");

const ask: Message[] = [{ role: "user", content: "is locker 12 free?" }];
const isFree = async () => ({ free: true });
const twoTurns = () => scriptedModel(toolCall("is_free", { locker: 12 }), "Locker 12 is free.");

/** The loop one writes first: it trusts the model and the tools, and stops when the model does. */
const naiveLoop: RunLoop = async (model, tools, messages) => {
  const history = [...messages];
  for (;;) {
    const reply = await model(history);
    if (reply.kind === "text") return [...history, { role: "assistant", content: reply.content }];
    history.push({ role: "assistant", content: null, tool_calls: reply.calls.map(asToolCall) });
    for (const call of reply.calls) {
      const result = await tools[call.name]!(JSON.parse(call.arguments) as never);
      history.push({ role: "tool", tool_call_id: call.id, content: JSON.stringify(result) });
    }
  }
};

function asToolCall({ id, name, arguments: args }: { id: string; name: string; arguments: string }) {
  return { id, type: "function", function: { name, arguments: args } };
}

// The seam.

test("a script of plain turns, a spied tool and one comparison of the appended message work as the article has them", async () => {
  const model = scriptedModel(
    { kind: "tool_calls", calls: [{ id: "call_a", name: "is_free", arguments: '{"locker":12}' }] },
    { kind: "text", content: "Locker 12 is free." },
  );
  const tool = vi.fn(isFree);

  const out = await runLoop(model, { is_free: tool }, [{ role: "user", content: "is locker 12 free?" }]);

  expect(tool).toHaveBeenCalledWith({ locker: 12 });
  expect(out.at(-2)).toEqual({ role: "tool", tool_call_id: "call_a", content: JSON.stringify({ free: true }) });
  expect(model).toHaveBeenCalledTimes(2);
  expect(model.seen[0]).toEqual(ask);
});

test("a model function of one's own and a scripted model are the same type", async () => {
  const own: Model<Message> = async (): Promise<AssistantTurn> => ({ kind: "text", content: "Yes." });
  const scripted: Model<Message> = scriptedModel<Message>("Yes.");
  expect(await own(ask)).toEqual(await scripted(ask));
});

test("each call keeps the messages as they were, although the loop goes on to fill the very array it passed", async () => {
  const model = twoTurns();
  const spy = vi.fn((messages: Message[]) => model(messages));
  await naiveLoop(spy, { is_free: isFree }, ask);
  expect(model.seen.map((messages) => messages.length)).toEqual([1, 3]);
  // A double that keeps no copy has two calls with one array, as it was in the end.
  expect(spy.mock.calls.map(([messages]) => messages.length)).toEqual([3, 3]);
});

test("what the loop rewrites later does not reach an earlier call", async () => {
  const blanks = await loadLoop("mutants/openai-chat/old-results-blanked.ts");
  const model = scriptedModel(toolCall("is_free", { locker: 12 }), toolCall("is_free", { locker: 13 }), "Both are.");
  await blanks(model, { is_free: isFree }, ask);
  expect(model.seen[1]![2]!.content).toBe('{"free":true}');
  expect(model.seen[2]![2]!.content).toBe("[removed]");
});

test("a call past the end of the script fails with a sentence", async () => {
  const asksAgain = await loadLoop("mutants/anthropic/extra-call-after-text.ts");
  const model = scriptedModel.lenient<Message>("Yes.");
  await expect(asksAgain(model, {}, ask)).rejects.toThrow(
    "The loop called the model more times than scripted: call 2, but the script has 1 turn.",
  );
});

test("the test of a loop that swallows that sentence, or stops early, fails when it ends", async () => {
  const run = await runVitest({
    files: {
      "loop.test.ts": `
        import { test } from "vitest";
        import { scriptedModel } from "vitest-tool-loop";
        test("stops in time", async () => {
          await scriptedModel("Yes.")([]);
        });
        test("asks again and swallows", async () => {
          const model = scriptedModel("Yes.");
          await model([]);
          await model([]).catch(() => {});
        });
        test("stops early", async () => {
          await scriptedModel("One moment.", "Yes.")([]);
        });`,
    },
  });
  expect(run.failed).toEqual(["asks again and swallows", "stops early"]);
  expect(run.test("asks again and swallows").errors[0]!.message).toContain(
    "The loop called the model more times than scripted: call 2, but the script has 1 turn.",
  );
  expect(run.test("stops early").errors[0]!.message).toContain(
    'The script of "stops early" was not spoken to its end: expected 1 more call of the model, but the loop stopped after 1 call.',
  );
});

// The shapes.

test("OpenAI-shaped: the turn goes back verbatim, then one message for each call, with its id and its content as a string", async () => {
  const args = '{ "locker": 12 }';
  const appended = [
    {
      role: "assistant",
      content: null,
      tool_calls: [
        { id: "call_1", type: "function", function: { name: "is_free", arguments: args } },
        { id: "call_2", type: "function", function: { name: "is_free", arguments: "{}" } },
      ],
    },
    { role: "tool", tool_call_id: "call_1", content: '{"free":true}' },
    { role: "tool", tool_call_id: "call_2", content: '{"free":true}' },
    { role: "assistant", content: "Both are free." },
  ];
  const run = (loop: RunLoop) =>
    loop(scriptedModel([toolCall("is_free", args), toolCall("is_free")], "Both are free."), { is_free: isFree }, ask);

  expect(await run(runLoop)).toHaveAppended(appended);

  const omitsId = await run(await loadLoop("mutants/openai-chat/omits-tool-call-id.ts"));
  expect(failureOf(() => expect(omitsId).toHaveAppended(appended))).toContain(
    "Expected 4 messages appended after the initial message, but messages[2] is not the one expected there.",
  );
  const sendsOne = await run(await loadLoop("mutants/openai-chat/one-result-for-all.ts"));
  expect(failureOf(() => expect(sendsOne).toHaveAppendedToolResult("call_2"))).toContain(
    "Expected a tool result answering call_2, but messages[2] answers only call_1.",
  );
  const rewrites = await run(await loadLoop("mutants/openai-chat/arguments-rewritten.ts"));
  expect(failureOf(() => expect(rewrites).toHaveAppended(appended))).toContain(
    "but messages[1] is not the one expected there.",
  );
});

test("Anthropic-shaped: the call is a block with an input object, and its result a block of a user message", async () => {
  const run = (loop: RunLoop) => loop(twoTurns(), { is_free: isFree }, ask);

  expect(await run(runAnthropicLoop)).toHaveAppended([
    { role: "assistant", content: [{ type: "tool_use", id: "call_1", name: "is_free", input: { locker: 12 } }] },
    { role: "user", content: [{ type: "tool_result", tool_use_id: "call_1", content: '{"free":true}' }] },
    { role: "assistant", content: [{ type: "text", text: "Locker 12 is free." }] },
  ]);

  const ported = await run(await loadLoop("mutants/anthropic/role-tool.ts"));
  expect(failureOf(() => expect(ported).toHaveAppendedToolResult("call_1", { free: true }))).toContain(
    'Expected a tool result answering call_1, but messages[2].content[0] stands in a message with role "tool".',
  );
});

// Control flow.

test("termination: a text turn ends the loop", async () => {
  const model = twoTurns();
  await runAnthropicLoop(model, { is_free: isFree }, ask);
  expect(model).toHaveBeenCalledTimes(2);
  expect(model).toStopWithinTurns(2);

  const asksAgain = await loadLoop("mutants/anthropic/extra-call-after-text.ts");
  const asked = scriptedModel.lenient<Message>(toolCall("is_free"), "It is free.");
  await asksAgain(asked, { is_free: isFree }, ask).catch(() => {});
  expect(failureOf(() => expect(asked).toStopWithinTurns(2))).toContain(
    "Expected the loop to stop within 2 turns, but the model was called 3 times.",
  );
});

test("the turn cap: a model that never stops calling is stopped, and the run says so", async () => {
  const model = scriptedModel(repeat(toolCall("is_free")));
  const out = await runLoop(model, { is_free: isFree }, ask, 5);
  expect(model).toStopWithinTurns(5);
  expect(out.at(-1)).toEqual({ role: "assistant", content: "Stopped after 5 turns." });
  expect(out).toStopWithinTurns(5, { giveUp: "Stopped after 5 turns." });

  const oneMore = await loadLoop("mutants/openai-chat/cap-one-too-many.ts");
  const asked = scriptedModel(repeat(toolCall("is_free")));
  await oneMore(asked, { is_free: isFree }, ask, 5);
  expect(failureOf(() => expect(asked).toStopWithinTurns(5))).toContain(
    "Expected the loop to stop within 5 turns, but the model was called 6 times.",
  );
});

test("no turn cap at all: the loop ends with a sentence, not with the patience of the runner", async () => {
  const model = scriptedModel.lenient<Message>(repeat(toolCall("is_free")));
  await expect(naiveLoop(model, { is_free: isFree }, ask)).rejects.toThrow(
    "The loop does not stop: script[0] is an endless repeat, and it was spoken 100 times, its safety limit.",
  );
});

test("parallel calls: all run, all are answered before the model is asked again, each under its own id", async () => {
  const run = async (loop: RunLoop) => {
    const model = scriptedModel([toolCall("east_wing", {}, "call_e"), toolCall("west_wing", {}, "call_w")], "Both.");
    // The first is done only after the second.
    let westIsDone = () => {};
    const west = new Promise<void>((done) => (westIsDone = done));
    const east_wing = vi.fn(() => west.then(() => "east is free"));
    const west_wing = vi.fn(async () => {
      westIsDone();
      return "west is free";
    });
    await loop(model, { east_wing, west_wing }, ask);
    expect(east_wing).toHaveBeenCalledOnce();
    expect(west_wing).toHaveBeenCalledOnce();
    return model;
  };

  const model = await run(runLoop);
  expect(model.seen[1]).toHaveAppendedToolResult("call_e", "east is free");
  expect(model.seen[1]).toHaveAppendedToolResult("call_w", "west is free");
  expect(model).toMatchToolCallIds(["call_e", "call_w"]);

  const byFinish = await run(await loadLoop("mutants/openai-chat/completion-order.ts"));
  expect(failureOf(() => expect(byFinish).toMatchToolCallIds())).toContain(
    "Expected results in the order of the calls (call_e, call_w), but they stand in the order call_w, call_e.",
  );
  expect(byFinish).toMatchToolCallIds(undefined, { order: "any" });
});

test("an unknown tool: the model reads that it does not exist, and goes on", async () => {
  const model = scriptedModel(toolCall("open_safe"), "I cannot open it.");
  await runLoop(model, { is_free: isFree }, ask);
  expect(model).toHaveBeenCalledTimes(2);
  expect(model.seen[1]).toHaveAppendedToolError("call_1", /no tool named .*open_safe/);

  const throws = scriptedModel.lenient<Message>(toolCall("open_safe"), "I cannot open it.");
  await naiveLoop(throws, { is_free: isFree }, ask).catch(() => {});
  expect(failureOf(() => expect(throws).toHaveAppendedToolError("call_1", /no tool/))).toContain(
    "but nothing was appended after messages[1]",
  );
});

test("a tool that throws: the failure is a result, and nothing of its stack is in it", async () => {
  const disk = vi.fn(async () => {
    throw new Error("EIO: /dev/sdb1");
  });
  const model = scriptedModel(toolCall("disk"), "The disk has a fault.");
  const out = await runLoop(model, { disk }, ask);
  expect(out).toHaveAppendedToolError("call_1", /failed/);
  expect(model).not.toLeak("/dev/sdb1");
  expect(model).not.toLeak();

  const escapes = scriptedModel.lenient<Message>(toolCall("disk"), "The disk has a fault.");
  await expect(naiveLoop(escapes, { disk }, ask)).rejects.toThrow("EIO");
  expect(failureOf(() => escapes.verify())).toContain(
    "expected 1 more call of the model, but the loop stopped after 1 call.",
  );

  const leaks = scriptedModel(toolCall("disk"), "The disk has a fault.");
  await (await loadLoop("mutants/openai-chat/leaks-stack.ts"))(leaks, { disk }, ask);
  expect(failureOf(() => expect(leaks).not.toLeak("/dev/sdb1"))).toContain("messages[2]");
  expect(failureOf(() => expect(leaks).not.toLeak())).toContain("messages[2]");
});

test("arguments that are not JSON: the model reads so, and nothing crashes on JSON.parse", async () => {
  const tool = vi.fn(isFree);
  const model = scriptedModel(toolCall("is_free", '{"locker": 1'), "I mistyped.");
  await runLoop(model, { is_free: tool }, ask);
  expect(tool).not.toHaveBeenCalled();
  expect(model.seen[1]).toHaveAppendedToolError("call_1", /not a JSON object/);

  const crashes = scriptedModel.lenient<Message>(toolCall("is_free", '{"locker": 1'), "I mistyped.");
  await expect(naiveLoop(crashes, { is_free: tool }, ask)).rejects.toThrow(SyntaxError);
  expect(failureOf(() => expect(crashes).toHaveAppendedToolError("call_1", /JSON/))).toContain(
    "but nothing was appended after messages[1]",
  );
});

test("no network happened: a spied fetch tells a loop that phones home", async () => {
  const fetch = vi.spyOn(globalThis, "fetch").mockRejectedValue(new Error("no network"));
  onTestFinished(() => fetch.mockRestore());
  await runLoop(twoTurns(), { is_free: isFree }, ask);
  expect(fetch).not.toHaveBeenCalled();

  const phonesHome: RunLoop = async (model, tools, messages) => {
    await globalThis.fetch("http://usage.invalid/").catch(() => {});
    return runLoop(model, tools, messages);
  };
  await phonesHome(twoTurns(), { is_free: isFree }, ask);
  expect(failureOf(() => expect(fetch).not.toHaveBeenCalled())).toContain("usage.invalid");
});

test("no network happened: a tool that asks outside fails its test, although the loop makes a tool error of it", async () => {
  const run = await runVitest({
    files: {
      "loop.test.ts": `
        import { expect, test } from "vitest";
        import { scriptedModel, toolCall } from "vitest-tool-loop";
        import { runLoop } from ${JSON.stringify(pathOf("reference.openai-chat.ts"))};
        const play = async (is_free) => {
          const model = scriptedModel(toolCall("is_free"), "I do not know.");
          await runLoop(model, { is_free }, [{ role: "user", content: "is locker 12 free?" }]);
          expect(model).toMatchToolCallIds();
        };
        test("stays at home", () => play(async () => ({ free: true })));
        test("asks outside", () => play(async () => (await fetch("http://lockers.invalid/12")).json()));`,
    },
  });
  expect(run.failed).toEqual(["asks outside"]);
  expect(run.test("asks outside").errors.map(({ message }) => message)).toMatchInlineSnapshot(`
    [
      "[vitest-tool-loop] The test "asks outside" made a stray request: GET http://lockers.invalid/12, at loop.test.ts:11:60. It was blocked. Answer it: await network.use(http.get("http://lockers.invalid/12", () => HttpResponse.json({}))); or let it out: network.allow("http://lockers.invalid/12").",
    ]
  `);
});
