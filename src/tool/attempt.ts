import { ToolContractError, UsageError } from "../errors.js";
import { oneLine } from "../json.js";
import { type AgentDouble, runAgent } from "./agent.js";
import type { ToolContext } from "./context.js";
import { copyOf } from "./copies.js";
import { isToolDefinition, type ToolDefinition } from "./define-tool.js";
import { invalidInput, readFailure, ToolFailure } from "./failure.js";
import { explain, type MissingMember, noteMissing, wordInputProblem } from "./hints.js";
import type { Journal } from "./journal.js";
import type { Outcome } from "./outcome.js";
import { type Runnable, readDefinition } from "./runnable.js";
import { readThrough } from "./schema.js";
import { runUnder } from "./signal.js";
import { type Answered, AttemptSuspensions } from "./suspensions.js";

/** Replaces a nested tool: another tool, or a function in the place of its `execute`. */
export type ToolDouble = ToolDefinition | ((input: never, ctx: ToolContext) => unknown);

/** What stands in for nested tools and agents, by key. */
export interface Doubles {
  readonly tools: Readonly<Record<string, ToolDouble>>;
  readonly agents: Readonly<Record<string, AgentDouble>>;
}

/** What stays the same over all attempts and branches of one `runTool`. */
export interface Run {
  readonly tool: Runnable;
  readonly input: unknown;
  /** Nobody has held the input against the tool's schema: it is taken for the parsed type. */
  readonly unread: boolean;
  readonly context: unknown;
  readonly capabilities: Readonly<Record<string, unknown>>;
  readonly threadId: string | undefined;
  readonly agentId: string | undefined;
  readonly doubles: Doubles;
}

/** One attempt: what its context members act on. */
interface Attempt {
  readonly run: Run;
  readonly journal: Journal;
  readonly suspensions: AttemptSuspensions;
  readonly signal: AbortSignal;
  readonly number: number;
  readonly missing: MissingMember[];
}

/**
 * Runs the tool from the start, once, with these suspensions answered. Never rejects.
 *
 * `execute` starts before this returns, unless a gate stands before it or the signal is aborted already. An abort ends
 * the attempt at once: nobody waits for a tool that does not listen.
 */
export function attempt(
  run: Run,
  journal: Journal,
  answered: readonly Answered[],
  signal: AbortSignal,
): Promise<Outcome> {
  return new Promise((resolve) => {
    const end = (outcome: Outcome) => {
      journal.close();
      signal.removeEventListener("abort", cancel);
      resolve(outcome);
    };
    const cancel = () => end({ status: "cancelled", error: signal.reason });
    if (signal.aborted) return cancel();
    signal.addEventListener("abort", cancel);
    const suspensions = new AttemptSuspensions(answered);
    void perform({ run, journal, suspensions, signal, number: journal.attempts + 1, missing: [] }).then(end);
  });
}

async function perform(attempt: Attempt): Promise<Outcome> {
  const ended = await settle(() => startTool(attempt));
  const outcome = await attempt.suspensions.conclude(ended);
  if (outcome.status === "threw") explain(outcome.error, attempt.missing, await inputProblem(attempt.run));
  return outcome;
}

/** What is wrong with an input that was taken for the parsed type. A schema that transforms may be wrong about it. */
async function inputProblem({ tool, input, unread }: Run): Promise<string | undefined> {
  if (!unread) return undefined;
  const reading = await tool.readInput(copyOf(input)).catch(() => undefined);
  return reading?.ok === false ? wordInputProblem(tool.name, input, reading.issues) : undefined;
}

async function startTool(attempt: Attempt): Promise<unknown> {
  const { run, journal, suspensions, signal } = attempt;
  const ctx = createContext(attempt, run.tool, run.context);
  if (run.tool.gate) {
    await run.tool.gate(copyOf(run.input), ctx);
    signal.throwIfAborted();
  }
  journal.attempts += 1;
  const output = await runUnder(signal, () => run.tool.execute(copyOf(run.input), ctx, suspensions.answered));
  return run.tool.readOutput ? run.tool.readOutput(output) : output;
}

