import type { StandardSchemaV1 } from "@standard-schema/spec";
import type { Capabilities, Facades, Suspension, Suspensions, ToolDefinition } from "./define-tool.js";
import type { FailureReport } from "./failure.js";

/** What a suspension is asked with: required, and of its schema's type, where it declares one. */
type SuspendArguments<S extends Suspension> = S extends { readonly inputSchema: infer Schema extends StandardSchemaV1 }
  ? [input: StandardSchemaV1.InferInput<Schema>]
  : [input?: unknown];

/** What `ctx.suspend` gives once the run is resumed: the payload after its schema. */
type Answer<S extends Suspension> = S extends { readonly payloadSchema: infer Schema extends StandardSchemaV1 }
  ? StandardSchemaV1.InferOutput<Schema>
  : unknown;

/** The nested tools as functions. Their input goes through their own schema, as it would in production. */
export type NestedTools<Tools> = {
  readonly [Key in keyof Tools]: Tools[Key] extends ToolDefinition<infer Input, infer Output>
    ? (input: StandardSchemaV1.InferInput<Input>) => Promise<Output>
    : never;
};

/** What `execute` gets beside its input. */
export interface ToolContextMembers<Context, Suspends extends Suspensions, Tools> {
  /** The very value handed to `runTool`, never a copy. */
  readonly context: Context;
  /** Aborted when the run is; a signal that never aborts when `runTool` was given none. */
  readonly signal: AbortSignal;
  readonly threadId: string | undefined;
  readonly agentId: string | undefined;
  /** Which start of `execute` this is, from 1. */
  readonly attempt: number;
  /**
   * Fails on purpose, as a result the model is to read.
   *
   * @param report - The message (code `tool_failed`), or `{ message, code?, retryable? }`.
   * @throws always, an error with `code`. Rethrown, the run is `failed`; wrapped, `threw`; handled, what the tool does.
   */
  fail(report: string | FailureReport): never;
  /**
   * Pauses the run until someone answers.
   *
   * @returns The payload of `resume`, parsed, when the tool runs again.
   * @throws the first time: the run ends as `suspended`, even if the tool catches it.
   */
  suspend<Name extends keyof Suspends & string>(
    name: Name,
    ...input: SuspendArguments<Suspends[Name]>
  ): Promise<Answer<Suspends[Name]>>;
  readonly data: {
    /** Records a copy of `value` in `dataWrites`, and as the last value of `name` in `data`. */
    write(name: string, value: unknown): void;
  };
  readonly agents: {
    /** Delegates to an agent of `createTestRuntime({ agents })`; recorded in `agentRuns`. */
    run(agent: string, input: unknown): Promise<unknown>;
  };
  readonly tools: NestedTools<Tools>;
}

/** What `execute` gets beside its input: the members above, and one facade for each capability the tool declares. */
export type ToolContext<
  Context = unknown,
  Suspends extends Suspensions = Suspensions,
  Caps extends Capabilities = Capabilities,
  Tools = unknown,
> = ToolContextMembers<Context, Suspends, Tools> & Facades<Caps>;

/** The names no capability may have. */
export const CONTEXT_MEMBERS: readonly string[] = [
  "context",
  "signal",
  "threadId",
  "agentId",
  "attempt",
  "fail",
  "suspend",
  "data",
  "agents",
  "tools",
] satisfies (keyof ToolContextMembers<unknown, Suspensions, unknown>)[];
