import type { StandardSchemaV1 } from "@standard-schema/spec";
import { UsageError } from "../errors.js";
import { isRecord, oneLine } from "../json.js";
import { anything, type OptionKind, requireOptions, text } from "../options.js";
import { CONTEXT_MEMBERS, type ToolContext } from "./context.js";
import { isSchema } from "./schema.js";

/** A pause a tool may ask for: what it shows whoever answers, and what they may answer. */
export interface Suspension {
  /** Checks what the tool hands to `ctx.suspend`. Absent: anything. */
  readonly inputSchema?: StandardSchemaV1;
  /** Checks and parses what is handed to `resume`. Absent: anything. */
  readonly payloadSchema?: StandardSchemaV1;
}

export type Suspensions = Readonly<Record<string, Suspension>>;

declare const FACADE: unique symbol;

/** What a tool needs from its host, made by {@link capability}; it reaches `execute` as `ctx.KEY`. */
export interface Capability<Facade> {
  /** Only a type: nothing is stored here. */
  readonly [FACADE]?: Facade;
}

export type Capabilities = Readonly<Record<string, Capability<unknown>>>;

/** The facade for each capability, under the same key. */
export type Facades<C extends Capabilities> = {
  readonly [Key in keyof C]: C[Key] extends Capability<infer Facade> ? Facade : never;
};

/**
 * Declares that a tool needs a facade of this type from its host.
 *
 * @example
 * defineTool({ name: "build", capabilities: { sandbox: capability<Sandbox>() }, ... })
 */
export function capability<Facade>(): Capability<Facade> {
  return Object.freeze({});
}

const TOOL = Symbol.for("vitest-tool-loop/tool");

/** A tool made by {@link defineTool}. The type parameters carry what `runTool` infers. */
export interface ToolDefinition<
  Input extends StandardSchemaV1 = StandardSchemaV1,
  Output = unknown,
  Context = unknown,
  Suspends extends Suspensions = Suspensions,
  Caps extends Capabilities = Capabilities,
  Tools = unknown,
> {
  readonly [TOOL]: true;
  readonly name: string;
  readonly description: string | undefined;
  readonly inputSchema: Input;
  readonly outputSchema: StandardSchemaV1 | undefined;
  readonly contextSchema: StandardSchemaV1<unknown, Context> | undefined;
  readonly suspends: Suspends;
  readonly capabilities: Caps;
  readonly tools: Tools;
  execute(input: StandardSchemaV1.InferOutput<Input>, ctx: ToolContext<Context, Suspends, Caps, Tools>): unknown;
  /** Only a type: what `execute` gives, after `outputSchema`. */
  readonly [OUTPUT]?: Output;
}

declare const OUTPUT: unique symbol;

export type ToolMap = Readonly<Record<string, ToolDefinition>>;

/** What {@link defineTool} takes. */
export interface ToolOptions<
  Input extends StandardSchemaV1,
  OutputSchema extends StandardSchemaV1,
  Returned,
  ContextSchema extends StandardSchemaV1,
  Suspends extends Suspensions,
  Caps extends Capabilities,
  Tools extends ToolMap,
> {
  readonly name: string;
  readonly description?: string;
  /** Any Standard Schema: zod, valibot, arktype. `execute` gets its parsed output type. */
  readonly inputSchema: Input;
  /** What `execute` returns goes through it; a value that breaks it makes the run `threw`. */
  readonly outputSchema?: OutputSchema;
  /** Declares `ctx.context`, and makes `context` required in `runTool`. Its parsed output type is what is passed. */
  readonly contextSchema?: ContextSchema;
  /** The pauses `ctx.suspend` may ask for, by name. */
  readonly suspends?: Suspends;
  /** What the host must supply, by the name `execute` finds it under: `{ sandbox: capability<Sandbox>() }`. */
  readonly capabilities?: Caps;
  /** Tools `execute` may call as `ctx.tools.KEY(input)`; running it then needs `createTestRuntime`. */
  readonly tools?: Tools;
  execute(
    input: StandardSchemaV1.InferOutput<Input>,
    ctx: ToolContext<StandardSchemaV1.InferOutput<ContextSchema>, Suspends, Caps, Tools>,
  ): Returned | Promise<Returned>;
}

/** With a schema, its parsed output; without one, what `execute` returns. */
type OutputOf<OutputSchema extends StandardSchemaV1, Returned> =
  unknown extends StandardSchemaV1.InferOutput<OutputSchema> ? Returned : StandardSchemaV1.InferOutput<OutputSchema>;

/**
 * Defines a tool that {@link runTool} can run by itself, without a loop and without a model.
 *
 * @throws {UsageError} when the definition cannot work: no name, no `execute`, a schema that is no Standard Schema, a
 * capability whose name `ctx` already has.
 */
