import { expect, test } from "vitest";
import { z } from "zod";
import { problemOf } from "../../src/script/demands.js";

/** What is wrong with scripted arguments when this schema was offered; undefined when nothing is. */
function wrong(schema: unknown, args: unknown): string | undefined {
  const calls = [{ id: "call_1", name: "book", arguments: JSON.stringify(args) }];
  const request = { messages: [], tools: [{ name: "book", schema }] };
  const problem = problemOf({ turn: { kind: "tool_calls", calls } }, request, { choice: "auto", parallelCalls: true });
  return problem?.found.slice(JSON.stringify(args).length + 2);
}

const property = (schema: object) => ({ type: "object", properties: { a: schema }, required: ["a"] });

test.each([
  ["a format", { type: "string", format: "email" }, ["no address", "a@b.invalid"], [7]],
  ["a format nobody knows", { type: "string", format: "int64" }, ["x"], [null]],
  ["a format and its pattern", { type: "string", format: "date", pattern: "^\\d" }, ["x"], [7]],
  ["a pattern alone", { type: "string", pattern: "^\\d" }, ["1"], ["x"]],
  ["nullable", { type: "string", nullable: true }, [null, "x"], [7]],
  ["nullable beside an enum", { type: "string", enum: ["x", "y"], nullable: true }, [null, "y"], ["z"]],
  ["nullable beside allOf", { allOf: [{ type: "object" }], nullable: true }, [null, {}], ["x"]],
  ["nullable: false", { type: "string", nullable: false }, ["x"], [null]],
  ["a bound of draft 4", { type: "number", minimum: 0, exclusiveMinimum: true }, [0.5], [0, -1]],
  ["an open bound of draft 4", { type: "number", maximum: 5, exclusiveMaximum: false }, [5], [6]],
  ["a bound of draft 4 that is none", { type: "number", exclusiveMinimum: true }, [0, -1], ["x"]],
  ["a bound of later drafts", { type: "number", exclusiveMaximum: 5 }, [4], [5]],
  ["a type in capitals", { type: "STRING" }, ["x"], [7]],
  ["several types in capitals", { type: ["STRING", "NULL"] }, ["x", null], [7]],
  ["a type nobody knows", { type: "any" }, [1, "x", null], [undefined]],
  ["keywords nobody knows", { type: "string", "x-order": { format: 1 }, title: "A", examples: [1] }, ["x"], [7]],
  ["a step in decimals", { type: "number", multipleOf: 0.01 }, [19.99], [19.999]],
  ["draft 7 definitions beside a reference", { $ref: "#/definitions/b", description: "A" }, ["x"], [7]],
  ["nested formats", { type: "array", items: { anyOf: [{ format: "uuid", type: "string" }] } }, [["x"]], [[7]]],
])("%s is read as providers read it", (_, schema, right, broken) => {
  const offered = { ...property(schema), definitions: { b: { type: "string" } } };
  for (const a of right) expect(wrong(offered, { a })).toBeUndefined();
  for (const a of broken) expect(wrong(offered, { a })).toEqual(expect.any(String));
});

test.each(["draft-04", "draft-07"])("a schema that says it is %s may use the bounds of either", (draft) => {
  const $schema = `http://json-schema.org/${draft}/schema#`;
  expect(wrong({ $schema, ...property({ minimum: 0, exclusiveMinimum: true }) }, { a: 0 })).toBe("a: 0 is less than 0");
  expect(wrong({ $schema, ...property({ exclusiveMinimum: 0 }) }, { a: 0 })).toBe("a: 0 is less than 0");
  expect(wrong({ $schema, ...property({ exclusiveMinimum: 0 }) }, { a: 1 })).toBeUndefined();
});

test("a property called as a keyword is a property", () => {
  const schema = {
    type: "object",
    properties: { format: { type: "string" }, nullable: { type: "boolean" }, type: { const: "any" } },
    required: ["format"],
  };
  expect(wrong(schema, { format: "pdf", nullable: true, type: "any" })).toBeUndefined();
  expect(wrong(schema, { format: 7 })).toBe('format: Instance type "number" is invalid, expected "string"');
  expect(wrong(schema, { format: "pdf", type: "x" })).toBe('type: Instance does not match "any"');
});

test("a nullable object is still what references into it find", () => {
  const schema = {
    type: "object",
    properties: {
      from: { type: "object", nullable: true, properties: { city: { type: "string" } } },
      to: { $ref: "#/properties/from/properties/city" },
    },
  };
  expect(wrong(schema, { from: null, to: "Rome" })).toBeUndefined();
  expect(wrong(schema, { from: { city: 7 } })).toBe('from.city: Instance type "number" is invalid, expected "string"');
  expect(wrong(schema, { to: 7 })).toBe('to: Instance type "number" is invalid, expected "string"');
});

