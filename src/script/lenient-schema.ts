import { schemaArrayKeyword, schemaKeyword, schemaMapKeyword } from "@cfworker/json-schema";
import { isRecord } from "../json.js";

type Schema = Record<string, unknown>;

/**
 * A JSON Schema with what it demands of a model and no more. The schemas that frameworks send mix the drafts, and
 * OpenAPI with them:
 *
 * - `format` is a hint: no provider holds a model to it, or to the `pattern` in which zod spells it out.
 * - `nullable: true` (OpenAPI 3.0) allows null, whatever stands beside it.
 * - `exclusiveMinimum: true` (draft 4) makes the bound beside it exclusive.
 * - A type may be written in capitals; one that JSON Schema does not know demands nothing.
 */
export function readLeniently({ format, nullable, ...schema }: Schema): Schema {
  if (format !== undefined) delete schema.pattern;
  for (const [keyword, value] of Object.entries(schema)) schema[keyword] = readKeyword(keyword, value);
  readType(schema);
  readBound(schema, "minimum", "exclusiveMinimum");
  readBound(schema, "maximum", "exclusiveMaximum");
  return nullable === true ? allowNull(schema) : schema;
}

function readKeyword(keyword: string, value: unknown): unknown {
  if (isRecord(value) && (Object.hasOwn(schemaMapKeyword, keyword) || keyword === "dependencies")) {
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, readInner(inner)]));
  }
  if (Array.isArray(value)) return Object.hasOwn(schemaArrayKeyword, keyword) ? value.map(readInner) : value;
  return Object.hasOwn(schemaKeyword, keyword) ? readInner(value) : value;
}

function readInner(value: unknown): unknown {
  return isRecord(value) ? readLeniently(value) : value;
}

const TYPES: readonly unknown[] = ["array", "boolean", "integer", "null", "number", "object", "string"];

function readType(schema: Schema): void {
  const types = [schema.type].flat().map((type) => (typeof type === "string" ? type.toLowerCase() : type));
  if (types.every((type) => TYPES.includes(type))) schema.type = types;
  else delete schema.type;
}

function readBound(schema: Schema, bound: string, exclusive: string): void {
  if (typeof schema[exclusive] !== "boolean") return;
  if (schema[exclusive] && schema[bound] !== undefined) {
    schema[exclusive] = schema[bound];
    delete schema[bound];
  } else delete schema[exclusive];
}

/** What may forbid null. The other keywords are about objects, lists, words or numbers, and stay where references look. */
const FORBID_NULL = ["$ref", "type", "enum", "const", "not", "anyOf", "oneOf", "allOf", "if", "then", "else"];

function allowNull(schema: Schema): Schema {
  const forbids = Object.keys(schema).filter((keyword) => FORBID_NULL.includes(keyword));
  const inner = Object.fromEntries(forbids.map((keyword) => [keyword, schema[keyword]]));
  for (const keyword of forbids) delete schema[keyword];
  return { ...schema, anyOf: [{ type: "null" }, inner] };
}