async function settle(start: () => Promise<unknown>): Promise<Outcome> {
  try {
    return { status: "completed", output: await start() };
  } catch (error) {
    const failure = readFailure(error);
    return failure ? { status: "failed", error: failure } : { status: "threw", error };
  }
}

function createContext(attempt: Attempt, tool: Runnable, context: unknown): ToolContext {
  const { run, journal, suspensions, signal } = attempt;
  const ctx: ToolContext = {
    context,
    signal,
    threadId: run.threadId,
    agentId: run.agentId,
    attempt: attempt.number,
    fail(report) {
      throw new ToolFailure(report);
    },
    suspend: (name, input?: unknown) => suspensions.ask(tool, name, input, () => inputProblem(run)),
    data: { write: (name, value) => journal.write(name, value) },
    agents: { run: (agent, input) => runDelegate(attempt, tool, agent, input) },
    tools: Object.fromEntries(
      Object.entries(tool.tools).map(([key, nested]) => [
        key,
        (input: unknown) => runNested(attempt, key, nested, { tool, context, input }),
      ]),
    ),
  };
  const facades = Object.fromEntries(tool.capabilities.map((name) => [name, run.capabilities[name]]));
  return noteMissing(Object.assign(ctx, facades), attempt.missing);
}

async function runDelegate(attempt: Attempt, tool: Runnable, agent: string, input: unknown): Promise<unknown> {
  attempt.signal.throwIfAborted();
  const finish = attempt.journal.startAgent(agent, input);
  const { agents } = attempt.run.doubles;
  if (!Object.hasOwn(agents, agent)) {
    const known = Object.keys(agents);
    throw new UsageError(
      `The tool ${tool.name} delegated to the agent ${oneLine(agent)}, which has no double: expected ` +
        `${known.length === 0 ? "none, for no agents were given" : `one of ${known.join(", ")}`}. ` +
        `Give it one: createTestRuntime({ agents: { ${agent}: async (input) => "…" } }).`,
    );
  }
  const output = await runAgent(agent, agents[agent]!, copyOf(input), attempt.signal);
  finish(output);
  return output;
}

/** Who calls a nested tool, with what. */
interface NestedCall {
  readonly tool: Runnable;
  readonly context: unknown;
  readonly input: unknown;
}

async function runNested(attempt: Attempt, key: string, nested: ToolDefinition, call: NestedCall): Promise<unknown> {
  attempt.signal.throwIfAborted();
  const finish = attempt.journal.startTool(key, call.input);
  const { tools } = attempt.run.doubles;
  const double = Object.hasOwn(tools, key) ? tools[key] : undefined;
  const tool = readNested(nested, double);
  const reading = await tool.readInput(copyOf(call.input));
  if (!reading.ok) throw invalidInput(tool.name, reading.issues);
  const context = typeof double === "function" ? call.context : await readContext(tool, call);
  const output = await tool.execute(reading.value, createContext(attempt, tool, context), []);
  const read = tool.readOutput ? await tool.readOutput(output) : output;
  finish(read);
  return read;
}

/** The nested tool as it will run: for real, or replaced. A function takes only the place of `execute`. */
export function readNested(nested: ToolDefinition, double: ToolDouble | undefined): Runnable {
  if (double === undefined) return readDefinition(nested);
  if (isToolDefinition(double)) return readDefinition(double);
  return { ...readDefinition(nested), capabilities: [], execute: double as Runnable["execute"] };
}

/** A nested tool sees the context of the tool that calls it, through its own schema where it declares another one. */
async function readContext(tool: Runnable, call: NestedCall): Promise<unknown> {
  if (!tool.contextSchema || tool.contextSchema === call.tool.contextSchema) return call.context;
  const reading = await readThrough(tool.contextSchema, call.context);
  if (reading.ok) return reading.value;
  throw new ToolContractError(
    `The tool ${tool.name} declares a context that the context of ${call.tool.name}, which calls it, does not satisfy: ` +
      `${reading.issues}. Pass a context that satisfies both, or replace ${tool.name} in createTestRuntime({ tools }).`,
  );
}