const Trip = z.object({
  email: z.email(),
  when: z.iso.datetime().nullable(),
  nights: z.number().int().positive(),
  rooms: z.array(z.object({ kind: z.enum(["single", "double"]), price: z.number().gt(0).optional() })),
  by: z.discriminatedUnion("kind", [
    z.object({ kind: z.literal("card"), number: z.string() }),
    z.object({ kind: z.literal("cash") }),
  ]),
  note: z.string().default("none"),
});
const trip = {
  email: "ann",
  when: null,
  nights: 2,
  rooms: [{ kind: "double", price: 80.5 }],
  by: { kind: "card", number: "1" },
};

test.each(["draft-4", "draft-7", "draft-2020-12", "openapi-3.0"] as const)("zod writes %s", (target) => {
  const schema = z.toJSONSchema(Trip, { target, io: "input" });
  expect(wrong(schema, trip)).toBeUndefined();
  expect(wrong(schema, { ...trip, when: "tomorrow", by: { kind: "cash" } })).toBeUndefined();
  expect(wrong(schema, { ...trip, nights: 0 })).toBe("nights: 0 is less than 0");
  expect(wrong(schema, { ...trip, when: 7 })).toMatch(/^when: /);
  expect(wrong(schema, { ...trip, rooms: [{ kind: "suite" }] })).toMatch(/^rooms\.0\.kind: /);
  expect(wrong(schema, { ...trip, by: { kind: "card" } })).toMatch(/^by/);
});

test("zod-to-json-schema writes zod 3, for OpenAPI too", () => {
  // As printed by zod-to-json-schema with `target: "openApi3"`, whose references lead into properties.
  const schema = {
    type: "object",
    properties: {
      start: { type: "string", format: "date-time" },
      end: { $ref: "#/properties/start" },
      tip: { type: "number", minimum: 0, exclusiveMinimum: true, nullable: true },
      tags: { type: "object", additionalProperties: { type: "string" } },
    },
    required: ["start", "end", "tip"],
    additionalProperties: false,
  };
  expect(wrong(schema, { start: "soon", end: "later", tip: null, tags: { a: "b" } })).toBeUndefined();
  expect(wrong(schema, { start: "soon", end: 7, tip: 1 })).toMatch(/^end: /);
  expect(wrong(schema, { start: "soon", end: "later", tip: 0 })).toMatch(/^tip: /);
  expect(wrong(schema, { start: "soon", end: "later", tip: 1, pool: true })).toContain('Property "pool"');
});

test("TypeBox writes symbols beside its keywords", () => {
  const kind = Symbol.for("TypeBox.Kind");
  const schema = {
    [kind]: "Object",
    type: "object",
    properties: {
      size: {
        [kind]: "Union",
        anyOf: [
          { const: "s", type: "string" },
          { const: "m", type: "string" },
        ],
      },
      at: { [kind]: "Date", type: "Date" },
    },
    required: ["size"],
  };
  expect(wrong(schema, { size: "m", at: "today" })).toBeUndefined();
  expect(wrong(schema, { size: "xl" })).toMatch(/^size: /);
});

test("pydantic writes definitions, and unions with null", () => {
  const schema = {
    $defs: {
      Guest: {
        properties: { name: { title: "Name", type: "string" }, born: { format: "date", type: "string" } },
        required: ["name"],
        title: "Guest",
        type: "object",
      },
      Pay: { enum: ["card", "cash"], title: "Pay", type: "string" },
    },
    additionalProperties: false,
    properties: {
      guests: { items: { $ref: "#/$defs/Guest" }, title: "Guests", type: "array" },
      host: { anyOf: [{ $ref: "#/$defs/Guest" }, { type: "null" }], default: null },
      pay: { $ref: "#/$defs/Pay", default: "card" },
      version: { const: 2, default: 2, title: "Version", type: "integer" },
    },
    required: ["guests"],
    title: "Book",
    type: "object",
  };
  expect(
    wrong(schema, { guests: [{ name: "Ann", born: "1990" }], host: null, pay: "cash", version: 2 }),
  ).toBeUndefined();
  expect(wrong(schema, { guests: [{}] })).toBe('guests.0: Instance does not have required property "name"');
  expect(wrong(schema, { guests: [], host: 7 })).toMatch(/^host: /);
  expect(wrong(schema, { guests: [], pay: "later" })).toMatch(/^pay: /);
  expect(wrong(schema, { guests: [], version: 3 })).toMatch(/^version: /);
});
