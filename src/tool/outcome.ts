import { diff } from "jest-diff";
import { isError, oneLine } from "../json.js";
import type { Failure } from "./failure.js";
import { hintFor } from "./hints.js";

/** How one attempt ended. */
export type Outcome =
  | { readonly status: "completed"; readonly output: unknown }
  | { readonly status: "suspended"; readonly suspend: { readonly name: string; readonly input: unknown } }
  | { readonly status: "failed"; readonly error: Failure }
  | { readonly status: "threw"; readonly error: unknown }
  | { readonly status: "cancelled"; readonly error: unknown };

export type Status = Outcome["status"];

/** `get_record failed on purpose, with code tool_failed: "No record missing."` */
export function wordOutcome(tool: string, outcome: Outcome): string {
  switch (outcome.status) {
    case "completed":
      return `${tool} returned ${oneLine(outcome.output)}.`;
    case "suspended":
      return `${tool} is waiting on ${oneLine(outcome.suspend.name)}, asked with ${oneLine(outcome.suspend.input)}.`;
    case "failed": {
      const { code, message, retryable } = outcome.error;
      const hint = retryable === undefined ? "" : retryable ? ", retryable" : ", not retryable";
      return `${tool} failed on purpose, with code ${code}${hint}: ${oneLine(message)}`;
    }
    case "threw":
      return [`${tool} threw ${wordThrown(outcome.error)}`, wordHint(outcome.error)].filter(Boolean).join("\n");
    case "cancelled":
      return `${tool} was cancelled: ${wordReason(outcome.error)}.`;
  }
}

/** Which outcome was expected and which was found, as a diff of what a handle shows. */
export function diffOutcomes(expected: Status, found: Outcome): string {
  return diff({ status: expected }, shown(found), { expand: false }) ?? "";
}

function shown(outcome: Outcome): object {
  if (outcome.status !== "suspended") return outcome;
  return { status: outcome.status, suspend: { name: outcome.suspend.name, input: outcome.suspend.input } };
}

function wordHint(error: unknown): string | undefined {
  const hint = hintFor(error);
  return hint && `Hint: ${hint}`;
}

function wordThrown(error: unknown): string {
  if (!isError(error)) return `${oneLine(error)}, which is no Error.`;
  const frames = (error.stack ?? "").split("\n").filter((line) => /^\s+at /.test(line));
  const own = frames.filter((line) => !/node:internal|[/\\]node_modules[/\\]/.test(line)).slice(0, 5);
  return [`${error.name}: ${error.message}`, ...own].join("\n");
}

/** An error or any other value, in words that a full stop may follow. */
export function wordReason(reason: unknown): string {
  return isError(reason) ? `${reason.name}: ${reason.message}`.replace(/\.$/, "") : oneLine(reason);
}
