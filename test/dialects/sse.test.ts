import fc from "fast-check";
import { expect, test } from "vitest";
import { fragments } from "../../src/dialects/sse.js";

test("the fragments of a text are the text again, none of them empty, no character torn", () => {
  fc.assert(
    fc.property(fc.string({ unit: "grapheme" }), (text) => {
      const pieces = fragments(text);
      expect(pieces.join("")).toBe(text);
      expect(pieces).not.toContain("");
      // It throws on half a surrogate pair.
      expect(() => pieces.map(encodeURIComponent)).not.toThrow();
    }),
  );
});

test("a fragment is about a token long", () => {
  expect(fragments("Let me look there. \n")).toEqual(["Let", " me", " look", " there", ".", " \n"]);
  expect(fragments('{"city":"Paris"}')).toEqual(['{"cit', 'y":"P', 'aris"', "}"]);
});
