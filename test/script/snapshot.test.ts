import fc from "fast-check";
import { expect, test } from "vitest";
import { copyOut, scriptedModel, snapshot } from "../../src/script/index.js";

/** Everything a JSON-like message may hold, `__proto__` keys, Dates and holes included. */
const values = fc.anything({
  withDate: true,
  withMap: true,
  withSet: true,
  withNullPrototype: true,
  withSparseArray: true,
  withTypedArray: true,
  withBigInt: true,
  key: fc.oneof(fc.string(), fc.constantFrom("__proto__", "constructor", "toString", "length")),
});

/** Changes something somewhere inside, in place; false when there is nothing to change. */
function mutate(value: unknown, at: number): boolean {
  if (typeof value !== "object" || value === null || Object.isFrozen(value) || ArrayBuffer.isView(value)) return false;
  if (value instanceof Date || value instanceof Map || value instanceof Set) return false;
  const keys = Object.keys(value);
  const key = keys[at % (keys.length || 1)];
  if (key !== undefined && mutate((value as Record<string, unknown>)[key], at)) return true;
  Object.defineProperty(value, key ?? "added", {
    value: Symbol("changed"),
    configurable: true,
    enumerable: true,
    writable: true,
  });
  return true;
}

test("a snapshot equals the value, and a later one shares all of it when nothing changed", () => {
  fc.assert(
    fc.property(fc.array(values), (messages) => {
      const first = snapshot(messages);
      expect(first).toEqual(messages);
      const second = snapshot(messages, first);
      const shares = messages.every((_, index) => !(index in messages) || isShared(second[index], first[index]));
      expect(shares).toBe(true);
    }),
  );
});

/** Maps and Sets are copied anew each time, and so is what holds one. */
function isShared(second: unknown, first: unknown): boolean {
  return Object.is(second, first) || holds(second, (inner) => inner instanceof Map || inner instanceof Set);
}

function holds(value: unknown, wanted: (inner: unknown) => boolean): boolean {
  if (wanted(value)) return true;
  return typeof value === "object" && value !== null && Object.values(value).some((inner) => holds(inner, wanted));
}

test("a snapshot does not follow a change made in place, and the next one sees it", () => {
  fc.assert(
    fc.property(values, fc.nat(), (value, at) => {
      const first = snapshot(value);
      const before = copyOut(first);
      fc.pre(mutate(value, at));
      expect(first).toEqual(before);
      const second = snapshot(value, first);
      expect(second).not.toBe(first);
      expect(second).toEqual(value);
    }),
  );
});

test("a copy to give away can be changed without reaching what it was made from", () => {
  fc.assert(
    fc.property(values, fc.nat(), (value, at) => {
      const kept = snapshot(value);
      const before = snapshot(kept);
      const given = copyOut(kept);
      expect(given).toEqual(value);
      mutate(given, at);
      expect(kept).toEqual(before);
    }),
  );
});

test("a change of the order of keys is a change: the order is part of what is sent", () => {
  const first = snapshot({ a: 1, b: 2 });
  const second = snapshot({ b: 2, a: 1 }, first);
  expect(second).not.toBe(first);
  expect(Object.keys(second)).toEqual(["b", "a"]);
});

test("what did not change is shared although its neighbour did", () => {
  const first = snapshot({ role: "user", content: [{ text: "long" }, { text: "short" }] });
  const second = snapshot({ role: "user", content: [{ text: "long" }, { text: "changed" }] }, first);
  expect(second.content[0]).toBe(first.content[0]);
  expect(second.content[1]).not.toBe(first.content[1]);
});

test("a key called __proto__ stays a key", () => {
  const value = JSON.parse('{"__proto__":{"polluted":true}}');
  const copy = snapshot(value);
  expect(Object.keys(copy)).toEqual(["__proto__"]);
  expect(Object.getPrototypeOf(copy)).toBe(Object.prototype);
  expect(copy.polluted).toBeUndefined();
  expect(snapshot({}, copy)).not.toBe(copy);
});

test("cycles stay cycles, inside the copy", () => {
  const message: Record<string, unknown> = { role: "user" };
  message.self = message;
  const copy = snapshot(message);
  expect(copy.self).toBe(copy);
  expect(copy).not.toBe(message);
  expect(snapshot(message, copy)).toEqual(copy);
});

test("a live message keeps its methods, and its copy does not follow it", () => {
  class LiveMessage {
    static made = 0;
    content: string;
    constructor(content: string) {
      LiveMessage.made++;
      this.content = content;
    }
    set text(_: string) {
      throw new Error("a setter must not run");
    }
    shout() {
      return this.content.toUpperCase();
    }
  }
  const live = new LiveMessage("hi");
  const copy = snapshot(live);
  live.content = "changed";
  expect(copy).toBeInstanceOf(LiveMessage);
  expect(copy.shout()).toBe("HI");
  expect(LiveMessage.made).toBe(1);
  expect(snapshot(live, copy).shout()).toBe("CHANGED");
  expect(snapshot(live, snapshot(live))).toEqual(live);
});

test("an error keeps its class, message, stack and cause", () => {
  const error = new RangeError("too long", { cause: { at: 1 } });
  const copy = snapshot(error);
  expect(copy).toBeInstanceOf(RangeError);
  expect({ message: copy.message, stack: copy.stack, cause: copy.cause }).toEqual({
    message: "too long",
    stack: error.stack,
    cause: { at: 1 },
  });
});