export function defineTool<
  Input extends StandardSchemaV1,
  Returned extends StandardSchemaV1.InferInput<OutputSchema>,
  OutputSchema extends StandardSchemaV1 = StandardSchemaV1<unknown, unknown>,
  ContextSchema extends StandardSchemaV1 = StandardSchemaV1<unknown, unknown>,
  // biome-ignore lint/complexity/noBannedTypes: "no suspensions" is exactly the object without keys.
  const Suspends extends Suspensions = {},
  // biome-ignore lint/complexity/noBannedTypes: as above, for capabilities.
  Caps extends Capabilities = {},
  // biome-ignore lint/complexity/noBannedTypes: as above, for tools.
  Tools extends ToolMap = {},
>(
  options: ToolOptions<Input, OutputSchema, Returned, ContextSchema, Suspends, Caps, Tools>,
): ToolDefinition<
  Input,
  OutputOf<OutputSchema, Returned>,
  StandardSchemaV1.InferOutput<ContextSchema>,
  Suspends,
  Caps,
  Tools
> {
  refuseBrokenDefinition(options);
  return {
    [TOOL]: true,
    name: options.name,
    description: options.description,
    inputSchema: options.inputSchema,
    outputSchema: options.outputSchema,
    contextSchema: options.contextSchema as StandardSchemaV1<unknown, StandardSchemaV1.InferOutput<ContextSchema>>,
    suspends: options.suspends ?? ({} as Suspends),
    capabilities: options.capabilities ?? ({} as Caps),
    tools: options.tools ?? ({} as Tools),
    // Called as a method of the developer's own object: `this` is what they expect.
    execute: (input, ctx) => options.execute(input, ctx),
  };
}

/** Whether a value was made by {@link defineTool}, in whichever copy of this package. */
export function isToolDefinition(value: unknown): value is ToolDefinition {
  return isRecord(value) && TOOL in value;
}

const byName: OptionKind = { wanted: "an object, by name", holds: isRecord };

/** Those that are refused with a sentence of their own, which names the tool, take anything here. */
const OPTIONS: Readonly<Record<string, OptionKind>> = {
  name: anything,
  description: text,
  inputSchema: anything,
  outputSchema: anything,
  contextSchema: anything,
  suspends: {
    wanted: "an object of { inputSchema?, payloadSchema? }, by name",
    holds: (value) => isRecord(value) && Object.values(value).every(isRecord),
  },
  capabilities: byName,
  tools: byName,
  execute: anything,
};

function refuseBrokenDefinition(options: unknown): void {
  if (!isRecord(options)) {
    throw new UsageError(`defineTool() needs a definition: expected an object, found ${oneLine(options)}.`);
  }
  const { name, execute, inputSchema, suspends = {}, capabilities = {}, tools = {} } = options;
  if (typeof name !== "string" || name === "") {
    throw new UsageError(`defineTool() needs a name: expected a text, found ${oneLine(name)}. Add name: "…".`);
  }
  requireOptions(options, OPTIONS, `The tool ${name}`);
  const refuse = (sentence: string) => new UsageError(`The tool ${name} cannot be defined: ${sentence}`);
  if (typeof execute !== "function") {
    throw refuse(`expected execute to be a function, found ${oneLine(execute)}. Add execute(input, ctx).`);
  }
  for (const [field, schema] of Object.entries({ inputSchema, ...schemasOf(options, suspends) })) {
    if (!isSchema(schema)) {
      throw refuse(
        `expected ${field} to be a Standard Schema, found ${oneLine(schema)}. Use a schema of zod, valibot or arktype.`,
      );
    }
  }
  const taken = Object.keys(capabilities as object).find((key) => CONTEXT_MEMBERS.includes(key));
  if (taken !== undefined) {
    throw refuse(`ctx.${taken} exists already, so no capability may be called ${taken}. Rename the capability.`);
  }
  const stranger = Object.entries(tools as object).find(([, tool]) => !isToolDefinition(tool));
  if (stranger) {
    throw refuse(`expected tools.${stranger[0]} to be made by defineTool(), found ${oneLine(stranger[1])}.`);
  }
}

/** Every optional schema that is there, by its path in the definition. */
function schemasOf(options: Record<string, unknown>, suspends: unknown): Record<string, unknown> {
  const found: Record<string, unknown> = {};
  for (const field of ["outputSchema", "contextSchema"]) {
    if (options[field] !== undefined) found[field] = options[field];
  }
  for (const [name, suspension] of Object.entries(suspends as Record<string, Suspension>)) {
    for (const field of ["inputSchema", "payloadSchema"] as const) {
      if (suspension?.[field] !== undefined) found[`suspends.${name}.${field}`] = suspension[field];
    }
  }
  return found;
}
