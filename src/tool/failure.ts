import { UsageError } from "../errors.js";
import { isRecord, oneLine } from "../json.js";

/** A failure the tool reports on purpose. */
export interface FailureReport {
  readonly message: string;
  /** Default `"tool_failed"`. */
  readonly code?: string;
  /** Whether the same call may work later. Absent unless the tool said it. */
  readonly retryable?: boolean;
}

/** What a `failed` run carries: the report, with its code. */
export interface Failure {
  readonly code: string;
  readonly message: string;
  readonly retryable?: boolean;
}

const FAILURE = Symbol.for("vitest-tool-loop/tool-failure");

/** What `ctx.fail` throws: an error a tool may catch, look at and rethrow. */
export class ToolFailure extends Error {
  override readonly name = "ToolFailure";
  readonly [FAILURE] = true;
  readonly code: string;
  readonly retryable?: boolean;

  constructor(report: string | FailureReport) {
    const { message, code = "tool_failed", retryable } = readReport(report);
    super(message);
    this.code = code;
    if (retryable !== undefined) this.retryable = retryable;
  }
}

/** The failure in an error that `ctx.fail` threw; undefined for every other error, one that wraps it included. */
export function readFailure(error: unknown): Failure | undefined {
  if (!isFailure(error)) return undefined;
  const { code, message, retryable } = error;
  return { code, message, ...(retryable === undefined ? {} : { retryable }) };
}

function isFailure(error: unknown): error is ToolFailure {
  try {
    return error instanceof Error && FAILURE in error;
  } catch {
    // A tool may throw anything, a revoked proxy included: what cannot be looked at is no failure on purpose.
    return false;
  }
}

/** What a loop reports to the model when it sent an input the tool's schema does not allow. */
export function invalidInput(tool: string, issues: string): ToolFailure {
  return new ToolFailure({ code: "invalid_input", message: `Invalid input for ${tool}: ${issues}` });
}

function readReport(report: string | FailureReport): FailureReport {
  if (typeof report === "string") return { message: report };
  if (isRecord(report) && typeof report.message === "string") return report;
  throw new UsageError(
    `ctx.fail() needs a message: expected a text or { message, code?, retryable? }, found ${oneLine(report)}.`,
  );
}
