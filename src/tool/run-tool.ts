import type { StandardSchemaV1 } from "@standard-schema/spec";
import { UsageError } from "../errors.js";
import { isRecord, oneLine } from "../json.js";
import { anything, type OptionsShape, requireOptions, text } from "../options.js";
import type { Doubles, Run } from "./attempt.js";
import { copyOf } from "./copies.js";
import {
  type Capabilities,
  type Facades,
  isToolDefinition,
  type Suspensions,
  type ToolDefinition,
} from "./define-tool.js";
import { invalidInput, readFailure } from "./failure.js";
import type { ForeignOptions, ForeignOutput, ForeignSuspensions, ForeignTool } from "./foreign/foreign.js";
import { KNOWN_FRAMEWORKS, readForeignTool } from "./foreign/index.js";
import { createHandle, type RunToolHandle, runBranch } from "./handle.js";
import { Journal } from "./journal.js";
import { type Runnable, readDefinition } from "./runnable.js";
import { type Reading, readWire } from "./schema.js";

/** The input as the tool gets it, or what a model might have sent instead of it. */
export type InputOption<Input> =
  | {
      /** The parsed output type of `inputSchema`. Reaches the tool unchanged, a fresh copy per attempt. */
      readonly input: Input;
      readonly rawInput?: never;
    }
  | {
      /** JSON text or a value, which goes through `inputSchema` first; what it does not allow is `invalid_input`. */
      readonly rawInput: unknown;
      readonly input?: never;
    };

/** `context` is required exactly when the tool declares a `contextSchema`. */
export type ContextOption<Context> = unknown extends Context
  ? { readonly context?: unknown }
  : { readonly context: Context };

/** `capabilities` is required exactly when the tool declares any. */
export type CapabilitiesOption<Caps extends Capabilities> = keyof Caps extends never
  ? { readonly capabilities?: undefined }
  : { readonly capabilities: Facades<Caps> };

export interface RunIdentity {
  /** Cancels the run: aborted before the start, `execute` never starts. */
  readonly signal?: AbortSignal;
  /** Reaches the tool as `ctx.threadId`. */
  readonly threadId?: string;
  /** Reaches the tool as `ctx.agentId`. */
  readonly agentId?: string;
}

export type RunToolOptions<Input, Context, Caps extends Capabilities> = InputOption<Input> &
  ContextOption<Context> &
  CapabilitiesOption<Caps> &
  RunIdentity;

/** The options for a tool of a framework, whose types say less than those of `defineTool`. */
export type ForeignRunOptions = InputOption<unknown> &
  RunIdentity &
  ForeignOptions & {
    /** What the framework hands to its tools as their context. */
    readonly context?: unknown;
  };

/** The options as they arrive, whatever the types promised. */
export interface LooseOptions extends RunIdentity, ForeignOptions {
  readonly input?: unknown;
  readonly rawInput?: unknown;
  readonly context?: unknown;
  readonly capabilities?: Readonly<Record<string, unknown>> | undefined;
}

/**
 * Runs one call of one tool, without a loop and without a model, and gives a handle that tells what it did: returned,
 * paused, failed on purpose, threw, or was cancelled.
 *
 * Nothing the tool does rejects; only a call that cannot work does.
 *
 * @throws {UsageError} (rejects) when `tool` is no tool or cannot be run here, when neither or both of `input` and
 * `rawInput` are given, when a declared context or capability is missing, or when an undeclared capability is given.
 *
 * @example
 * const run = await runTool(searchDocs, { input: { query: "tenancy" }, context: { docs: fakeDocs } });
 * expect(run.expectOutput().hits).toHaveLength(1);
 */
export function runTool<
  Input extends StandardSchemaV1,
  Output,
  Context,
  Suspends extends Suspensions,
  Caps extends Capabilities,
  Tools,
>(
  tool: ToolDefinition<Input, Output, Context, Suspends, Caps, Tools>,
  options: RunToolOptions<StandardSchemaV1.InferOutput<Input>, Context, Caps>,
): Promise<RunToolHandle<Output, Suspends>>;
/**
 * Runs one call of a tool of a framework, unmodified: of the AI SDK, Mastra, LangChain, OpenAI Agents, the Anthropic SDK,
 * TanStack AI, or of an MCP server ({@link mcpTool}). It is recognised by its shape.
 *
 * A tool that parses for itself takes as `input` what a model would send.
 */
export function runTool<Tool extends ForeignTool>(
  tool: Tool,
  options: ForeignRunOptions,
): Promise<RunToolHandle<ForeignOutput<Tool>, ForeignSuspensions>>;
export async function runTool(tool: unknown, options: LooseOptions): Promise<unknown> {
  const runnable = readTool(tool, options);
  const nested = Object.keys(runnable.tools);
  if (nested.length > 0) {
    throw new UsageError(
      `The tool ${runnable.name} calls other tools (${nested.join(", ")}), which need a runtime. ` +
        "Run it in one: createTestRuntime({ tools: { … } }).runTool(tool, { … }).",
    );
  }
  return startRun(runnable, options, NO_DOUBLES, runnable.capabilities);
}

const NO_DOUBLES: Doubles = { tools: {}, agents: {} };

/** Reads whatever was handed to `runTool` as a tool that can be run. */
export function readTool(tool: unknown, options: ForeignOptions = {}): Runnable {
  const runnable = isToolDefinition(tool) ? readDefinition(tool) : readForeignTool(tool, options);
  if (runnable) return runnable;
  throw new UsageError(
    `runTool() needs a tool: expected one made by defineTool() or by ${KNOWN_FRAMEWORKS}, found ${oneLine(tool)}.` +
      adviceFor(tool),
  );
}