test.each<[string, object]>([
  ["a function", () => {}],
  ["an AbortSignal", new AbortController().signal],
  ["a promise", Promise.resolve()],
  ["a URL", new URL("http://api.invalid/v1")],
  ["a Blob", new Blob(["a"])],
  ["a Response", new Response("a")],
  ["a RegExp", /a/],
  ["a WeakMap", new WeakMap()],
])("%s keeps its identity and is not frozen", (_, value) => {
  expect(snapshot({ value }).value).toBe(value);
  expect(Object.isFrozen(value)).toBe(false);
});

class Secret {
  role = "user";
  #words: string;
  constructor(words: string) {
    this.#words = words;
  }
  get content() {
    return this.#words;
  }
}

class Branded extends Secret {}

/** As TypeScript writes a private field for ES2021. */
function compiledClass(): new () => { role: string; content(): string } {
  const fields = new WeakMap<object, string>();
  const __classPrivateFieldGet = (of: object) => {
    if (!fields.has(of))
      throw new TypeError("Cannot read private member from an object whose class did not declare it");
    return fields.get(of)!;
  };
  return class {
    role = "user";
    constructor() {
      fields.set(this, "hi");
    }
    content() {
      return __classPrivateFieldGet(this);
    }
  };
}

test("an instance with private fields keeps its identity: its methods would throw on a copy", async () => {
  const secret = new Secret("hi");
  const compiled = new (compiledClass())();
  for (const instances of [snapshot([secret, new Branded("hi")]), copyOut([secret, new Branded("hi")])]) {
    expect(instances[0]).toBe(secret);
    expect(instances.map(({ content }) => content)).toEqual(["hi", "hi"]);
  }
  expect(snapshot(compiled).content()).toBe("hi");
  expect(Object.isFrozen(secret)).toBe(false);

  const model = scriptedModel("hello");
  await model([secret]);
  expect(model.seen[0]![0]).toMatchObject({ role: "user", content: "hi" });
});

test.each<[string, object]>([
  ["a Map", new (class Scores extends Map<string, number> {})([["ann", 1]])],
  ["a Set", new (class Names extends Set<string> {})(["ann"])],
  ["a Date", new (class Day extends Date {})(0)],
  ["a URL", Object.assign(new URL("http://api.invalid/v1"), { label: "api" })],
  ["a promise", Object.assign(Promise.resolve(1), { label: "later" })],
  ["a Headers", Object.assign(new Headers({ a: "b" }), { label: "sent" })],
])("an instance that extends what %s is keeps its identity", (_, value) => {
  expect(snapshot({ value }).value).toBe(value);
});

test("an instance whose comments and words hold a # is copied as any other", () => {
  class Ticket {
    // See #private, and .hash.
    label = "#new";
    link() {
      return `https://tracker.invalid/#open/${this.label}`;
    }
  }
  const ticket = new Ticket();
  const copy = snapshot(ticket);
  ticket.label = "#changed";
  expect(copy.link()).toBe("https://tracker.invalid/#open/#new");
});

test("getters are read once, symbols stay keys, and what was frozen is copied unfrozen where it is given away", () => {
  let reads = 0;
  const mark = Symbol("mark");
  const message = Object.freeze({
    get content() {
      return `read ${++reads}`;
    },
    [mark]: { of: "origin" },
  });
  const copy = snapshot(message);
  expect([copy.content, copy.content, reads]).toEqual(["read 1", "read 1", 1]);
  expect(copy[mark]).toEqual({ of: "origin" });
  expect(copy[mark]).not.toBe(message[mark]);
  expect(Object.isFrozen(copyOut(message))).toBe(false);
});

test("an object that cannot be read keeps its identity, and all around it is copied", () => {
  const throwing = {
    get secret(): string {
      throw new Error("no");
    },
  };
  const revoked = Proxy.revocable({}, {});
  revoked.revoke();
  const copy = snapshot({ throwing, proxy: revoked.proxy, beside: { a: 1 } });
  expect(copy.throwing).toBe(throwing);
  expect(copy.proxy).toBe(revoked.proxy);
  expect(copy.beside).toEqual({ a: 1 });
});

test("nesting deeper than the stack does not crash", () => {
  let deep: unknown = "bottom";
  for (let level = 0; level < 100_000; level++) deep = [deep];
  expect(Array.isArray(snapshot(deep))).toBe(true);
});

test("bytes are copied, a Buffer's too, and shared while they stay the same", () => {
  const image = { data: Buffer.from([1, 2, 3]), floats: new Float32Array([0.5]) };
  const first = snapshot(image);
  expect(first).toEqual(image);
  expect(Buffer.isBuffer(first.data)).toBe(true);
  expect(snapshot(image, first)).toBe(first);
  image.data[0] = 9;
  expect(first.data[0]).toBe(1);
  expect(snapshot(image, first).data[0]).toBe(9);
});

test("instances are kept where they stand for themselves", () => {
  class Schema {
    kind = "string";
  }
  const schema = new Schema();
  expect(snapshot({ schema }, undefined, "keep").schema).toBe(schema);
  expect(snapshot({ schema }).schema).not.toBe(schema);
});
