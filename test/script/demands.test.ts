import { expect, test } from "vitest";
import { problemOf } from "../../src/script/demands.js";

const free = { choice: "auto", parallelCalls: true } as const;

function found(schema: unknown, args: unknown): string | undefined {
  const turn = {
    kind: "tool_calls" as const,
    calls: [{ id: "call_1", name: "book", arguments: JSON.stringify(args) }],
  };
  return problemOf({ turn }, { messages: [], tools: [{ name: "book", schema }] }, free)?.found;
}

const schema = {
  $schema: "http://json-schema.org/draft-07/schema#",
  type: "object",
  properties: {
    hotel: { type: "object", properties: { stars: { type: "integer" } } },
    note: { anyOf: [{ type: "string" }, { type: "null" }] },
    guests: { type: "array", items: { $ref: "#/definitions/guest" } },
  },
  required: ["hotel"],
  additionalProperties: false,
  definitions: { guest: { type: "object", properties: { name: { type: "string" } }, required: ["name"] } },
};

test.each([
  [{ hotel: { stars: 4.5 } }, 'hotel.stars: Instance type "number" is invalid, expected "integer"'],
  [{ hotel: {}, note: 7 }, "note: Instance does not match any subschemas"],
  [{ hotel: {}, guests: [{ name: "Ann" }, {}] }, 'guests.1: Instance does not have required property "name"'],
  [{ hotel: {}, pool: true }, 'Property "pool" does not match additional properties schema'],
  [[], 'Instance type "array" is invalid, expected "object"'],
])("names the place in the arguments that breaks the schema: %j", (args, error) => {
  expect(found(schema, args)).toBe(`${JSON.stringify(args)}: ${error}`);
});

test("finds nothing wrong with arguments that satisfy the schema", () => {
  expect(found(schema, { hotel: { stars: 4 }, note: null, guests: [{ name: "Ann" }] })).toBeUndefined();
});

test("leaves the schema it was given alone, frozen or not", () => {
  const frozen = Object.freeze({ ...schema, properties: Object.freeze({ ...schema.properties }) });
  const before = JSON.stringify(frozen);
  expect(found(frozen, { pool: true })).toContain("pool");
  expect(JSON.stringify(frozen)).toBe(before);
});

test("says nothing about arguments where the schema is none, or cannot be followed", () => {
  expect(found(undefined, { anything: 1 })).toBeUndefined();
  expect(found("string", { anything: 1 })).toBeUndefined();
  expect(found({ $ref: "#/definitions/missing" }, { anything: 1 })).toBeUndefined();
});