/** The names under which tools made by hand keep what they do. */
const RUNS = ["execute", "run", "invoke", "handler", "func", "call"];

/** What to do about what was taken for a tool. */
function adviceFor(tool: unknown): string {
  if (typeof tool === "function") {
    return " A function becomes one: defineTool({ name, inputSchema, execute: (input) => yourFunction(input) }).";
  }
  if (!isRecord(tool)) return "";
  if (typeof tool.then === "function") return " Await it first.";
  const runs = RUNS.find((key) => typeof tool[key] === "function");
  if (runs !== undefined) {
    return ` It becomes one: defineTool({ name, inputSchema, execute: (input) => yourTool.${runs}(input) }).`;
  }
  if (isRecord(tool.function) || "parameters" in tool || "input_schema" in tool) {
    return " This is what a model is shown of a tool. Pass the tool itself, with the function that does it.";
  }
  const held = Object.keys(tool).find(
    (key) => isToolDefinition(tool[key]) || RUNS.some((run) => hasMethod(tool[key], run)),
  );
  if (held === undefined) return " It has no function that does anything.";
  return ` It holds tools: pass one of them, as in runTool(tools.${held}, …).`;
}

function hasMethod(value: unknown, key: string): boolean {
  return isRecord(value) && typeof value[key] === "function";
}

/**
 * Checks the call and starts the run.
 *
 * @param declared - The capabilities that must be supplied: the tool's own, and in a runtime those of its nested tools.
 */
export async function startRun(
  tool: Runnable,
  options: LooseOptions,
  doubles: Doubles,
  declared: readonly string[],
): Promise<RunToolHandle> {
  refuseBrokenCall(tool, options, declared);
  const signal = options.signal ?? new AbortController().signal;
  // Without rawInput nothing is awaited before `execute` starts: an abort right after the call meets a running tool.
  const unread = !("rawInput" in options || tool.takesWire);
  const run = (input: unknown): Run => ({
    tool,
    input: copyOf(input),
    unread,
    context: options.context,
    capabilities: options.capabilities ?? {},
    threadId: options.threadId,
    agentId: options.agentId,
    doubles,
  });
  const branch = { journal: new Journal(), answered: [], signal };
  if (unread) return runBranch({ ...branch, run: run(options.input) });

  let reading: Reading;
  try {
    reading = await readGiven(tool, options);
  } catch (error) {
    // The schema is the tool's own code: what it throws, the tool threw.
    return createHandle({ ...branch, run: run(undefined) }, { status: "threw", error });
  }
  if (reading.ok) return runBranch({ ...branch, run: run(reading.value) });
  // An abort outweighs what the model sent, as it outweighs what the tool does.
  if (signal.aborted)
    return createHandle({ ...branch, run: run(undefined) }, { status: "cancelled", error: signal.reason });
  const failure = readFailure(invalidInput(tool.name, reading.issues))!;
  return createHandle({ ...branch, run: run(undefined) }, { status: "failed", error: failure });
}

/** Reads what a model sent, or may have sent, as a loop would. */
async function readGiven(tool: Runnable, options: LooseOptions): Promise<Reading> {
  const raw = "rawInput" in options;
  const given = raw ? options.rawInput : options.input;
  const wire = raw && !tool.takesText ? readWire(given) : ({ ok: true, value: given } as const);
  return wire.ok ? tool.readInput(copyOf(wire.value)) : wire;
}

/** Those that are refused with a sentence of their own take anything here. */
const OPTIONS: OptionsShape<LooseOptions> = {
  input: anything,
  rawInput: anything,
  context: anything,
  capabilities: anything,
  signal: anything,
  threadId: text,
  agentId: text,
  approval: { wanted: "true, false or a function", holds: (value) => ["boolean", "function"].includes(typeof value) },
};

function refuseBrokenCall(tool: Runnable, options: LooseOptions | undefined, declared: readonly string[]): void {
  const refuse = (sentence: string) => new UsageError(`The tool ${tool.name} cannot be run: ${sentence}`);
  const given = ["input", "rawInput"].filter((key) => isRecord(options) && key in options);
  if (!options || given.length === 0) {
    throw refuse("expected input or rawInput, found neither. Use runTool(tool, { input: { … } }).");
  }
  if (given.length === 2) throw refuse("expected input or rawInput, found both. Keep one.");
  requireOptions(options, OPTIONS, "runTool()");
  if (tool.contextSchema && options.context === undefined) {
    throw refuse("it declares a contextSchema, but no context was given. Add context: { … }.");
  }
  const { signal, capabilities } = options;
  if (signal !== undefined && !(signal instanceof AbortSignal)) {
    throw refuse(`expected signal to be an AbortSignal, found ${oneLine(signal)}. Pass controller.signal.`);
  }
  if (capabilities !== undefined && !isRecord(capabilities)) {
    throw refuse(
      `expected capabilities to be an object, found ${oneLine(capabilities)}. Key it as the tool declares them.`,
    );
  }
  const supplied: Readonly<Record<string, unknown>> = capabilities ?? {};
  const missing = declared.filter((name) => !Object.hasOwn(supplied, name) || supplied[name] === undefined);
  if (missing.length > 0) {
    throw refuse(`it needs the capability ${missing.join(", ")}. Add capabilities: { ${missing[0]}: … }.`);
  }
  const excess = Object.keys(supplied).filter((name) => !declared.includes(name));
  if (excess.length > 0) {
    const known = declared.length === 0 ? "none" : declared.join(", ");
    throw refuse(`it declares no capability ${excess.join(", ")}: expected ${known}. Remove what it does not declare.`);
  }
}
