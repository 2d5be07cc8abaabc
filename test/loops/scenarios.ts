import { expect, vi } from "vitest";
import { repeat, type ScriptedModel, scriptedModel, toolCall, turn } from "../../src/index.js";
import type { LoopDialect, Message, RunLoop } from "./loops.js";
import type { Promises, Shapes } from "./shapes.js";

/** A loop under test, and what it promises. */
export interface Loop {
  readonly dialect: LoopDialect;
  readonly runLoop: RunLoop;
  readonly promises: Promises;
  readonly shapes: Shapes;
}

/** What a scenario works with. `script` makes a scripted model that is verified when the scenario ends. */
interface Stage extends Loop {
  readonly script: (...items: Parameters<typeof scriptedModel<Message>>) => ScriptedModel<Message>;
}

const ask = (content: string): Message[] => [{ role: "user", content }];
const FERRY = '{"from":"Moss"}';
const SECRETS = ["sk-test-4f1a99", "10.7.0.12", "ledger.ts"];

/** Each is a test as a developer would write it about a loop: a script, a run, and what has to be true afterwards. */
export const scenarios = {
  async "a call is answered"({ runLoop, script }: Stage) {
    const model = script(toolCall("next_ferry", { from: "Moss" }), "The next ferry leaves at 14:20.");
    const nextFerry = vi.fn(async () => ({ leaves: "14:20" }));
    const out = await runLoop(model, { next_ferry: nextFerry }, ask("next ferry from Moss?"));
    expect(nextFerry).toHaveBeenCalledWith({ from: "Moss" });
    expect(out).toHaveAppendedToolResult("call_1", { leaves: "14:20" });
    expect(out).toMatchToolCallIds();
    expect(model).toStopWithinTurns(2);
  },

  async "a run appends exactly the call, the result and the words"({ runLoop, script, shapes }: Stage) {
    const model = script(toolCall("next_ferry", { from: "Moss" }), "At 14:20.");
    const out = await runLoop(model, { next_ferry: async () => ({ leaves: "14:20" }) }, ask("next ferry?"));
    expect(out).toHaveAppended([
      shapes.asked(undefined, { id: "call_1", name: "next_ferry", args: FERRY }),
      ...shapes.answered(["call_1", '{"leaves":"14:20"}']),
      shapes.said("At 14:20."),
    ]);
  },

  async "what a tool returned reaches the model"({ runLoop, script }: Stage) {
    const model = script(toolCall("next_ferry", { from: "Moss" }), "At 14:20.");
    await runLoop(model, { next_ferry: async () => ({ leaves: "14:20" }) }, ask("next ferry?"));
    expect(model).toHaveAppendedToolResult("call_1", { leaves: "14:20" });
  },

  async "words beside a call stay with it"({ runLoop, script, shapes }: Stage) {
    const model = script(turn("Let me look.", toolCall("next_ferry", { from: "Moss" })), "At 14:20.");
    const out = await runLoop(model, { next_ferry: async () => ({ leaves: "14:20" }) }, ask("next ferry?"));
    expect(out).toMatchToolCallIds();
    expect(out).toHaveAppended([
      shapes.asked("Let me look.", { id: "call_1", name: "next_ferry", args: FERRY }),
      ...shapes.answered(["call_1", '{"leaves":"14:20"}']),
      shapes.said("At 14:20."),
    ]);
  },

  async "parallel calls are answered in the order they were asked"({ runLoop, script }: Stage) {
    const model = script([toolCall("slow"), toolCall("quick")], "Both are here.");
    const tools = { slow: () => later("tortoise"), quick: async () => "hare" };
    const out = await runLoop(model, tools, ask("who is here?"));
    expect(out).toMatchToolCallIds(["call_1", "call_2"]);
    expect(out).toHaveAppendedToolResult("call_1", "tortoise");
    expect(out).toHaveAppendedToolResult("call_2", "hare");
  },

  async "parallel calls run at the same time"({ runLoop, script }: Stage) {
    const model = script([toolCall("slow"), toolCall("quick")], "Both are here.");
    const log: string[] = [];
    const slow = async () => {
      log.push("slow starts");
      await later(undefined);
      log.push("slow ends");
    };
    const quick = async () => {
      log.push("quick starts");
    };
    await runLoop(model, { slow, quick }, ask("who is here?"));
    expect(log).toEqual(["slow starts", "quick starts", "slow ends"]);
  },

  async "each turn goes on from the one before"({ runLoop, script }: Stage) {
    const model = script(
      toolCall("find", { q: "boats" }, "toolu_b1"),
      toolCall("open", { n: 4 }, "toolu_b2"),
      "Boat 4 is red.",
    );
    const tools = { find: async () => [4], open: async () => ({ colour: "red" }) };
    const out = await runLoop(model, tools, ask("colour of the boat?"));
    expect(model).toKeepCachePrefix();
    expect(out).toMatchToolCallIds(["toolu_b1", "toolu_b2"]);
  },

  async "the same call runs again in a later turn"({ runLoop, script }: Stage) {
    const model = script(toolCall("queue_length"), toolCall("queue_length"), "It grows.");
    let cars = 10;
    const out = await runLoop(model, { queue_length: async () => ({ cars: cars++ }) }, ask("does it grow?"));
    expect(out).toHaveAppendedToolResult("call_1", { cars: 10 });
    expect(out).toHaveAppendedToolResult("call_2", { cars: 11 });
  },

  async "an unknown tool is an error the model hears of"({ runLoop, script }: Stage) {
    const model = script([toolCall("next_train"), toolCall("next_ferry")], "There is only a ferry.");
    await runLoop(model, { next_ferry: async () => "14:20" }, ask("how do I get there?"));
    expect(model).toHaveAppendedToolError("call_1", /(no tool named|Unknown tool).*next_train/);
    expect(model).toHaveAppendedToolResult("call_2", "14:20");
    expect(model).toHaveFinishedScript();
  },

  async "a name every object inherits is an unknown tool"({ runLoop, script }: Stage) {
    const model = script(toolCall("toString"), "No such tool.");
    const out = await runLoop(model, { next_ferry: async () => "14:20" }, ask("hm?"));
    expect(out).toHaveAppendedToolError("call_1", /no tool named|Unknown tool/);
  },

  async "a throwing tool fails its own call only"({ runLoop, script }: Stage) {
    const model = script([toolCall("charge"), toolCall("next_ferry")], "The ferry leaves at 14:20.");
    const charge = vi.fn(() => Promise.reject(new Error("card refused"))).mockName("charge");
    const run = runLoop(model, { charge, next_ferry: async () => "14:20" }, ask("pay, and when?"));
    await expect(run).resolves.toHaveAppendedToolError("call_1", /failed/);
    expect(model).toHaveAppendedToolResult("call_2", "14:20");
    expect(charge).toHaveBeenCalledTimes(1);
  },

  async "a thrown value that is no Error is a failure like any other"({ runLoop, script }: Stage) {
    const model = script(toolCall("charge"), "It did not work.");
    const run = runLoop(model, { charge: () => Promise.reject("card refused") }, ask("pay"));
    await expect(run).resolves.toHaveAppendedToolError("call_1", /failed/);
  },

  async "nothing private of a failure reaches the model"({ runLoop, script }: Stage) {
    const model = script(toolCall("charge"), "It did not work.");
    const cause = new Error("connect 10.7.0.12");
    const error = new Error("key sk-test-4f1a99 refused", { cause });
    error.stack = `Error: refused\n    at charge (/srv/bank/ledger.ts:7:9)`;
    await runLoop(model, { charge: () => Promise.reject(error) }, ask("pay"));
    expect(model).not.toLeak(...SECRETS);
    expect(model).not.toLeak();
  },

  async "arguments that are not JSON run nothing"({ runLoop, script }: Stage) {
    const model = script(toolCall("next_ferry", '{"from": "Mo'), "Something went wrong.");
    const nextFerry = vi.fn(async () => "14:20").mockName("next_ferry");
    const out = await runLoop(model, { next_ferry: nextFerry }, ask("next ferry?"));
    expect(out).toHaveAppendedToolError("call_1", /JSON object/);
    expect(nextFerry).not.toHaveBeenCalled();
  },

  async "arguments that are no object run nothing"({ runLoop, script }: Stage) {
    const model = script(toolCall("next_ferry", "[1,2]"), "Something went wrong.");
    const nextFerry = vi.fn(async () => "14:20").mockName("next_ferry");
    const out = await runLoop(model, { next_ferry: nextFerry }, ask("next ferry?"));
    expect(out).toHaveAppendedToolError("call_1", /JSON object/);
    expect(nextFerry).not.toHaveBeenCalled();
  },

  async "the conversation with a malformed call is still accepted"({ runLoop, script, dialect }: Stage) {
    const model = script(toolCall("next_ferry", '{"from": "Mo'), "Something went wrong.");
    const out = await runLoop(model, { next_ferry: async () => "14:20" }, ask("next ferry?"));
    expect(out).toBeAcceptedBy(dialect);
  },

  async "arguments go back as the model wrote them"({ runLoop, script, shapes }: Stage) {
    const args = '{ "berth": 12345678901234567890 }';
    const model = script(toolCall("open", args), "Open.");
    const out = await runLoop(model, { open: async () => ({ open: true }) }, ask("open it"));
    expect(out).toHaveAppended([
      shapes.asked(undefined, { id: "call_1", name: "open", args }),
      ...shapes.answered(["call_1", '{"open":true}']),
      shapes.said("Open."),
    ]);
  },

  async "a __proto__ key is a key"({ runLoop, script }: Stage) {
    const model = script(toolCall("grant", '{"__proto__":{"admin":true}}'), "Done.");
    const grant = async ({ admin = false }: { admin?: boolean }) => ({ admin });
    const out = await runLoop(model, { grant }, ask("grant it"));
    expect(out).toHaveAppendedToolResult("call_1", { admin: false });
  },

  async "a tool that edits its arguments edits no other call"({ runLoop, script, shapes }: Stage) {
    const model = script([toolCall("note", ""), toolCall("note", "")], "Noted.");
    const note = async (args: Record<string, unknown>) => {
      const found = Object.keys(args);
      args.edited = true;
      return { found };
    };
    const out = await runLoop(model, { note }, ask("note it twice"));
    expect(out).toHaveAppendedToolResult("call_1", { found: [] });
    expect(out).toHaveAppendedToolResult("call_2", { found: [] });
    expect(out.at(-1)).toEqual(shapes.said("Noted."));
  },

  async "a tool that edits its arguments edits no history"({ runLoop, script, shapes }: Stage) {
    const model = script(toolCall("next_ferry", { from: "Moss" }), "At 14:20.");
    const nextFerry = async (args: Record<string, unknown>) => {
      args.from = "edited";
      return { leaves: "14:20" };
    };
    const out = await runLoop(model, { next_ferry: nextFerry }, ask("next ferry?"));
    expect(out).toHaveAppended([
      shapes.asked(undefined, { id: "call_1", name: "next_ferry", args: FERRY }),
      ...shapes.answered(["call_1", '{"leaves":"14:20"}']),
      shapes.said("At 14:20."),
    ]);
  },

  async "a result of any kind can be sent"({ runLoop, script, promises }: Stage) {
    const model = script([toolCall("nothing"), toolCall("object"), toolCall("words"), toolCall("zero")], "All four.");
    const tools = {
      nothing: async () => undefined,
      object: async () => ({ berths: [1, 2] }),
      words: async () => "by the pier",
      zero: async () => 0,
    };
    const out = await runLoop(model, tools, ask("all of them"));
    expect(out).toHaveAppendedToolResult("call_1", promises.nothing);
    expect(out).toHaveAppendedToolResult("call_2", { berths: [1, 2] });
    expect(out).toHaveAppendedToolResult("call_3", "by the pier");
    expect(out).toHaveAppendedToolResult("call_4", 0);
  },

  async "a result that JSON cannot hold does not end the run"({ runLoop, script }: Stage) {
    const model = script(toolCall("count"), "A great many.");
    const run = runLoop(model, { count: async () => ({ drops: 2n ** 64n }) }, ask("how many drops?"));
    await expect(run).resolves.toHaveAppendedToolResult("call_1");
  },

  async "a loop that is never told to stop stops at its cap"({ runLoop, script, promises }: Stage) {
    const model = script(repeat(toolCall("search")));
    const run = runLoop(model, { search: async () => "nothing" }, ask("find it"), 3);
    if (promises.cap === "throws") {
      await expect(run).rejects.toThrow("3 turns");
      expect(model).toStopWithinTurns(3);
    } else {
      const out = await run;
      expect(model).toStopWithinTurns(3);
      expect(out).toStopWithinTurns(3, { giveUp: promises.giveUp });
      expect(out).toMatchToolCallIds();
    }
  },

  async "without a cap of one's own it is 8"({ runLoop, script }: Stage) {
    const model = script(repeat(toolCall("search")));
    await runLoop(model, { search: async () => "nothing" }, ask("find it")).catch(() => {});
    expect(model).toStopWithinTurns(8);
    expect(model).toHaveBeenCalledTimes(8);
  },

  async "the cap counts turns, and the last one may still be words"({ runLoop, script, shapes }: Stage) {
    const three = [toolCall("look"), toolCall("look"), toolCall("look")];
    const model = script(three, three, "Found it.");
    const out = await runLoop(model, { look: async () => "nothing" }, ask("find it"), 3);
    expect(model).toHaveFinishedScript();
    expect(out.at(-1)).toEqual(shapes.said("Found it."));
  },

  async "a model that fails ends the run, and is asked once"({ runLoop, script }: Stage) {
    const model = script(new Error("upstream is down"));
    await expect(runLoop(model, {}, ask("anyone?"))).rejects.toThrow("upstream is down");
  },

  async "the caller's messages stay as they were"({ runLoop, script }: Stage) {
    const model = script(toolCall("next_ferry"), "At 14:20.");
    const messages = ask("next ferry?");
    await runLoop(model, { next_ferry: async () => "14:20" }, messages);
    expect(messages).toEqual([{ role: "user", content: "next ferry?" }]);
  },
} satisfies Record<string, (stage: Stage) => Promise<void>>;

export type ScenarioTitle = keyof typeof scenarios;

/** Plays a scenario on a loop; rejects with what the scenario's author would read. */
export async function play(title: ScenarioTitle, loop: Loop): Promise<void> {
  const models: ScriptedModel<Message>[] = [];
  const script: Stage["script"] = (...items) => {
    const model = scriptedModel.lenient<Message>(...items);
    models.push(model);
    return model;
  };
  await scenarios[title]({ ...loop, script });
  // What the setup line does when a test ends.
  for (const model of models) model.verify();
}

/** Resolves behind everything that is already on its way. */
function later<T>(value: T): Promise<T> {
  return new Promise((done) => setImmediate(() => done(value)));
}
