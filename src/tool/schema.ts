import type { StandardSchemaV1 } from "@standard-schema/spec";
import { cutText, readJson } from "../json.js";

/** Whether a value is a Standard Schema. Arktype's are functions. */
export function isSchema(value: unknown): value is StandardSchemaV1 {
  if (value === null || (typeof value !== "object" && typeof value !== "function")) return false;
  const standard = (value as Partial<StandardSchemaV1>)["~standard"];
  return typeof standard?.validate === "function";
}

/** What a schema said: the parsed value, or its issues as one line. */
export type Reading = { readonly ok: true; readonly value: unknown } | { readonly ok: false; readonly issues: string };

/** Reads a value through a schema; without one, everything passes. */
export async function readThrough(schema: StandardSchemaV1 | undefined, value: unknown): Promise<Reading> {
  if (!schema) return { ok: true, value };
  const result = await schema["~standard"].validate(value);
  return result.issues ? { ok: false, issues: wordIssues(result.issues) } : { ok: true, value: result.value };
}

/** Reads what a model may have sent: JSON text, the empty text that models send for `{}`, or a value. */
export function readWire(raw: unknown): Reading {
  if (typeof raw !== "string") return { ok: true, value: raw };
  if (raw.trim() === "") return { ok: true, value: {} };
  const json = readJson(raw);
  return json.ok ? json : { ok: false, issues: `not JSON at character ${json.offset}: ${json.reason}` };
}

/** `query: expected string; filters[0].from: not a date`. An issue without a path stands for the whole value. */
export function wordIssues(issues: readonly StandardSchemaV1.Issue[]): string {
  return cutText(issues.map(wordIssue).join("; "), 1000);
}

function wordIssue({ path, message }: StandardSchemaV1.Issue): string {
  const steps = (path ?? []).map((step) => (typeof step === "object" ? step.key : step));
  const at = steps.map((key) => (typeof key === "number" ? `[${key}]` : `.${String(key)}`)).join("");
  return at === "" ? message : `${at.replace(/^\./, "")}: ${message}`;
}

/** What a parser's error says: its issues where it lists them, as zod's does. */
export function wordParseError(error: unknown): string {
  const { issues } = (error ?? {}) as { issues?: unknown };
  if (Array.isArray(issues)) return wordIssues(issues);
  return error instanceof Error ? error.message : String(error);
}
