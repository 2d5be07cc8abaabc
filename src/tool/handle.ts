import type { StandardSchemaV1 } from "@standard-schema/spec";
import { OutcomeError, UsageError } from "../errors.js";
import { oneLine } from "../json.js";
import { anything, requireOptions } from "../options.js";
import { attempt, type Run } from "./attempt.js";
import { copyOf, recordOf } from "./copies.js";
import type { Suspension, Suspensions } from "./define-tool.js";
import type { Failure } from "./failure.js";
import { type AgentRun, type DataWrite, Journal, type SuspensionRecord, type ToolRun } from "./journal.js";
import { diffOutcomes, type Outcome, type Status, wordOutcome, wordReason } from "./outcome.js";
import { readThrough } from "./schema.js";
import type { Answered, Waiting } from "./suspensions.js";

/** What a suspended run is waiting on: one of the suspensions the tool declares. */
export type Suspended<S extends Suspensions> = {
  [Name in keyof S & string]: {
    readonly name: Name;
    readonly input: S[Name] extends { readonly inputSchema: infer Schema extends StandardSchemaV1 }
      ? StandardSchemaV1.InferOutput<Schema>
      : unknown;
  };
}[keyof S & string];

/** What `resume` takes: the wire value, before its schema. */
type Payload<S extends Suspension> = S extends { readonly payloadSchema: infer Schema extends StandardSchemaV1 }
  ? StandardSchemaV1.InferInput<Schema>
  : unknown;

export interface ResumeOptions {
  /** Cancels the resumed run. Default: the signal `runTool` was given. */
  readonly signal?: AbortSignal;
}

/** What every handle has, whatever the tool did. The lists run on over attempts and belong to this branch alone. */
export interface RunRecord<Output, S extends Suspensions> {
  /** The name of the tool that ran. */
  readonly tool: string;
  /** How often `execute` was started: 0 when the run was cancelled or decided before. */
  readonly attempts: number;
  /** Every pause, answered or not, in the order asked. */
  readonly suspendHistory: readonly SuspensionRecord[];
  /** Every `ctx.data.write`, in order, as it was when written. */
  readonly dataWrites: readonly DataWrite[];
  /** The last value written under each name. */
  readonly data: Readonly<Record<string, unknown>>;
  readonly agentRuns: readonly AgentRun[];
  /** Every nested tool call of the tool and of its nested tools, in the order started. */
  readonly toolRuns: readonly ToolRun[];
  /** @returns the output. @throws {OutcomeError} when the tool did not return. */
  expectOutput(): Output;
  /** @returns what the run waits on. @throws {OutcomeError} when it is not waiting. */
  expectSuspended(): Suspended<S>;
  /** @returns the deliberate failure. @throws {OutcomeError} when the tool did not fail on purpose. */
  expectFailed(): Failure;
  /** @returns the very value that was thrown. @throws {OutcomeError} when nothing was. */
  expectThrew(): unknown;
  /** @returns the abort reason. @throws {OutcomeError} when the run was not cancelled. */
  expectCancelled(): unknown;
  /**
   * Runs the tool again from the start, with this and all earlier pauses answered. The handle it is called on never
   * changes: approve and deny may both branch from it.
   *
   * @param payload - The wire value, as whoever answers would send it; checked and parsed by `payloadSchema`.
   * @throws {UsageError} (rejects) when the run is not waiting on `name`, or the payload breaks its schema.
   */
  resume<Name extends keyof S & string>(
    name: Name,
    payload: Payload<S[Name]>,
    options?: ResumeOptions,
  ): Promise<RunToolHandle<Output, S>>;
}

export interface CompletedRun<Output, S extends Suspensions> extends RunRecord<Output, S> {
  readonly status: "completed";
  readonly output: Output;
}
export interface SuspendedRun<Output, S extends Suspensions> extends RunRecord<Output, S> {
  readonly status: "suspended";
  readonly suspend: Suspended<S>;
}
export interface FailedRun<Output, S extends Suspensions> extends RunRecord<Output, S> {
  readonly status: "failed";
  readonly error: Failure;
}
export interface ThrewRun<Output, S extends Suspensions> extends RunRecord<Output, S> {
  readonly status: "threw";
  readonly error: unknown;
}
export interface CancelledRun<Output, S extends Suspensions> extends RunRecord<Output, S> {
  readonly status: "cancelled";
  /** The abort reason. */
  readonly error: unknown;
}

/** What `runTool` gives: what the tool did, told apart by `status`. */
export type RunToolHandle<Output = unknown, S extends Suspensions = Suspensions> =
  | CompletedRun<Output, S>
  | SuspendedRun<Output, S>
  | FailedRun<Output, S>
  | ThrewRun<Output, S>
  | CancelledRun<Output, S>;

const HANDLE = Symbol.for("vitest-tool-loop/run-tool-handle");

/** Whether a value is a handle, of whichever copy of this package. */
export function isRunToolHandle(value: unknown): value is RunToolHandle {
  return typeof value === "object" && value !== null && HANDLE in value;
}

/** Where one branch stands: what it was given, what it did, and which of its pauses are answered. */
interface Branch {
  readonly run: Run;
  readonly journal: Journal;
  readonly answered: readonly Answered[];
  readonly signal: AbortSignal;
}

