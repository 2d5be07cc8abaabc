import type { StandardSchemaV1 } from "@standard-schema/spec";
import { ToolContractError } from "../errors.js";
import { cutText, isRecord, oneLine, readJson } from "../json.js";

/** Whether a value is a Standard Schema. Arktype's are functions. */
export function isSchema(value: unknown): value is StandardSchemaV1 {
  if (value === null || (typeof value !== "object" && typeof value !== "function")) return false;
  const standard = (value as Partial<StandardSchemaV1>)["~standard"];
  return typeof standard?.validate === "function";
}

/** What a schema said: the parsed value, or its issues as one line. */
export type Reading = { readonly ok: true; readonly value: unknown } | { readonly ok: false; readonly issues: string };

/**
 * Reads a value through a schema; without one, everything passes.
 *
 * @throws (rejects) what the schema throws; {ToolContractError} when what it returns is no verdict.
 */
export async function readThrough(schema: StandardSchemaV1 | undefined, value: unknown): Promise<Reading> {
  if (!schema) return { ok: true, value };
  const result = (await schema["~standard"].validate(value)) as StandardSchemaV1.Result<unknown> | undefined;
  // Arktype's issues are the result themselves, a list.
  if (typeof result === "object" && result !== null) {
    if (isIssues(result.issues)) return { ok: false, issues: wordIssues(result.issues) };
    if (!result.issues) return { ok: true, value: result.value };
  }
  throw new ToolContractError(
    `A schema gave no verdict: expected its validate() to return { value } or { issues: [{ message }] }, found ` +
      `${oneLine(result)}. Correct the schema, or use one of zod, valibot or arktype.`,
  );
}

function isIssues(issues: unknown): issues is readonly StandardSchemaV1.Issue[] {
  return Array.isArray(issues) && issues.every((issue) => isRecord(issue) && typeof issue.message === "string");
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
