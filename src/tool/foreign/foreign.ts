import type { StandardSchemaV1 } from "@standard-schema/spec";
import { UsageError } from "../../errors.js";
import { isRecord, oneLine } from "../../json.js";
import type { ToolContext } from "../context.js";
import type { ToolDefinition } from "../define-tool.js";
import type { Runnable } from "../runnable.js";
import { readThrough } from "../schema.js";

/** What whoever is asked for an approval answers. */
export interface ApprovalAnswer {
  readonly approved: boolean;
  /** Why not. It becomes the message of the failure. */
  readonly reason?: string;
}

/** The pauses of frameworks have no names of their own; they get these. */
export interface ForeignSuspensions {
  /** The tool waits to be approved; asked with the call's input. */
  readonly approval: { readonly payloadSchema: StandardSchemaV1<ApprovalAnswer> };
  /** LangGraph's `interrupt(value)`. */
  readonly interrupt: Record<never, never>;
  /** Mastra's `suspend(payload)`. */
  readonly suspend: Record<never, never>;
  readonly [name: string]: Record<never, never>;
}

export interface ForeignOptions {
  /**
   * Whether the call needs an approval, for a framework that keeps this outside of the tool (AI SDK 7: `toolApproval`).
   * Default: what the tool itself says.
   */
  readonly approval?: boolean | ((input: unknown) => boolean | Promise<boolean>);
}

type AnyFunction = (...args: never[]) => unknown;

/** A tool of a framework, by what it is called with. */
export type ForeignTool = { readonly [Key in keyof Pick<ToolDefinition, symbol & keyof ToolDefinition>]?: never } & (
  | { readonly execute?: AnyFunction | undefined }
  | { readonly run: AnyFunction }
  | { readonly invoke: AnyFunction }
  | { readonly client: object; readonly name: string }
);

/** What the tool gives in the end: of a stream its items, and nothing of what stands for an input it refused. */
type Final<Result> =
  Result extends AsyncIterable<infer Item>
    ? Item
    : Exclude<Result, { readonly error: true; readonly validationErrors: unknown }>;

type Returned<Fn> = Fn extends (...args: never[]) => infer Result ? Final<Awaited<Result>> : unknown;

export type ForeignOutput<Tool> = Tool extends { readonly run: infer Run }
  ? Returned<Run>
  : Tool extends { readonly invoke: infer Invoke }
    ? Returned<Invoke>
    : Tool extends { readonly execute?: infer Execute }
      ? Returned<NonNullable<Execute>>
      : unknown;

/** Recognises a tool by its shape and reads it; undefined when it is another framework's. */
export type ReadForeignTool = (tool: Record<string, unknown>, options: ForeignOptions) => Runnable | undefined;

/** A runnable with what frameworks do not have left empty. */
export function foreignTool(tool: Pick<Runnable, "name" | "execute"> & Partial<Runnable>): Runnable {
  return {
    suspends: {},
    capabilities: [],
    contextSchema: undefined,
    tools: {},
    readInput: async (value) => ({ ok: true, value }),
    ...tool,
  };
}

/** @throws {UsageError} when a tool of this framework has nothing to run. */
export function requireFunction(tool: Record<string, unknown>, key: string, framework: string): AnyFunction {
  const found = tool[key];
  if (typeof found === "function") return found.bind(tool) as AnyFunction;
  throw new UsageError(
    `The ${framework} tool ${nameOf(tool)} cannot be run: expected ${key} to be a function, found ${oneLine(found)}. ` +
      "A tool without it is run by the client or the provider, so there is nothing here to test.",
  );
}

export function nameOf(tool: Record<string, unknown>): string {
  return ([tool.name, tool.id, tool.title].find((name) => typeof name === "string" && name !== "") as string) ?? "tool";
}

/** The id of the one call a framework is told it runs. */
export const CALL_ID = "call_1";

export const APPROVAL = { approval: { payloadSchema: approvalSchema() } };

/** Asks for the approval of a call. @throws what pauses the run, or the failure when it is denied. */
export async function askApproval(ctx: ToolContext, input: unknown): Promise<void> {
  const { approved, reason } = (await ctx.suspend("approval", input)) as ApprovalAnswer;
  if (!approved) ctx.fail({ code: "denied", message: reason ?? "The call was denied." });
}

/** What decides whether a call needs approval: the test, or else the tool. */
export async function needsApproval(
  input: unknown,
  { approval }: ForeignOptions,
  own: unknown,
  ...args: unknown[]
): Promise<boolean> {
  const decides = approval ?? own;
  return Boolean(typeof decides === "function" ? await decides(input, ...args) : decides);
}

/** Reads a value through a Standard Schema for its verdict alone: a tool that parses for itself gets the wire value. */
export async function judgeInput(schema: StandardSchemaV1, value: unknown) {
  const reading = await readThrough(schema, value);
  return reading.ok ? { ok: true as const, value } : reading;
}

function approvalSchema(): StandardSchemaV1<ApprovalAnswer> {
  const issue = { message: "expected { approved: boolean, reason?: string }" };
  return {
    "~standard": {
      version: 1,
      vendor: "vitest-tool-loop",
      validate: (value) =>
        isRecord(value) && typeof value.approved === "boolean" && ["string", "undefined"].includes(typeof value.reason)
          ? { value: value as unknown as ApprovalAnswer }
          : { issues: [issue] },
    },
  };
}

/** The words of content blocks, one line a block. */
export function wordContent(content: string | readonly unknown[]): string {
  if (typeof content === "string") return content;
  return content
    .map((block) =>
      isRecord(block) && typeof block.text === "string" ? block.text : `[${(block as { type: string }).type}]`,
    )
    .join("\n");
}
