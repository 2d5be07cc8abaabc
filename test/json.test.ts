import { expect, test } from "vitest";
import { cutText, oneLine, readJson } from "../src/json.js";

test("reads JSON of any kind", () => {
  expect(readJson('{"a":[1,"x",null]}')).toEqual({ ok: true, value: { a: [1, "x", null] } });
  expect(readJson(" 7 ")).toEqual({ ok: true, value: 7 });
});

// The caret stands where the text stops being JSON.
const faults: [text: string, caret: string][] = [
  ['{"city": Paris}', "         ^"],
  ['{"city":"Paris",}', "                ^"],
  ['{"city":"Par', "            ^"],
  ['{"city":"Paris"', "               ^"],
  ['{"city"', "       ^"],
  ['{"city" "Paris"}', "        ^"],
  ['{city:"Paris"}', " ^"],
  ['{"a":1}}', "       ^"],
  ['{"a":}', "     ^"],
  ["[1,2", "    ^"],
  ["[1 2]", "   ^"],
  ["[1,]", "   ^"],
  ["[}", " ^"],
  ["truth", "^"],
  ["01", " ^"],
  ["", "^"],
  ["   ", "   ^"],
  ['"a\nb"', "  ^"],
  ['"\\x"', " ^"],
  ["{'a':1}", " ^"],
  ["NaN", "^"],
];

test.each(faults)("finds where %j stops being JSON", (text, caret) => {
  expect(readJson(text)).toEqual({ ok: false, offset: caret.indexOf("^"), reason: expect.any(String) });
});

test("finds the fault behind much that is well", () => {
  const deep = `${"[".repeat(50_000)}${"]".repeat(49_999)}`;
  expect(readJson(deep)).toMatchObject({ ok: false, offset: deep.length });
  const long = `{"text":"${"a\\n".repeat(200_000)}", oops}`;
  expect(readJson(long)).toMatchObject({ ok: false, offset: long.indexOf("oops") });
});

test("prints any value on one line", () => {
  const circular: Record<string, unknown> = { name: "loop" };
  circular.self = { again: circular };
  const throwing = Object.defineProperty({}, "x", { enumerable: true, get: () => JSON.parse("{") });
  const { proxy, revoke } = Proxy.revocable({}, {});
  revoke();
  const values = [
    undefined,
    null,
    "a\nb",
    7,
    -0,
    Number.NaN,
    7n,
    Symbol("s"),
    () => 1,
    function named() {},
    new Date(0),
    { f: () => 1, n: 1n },
    circular,
    [circular, circular],
    throwing,
    proxy,
    JSON.parse('{"__proto__":1}'),
  ];
  expect(values.map((value) => oneLine(value))).toMatchInlineSnapshot(`
    [
      "undefined",
      "null",
      ""a\\nb"",
      "7",
      "0",
      "NaN",
      "7n",
      "Symbol(s)",
      "[function]",
      "[function named]",
      ""1970-01-01T00:00:00.000Z"",
      "{"f":"[function f]","n":"1n"}",
      "{"name":"loop","self":{"again":"[circular]"}}",
      "[{"name":"loop","self":{"again":"[circular]"}},{"name":"loop","self":{"again":"[circular]"}}]",
      "[unprintable: Expected property name or '}' in JSON at position 1]",
      "[unprintable: Cannot perform 'Object.prototype.toString' on a proxy that has been revoked]",
      "{"__proto__":1}",
    ]
  `);
});

test("prints what two places share twice: only a cycle is cut", () => {
  const shared = { a: 1 };
  expect(oneLine([shared, shared])).toBe('[{"a":1},{"a":1}]');
});

test("cuts at a width and says how much there was", () => {
  expect(oneLine("x".repeat(1500), 12)).toBe('"xxxxxxxxxxx… (1,502 characters)');
  expect(cutText("short", 5)).toBe("short");
});
