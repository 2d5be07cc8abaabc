import type { StandardSchemaV1 } from "@standard-schema/spec";
import { UsageError } from "../errors.js";
import { isRecord, oneLine } from "../json.js";
import { anything, requireOptions } from "../options.js";
import type { AgentDouble } from "./agent.js";
import { type Doubles, readNested, type ToolDouble } from "./attempt.js";
import {
  type Capabilities,
  type Facades,
  isToolDefinition,
  type Suspensions,
  type ToolDefinition,
  type ToolMap,
} from "./define-tool.js";
import type { RunToolHandle } from "./handle.js";
import {
  type ContextOption,
  type InputOption,
  type LooseOptions,
  type RunIdentity,
  readTool,
  startRun,
} from "./run-tool.js";
import type { Runnable } from "./runnable.js";

export interface TestRuntimeOptions {
  /** Replaces nested tools, by the key they are called with, at any depth: a tool, or a function for its `execute`. */
  readonly tools?: Readonly<Record<string, ToolDouble>>;
  /** The agents `ctx.agents.run` may delegate to: functions or scripted models. */
  readonly agents?: Readonly<Record<string, AgentDouble>>;
}

/** The suspensions of a tool and of every tool below it. */
type TreeSuspensions<Suspends extends Suspensions, Tools> = keyof Tools extends never
  ? Suspends
  : Suspends & NestedSuspensions<Tools>;

type NestedSuspensions<Tools> = Merged<
  {
    [Key in keyof Tools]: Tools[Key] extends ToolDefinition<
      infer _Input,
      infer _Output,
      infer _Context,
      infer Suspends,
      infer _Caps,
      infer Deeper
    >
      ? TreeSuspensions<Suspends, Deeper>
      : never;
  }[keyof Tools]
>;

type Merged<Union> = (Union extends unknown ? (each: Union) => void : never) extends (all: infer All) => void
  ? Extract<All, Suspensions>
  : never;

/** The tool's own capabilities, and beside them those of the nested tools that run for real. */
type RuntimeCapabilities<Caps extends Capabilities> = keyof Caps extends never
  ? { readonly capabilities?: Readonly<Record<string, unknown>> }
  : { readonly capabilities: Facades<Caps> & Readonly<Record<string, unknown>> };

export interface TestRuntime {
  /** {@link runTool} for tools that call tools and agents. */
  runTool<
    Input extends StandardSchemaV1,
    Output,
    Context,
    Suspends extends Suspensions,
    Caps extends Capabilities,
    Tools,
  >(
    tool: ToolDefinition<Input, Output, Context, Suspends, Caps, Tools>,
    options: InputOption<StandardSchemaV1.InferOutput<Input>> &
      ContextOption<Context> &
      RuntimeCapabilities<Caps> &
      RunIdentity,
  ): Promise<RunToolHandle<Output, TreeSuspensions<Suspends, Tools>>>;
}

/**
 * A place where tools may call tools and agents: replaced where you say so, for real where you do not.
 *
 * A nested tool runs with the context of the tool that calls it, and its failure, throw, pause or cancellation is the
 * outer tool's unless that handles it. What was called is in the handle's `toolRuns` and `agentRuns`.
 *
 * @throws {UsageError} at once when a double is neither a tool nor a function; from `runTool` (rejects) when a key of
 * `tools` names no nested tool, or a capability of a nested tool that runs for real is missing.
 *
 * @example
 * const runtime = createTestRuntime({ tools: { search: async () => ({ hits: [] }) }, agents: { writer: async () => "Done." } });
 * const run = await runtime.runTool(research, { input: { topic: "tenancy" } });
 */
export function createTestRuntime(options: TestRuntimeOptions = {}): TestRuntime {
  if (isRecord(options)) requireOptions(options, { tools: anything, agents: anything }, "createTestRuntime()");
  const { tools = {}, agents = {} }: TestRuntimeOptions = isRecord(options) ? options : { tools: options };
  for (const [name, doubles] of Object.entries({ tools, agents })) {
    if (isRecord(doubles)) continue;
    throw new UsageError(
      `createTestRuntime() takes { tools?, agents? }, each keyed by name: found ${oneLine(doubles)} as ${name}.`,
    );
  }
  for (const [key, double] of Object.entries(tools)) {
    if (typeof double !== "function" && !isToolDefinition(double)) throw noDouble("tools", key, double);
  }
  for (const [key, double] of Object.entries(agents)) {
    if (typeof double !== "function") throw noDouble("agents", key, double);
  }
  const doubles: Doubles = { tools, agents };
  return {
    async runTool(tool, options) {
      const root = readTool(tool);
      const tree = walk(root, doubles);
      refuseUnknownKeys(root, tree.keys, Object.keys(tools));
      return (await startRun(root, options as LooseOptions, doubles, [...tree.capabilities])) as never;
    },
  };
}

interface Tree {
  /** Every key some tool calls another by. */
  readonly keys: ReadonlySet<string>;
  /** Every capability of a tool that runs for real. */
  readonly capabilities: ReadonlySet<string>;
}

function walk(root: Runnable, doubles: Doubles): Tree {
  const keys = new Set<string>();
  const capabilities = new Set<string>(root.capabilities);
  // Whether each map was walked as that of a tool that runs. A tool may call itself, and one that is replaced in one
  // place may run in another.
  const walked = new Map<ToolMap, boolean>();
  const visit = (tool: Runnable, real: boolean) => {
    if (walked.get(tool.tools) || (walked.has(tool.tools) && !real)) return;
    walked.set(tool.tools, real);
    for (const [key, definition] of Object.entries(tool.tools)) {
      const double = Object.hasOwn(doubles.tools, key) ? doubles.tools[key] : undefined;
      const nested = readNested(definition, double);
      const runsForReal = real && typeof double !== "function";
      keys.add(key);
      if (runsForReal) for (const name of nested.capabilities) capabilities.add(name);
      visit(nested, runsForReal);
    }
  };
  visit(root, true);
  return { keys, capabilities };
}

function refuseUnknownKeys(root: Runnable, known: ReadonlySet<string>, replaced: readonly string[]): void {
  const unknown = replaced.filter((key) => !known.has(key));
  if (unknown.length === 0) return;
  throw new UsageError(
    `The runtime replaces ${unknown.join(", ")}, which ${root.name} does not call: expected ` +
      `${known.size === 0 ? "nothing, for it calls no tools" : `only ${[...known].join(", ")}`}. ` +
      "Use the key under which the tool is declared in `tools`.",
  );
}

function noDouble(field: string, key: string, double: unknown): UsageError {
  const kinds = field === "tools" ? "a tool or a function" : "a function or a scripted model";
  return new UsageError(
    `createTestRuntime() needs doubles: expected ${field}.${key} to be ${kinds}, found ${oneLine(double)}.`,
  );
}