/** Runs one attempt and wraps what came of it. */
export async function runBranch(branch: Branch): Promise<RunToolHandle> {
  const outcome = await attempt(branch.run, branch.journal, branch.answered, branch.signal);
  return createHandle(branch, outcome);
}

/** A handle for an outcome that was decided before any attempt. */
export function createHandle(branch: Branch, outcome: Outcome): RunToolHandle {
  const { run, journal, answered } = branch;
  const waiting = outcome.status === "suspended" ? (outcome.suspend as Waiting) : undefined;
  const suspend = waiting && { name: waiting.name, input: waiting.input };
  const expectStatus = <S extends Status>(expected: S, check: () => unknown): Extract<Outcome, { status: S }> => {
    if (outcome.status === expected) return outcome as Extract<Outcome, { status: S }>;
    throw otherOutcome(run.tool.name, expected, outcome, check);
  };
  const handle = {
    ...outcome,
    ...(suspend ? { suspend } : {}),
    tool: run.tool.name,
    attempts: journal.attempts,
    suspendHistory: [
      ...answered.map(({ name, input, payload }) => ({ name, input, payload })),
      ...(suspend ? [suspend] : []),
    ],
    dataWrites: journal.dataWrites,
    data: Object.fromEntries(journal.dataWrites.map(({ name, value }) => [name, value])),
    agentRuns: journal.agentRuns,
    toolRuns: journal.toolRuns,
    expectOutput: (): unknown => expectStatus("completed", handle.expectOutput).output,
    expectSuspended: () => expectStatus("suspended", handle.expectSuspended) && suspend!,
    expectFailed: (): Failure => expectStatus("failed", handle.expectFailed).error,
    expectThrew: (): unknown => expectStatus("threw", handle.expectThrew).error,
    expectCancelled: (): unknown => expectStatus("cancelled", handle.expectCancelled).error,
    resume: async (name: string, payload: unknown, options: ResumeOptions = {}) => {
      if (!waiting) throw notWaiting(run.tool.name, name, outcome);
      requireOptions(options ?? {}, { signal: anything }, "resume()");
      const signal = options?.signal ?? branch.signal;
      if (!(signal instanceof AbortSignal)) {
        throw new UsageError(
          `The tool ${run.tool.name} cannot be resumed: expected signal to be an AbortSignal, found ${oneLine(signal)}. ` +
            "Pass controller.signal.",
        );
      }
      const answer = await readAnswer(run.tool.name, waiting, name, payload);
      return runBranch({
        run,
        journal: new Journal(journal),
        answered: [...answered, answer],
        signal,
      });
    },
  };
  Object.defineProperty(handle, HANDLE, { value: true });
  return handle as RunToolHandle;
}

async function readAnswer(tool: string, waiting: Waiting, name: string, payload: unknown): Promise<Answered> {
  if (name !== waiting.name) {
    throw new UsageError(
      `The run of ${tool} cannot be resumed: it waits on ${oneLine(waiting.name)}, found ${oneLine(name)}. ` +
        `Use resume(${oneLine(waiting.name)}, …).`,
    );
  }
  const reading = await readThrough(waiting.declared.payloadSchema, copyOf(payload)).catch((cause: unknown) => {
    throw new UsageError(
      `The run of ${tool} cannot be resumed: expected its payloadSchema for ${name} to judge ${oneLine(payload)}, found ` +
        `that it threw ${wordReason(cause)}. Correct the schema.`,
      { cause },
    );
  });
  if (!reading.ok) {
    throw new UsageError(
      `The run of ${tool} cannot be resumed: its payloadSchema for ${name} does not allow ${oneLine(payload)}: ` +
        `${reading.issues}. Pass what whoever answers would send.`,
    );
  }
  return { name, input: waiting.input, payload: recordOf(payload), parsed: reading.value };
}

function notWaiting(tool: string, name: string, outcome: Outcome): UsageError {
  return new UsageError(
    `The run of ${tool} cannot be resumed with ${oneLine(name)}: it is not waiting. ${wordOutcome(tool, outcome)}`,
  );
}

const EXPECTED: Record<Status, { readonly not: string; readonly check: string }> = {
  completed: { not: "did not return", check: "expectOutput()" },
  suspended: { not: "is not waiting", check: "expectSuspended()" },
  failed: { not: "did not fail on purpose", check: "expectFailed()" },
  threw: { not: "did not throw", check: "expectThrew()" },
  cancelled: { not: "was not cancelled", check: "expectCancelled()" },
};

function otherOutcome(tool: string, expected: Status, found: Outcome, check: () => unknown): OutcomeError {
  const error = new OutcomeError(
    [
      `${tool} ${EXPECTED[expected].not}: expected status ${oneLine(expected)}, found ${oneLine(found.status)}.`,
      wordOutcome(tool, found),
      `Correct the tool, or expect this with ${EXPECTED[found.status].check}.`,
      "",
      diffOutcomes(expected, found),
    ].join("\n"),
    found.status === "threw" ? { cause: found.error } : {},
  );
  // The report should point at the line of the test, not at this file.
  Error.captureStackTrace?.(error, check);
  return error;
}
