import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { expect, test } from "vitest";
import { repeat, scriptedModel } from "../../src/index.js";
import { MessageLog } from "../../src/script/message-log.js";

interface Message {
  role: string;
  content: string;
}

const said = (content: string): Message => ({ role: "user", content });

test("messages that did not change share one frozen copy between calls, whether the loop copies its array or not", () => {
  const log = new MessageLog<Message>();
  const messages = [said("a"), said("b")];
  const first = log.add(messages)();
  messages.push(said("c"));
  const second = log.add(structuredClone(messages))();
  expect(second).toEqual([said("a"), said("b"), said("c")]);
  expect(second[0]).toBe(first[0]);
  expect(second[1]).toBe(first[1]);
  expect(Object.isFrozen(first[0])).toBe(true);
  expect(messages.some((message) => Object.isFrozen(message))).toBe(false);
});

test("a message changed in place gets a copy of its own; the earlier call keeps the old one", () => {
  const log = new MessageLog<Message>();
  const messages = [said("a"), said("b"), said("c")];
  const first = log.add(messages);
  messages[1]!.content = "changed";
  const second = log.add(messages);
  expect(first()).toEqual([said("a"), said("b"), said("c")]);
  expect(second()).toEqual([said("a"), said("changed"), said("c")]);
  expect(second()[2]).toBe(first()[2]);
});

test("a call with fewer messages does not disturb the calls around it", () => {
  const log = new MessageLog<Message>();
  const calls = [
    [said("a"), said("b"), said("c")],
    [said("a")],
    [said("a"), said("x")],
    [said("a"), said("x"), said("c"), said("d")],
    [],
    [said("z")],
  ];
  const views = calls.map((messages) => log.add(messages));
  expect(views.map((view) => view())).toEqual(calls);
});

test("the same array is given each time a call is read", () => {
  const read = new MessageLog<Message>().add([said("a")]);
  const held = read();
  expect(read()).toBe(held);
});

test("a hole and undefined are messages like any other", () => {
  const log = new MessageLog<unknown>();
  // biome-ignore lint/suspicious/noSparseArray: the hole is the point.
  expect(log.add([, undefined, null, 1])()).toEqual([undefined, undefined, null, 1]);
});

test("a dialect says how its live messages are copied; what it says nothing about is copied as usual", () => {
  class Sealed {
    #content = "a";
    kind = "live";
    change(content: string) {
      this.#content = content;
    }
    toPlain() {
      return { kind: "plain", content: this.#content };
    }
  }
  const log = new MessageLog<unknown>((message) => (message instanceof Sealed ? message.toPlain() : undefined));
  const live = new Sealed();
  const first = log.add([live, said("b")])();
  const second = log.add([live, said("b")])();
  live.change("changed");
  const third = log.add([live, said("b")])();
  expect(first).toEqual([{ kind: "plain", content: "a" }, said("b")]);
  expect(second[0]).toBe(first[0]);
  expect(third[0]).toEqual({ kind: "plain", content: "changed" });
  expect(Object.isFrozen(first[0])).toBe(false);
});

test("recording a growing conversation costs memory linear in the number of calls", async () => {
  setFlagsFromString("--expose-gc");
  const collect: () => void = runInNewContext("gc");
  const heapOf = async (calls: number): Promise<number> => {
    const model = scriptedModel(repeat("ok", { times: calls }));
    const messages: Message[] = [];
    collect();
    const before = process.memoryUsage().heapUsed;
    for (let call = 0; call < calls; call++) {
      messages.push(said(`question ${call}`), said(`answer ${call}`));
      await model(messages);
    }
    collect();
    const used = process.memoryUsage().heapUsed - before;
    expect(model.seen).toHaveLength(calls);
    return used;
  };
  await heapOf(200); // code and shapes that any run needs
  const ratio = (await heapOf(1200)) / (await heapOf(300));
  // Four times the calls: 4 when linear, 16 when each call holds an array of its own.
  expect(ratio).toBeLessThan(6);
});
