import type { StandardSchemaV1 } from "@standard-schema/spec";
import { ToolContractError } from "../errors.js";
import type { ToolContext } from "./context.js";
import type { Suspensions, ToolDefinition, ToolMap } from "./define-tool.js";
import { type Reading, readThrough } from "./schema.js";
import type { Answered } from "./suspensions.js";

/**
 * A tool of any origin, as the harness runs it. `defineTool` tools and each file of `foreign/` are read into this, so
 * that every outcome is decided in one place.
 */
export interface Runnable {
  readonly name: string;
  readonly suspends: Suspensions;
  readonly capabilities: readonly string[];
  readonly contextSchema: StandardSchemaV1 | undefined;
  /** The tools it calls, by the key it calls them with. */
  readonly tools: ToolMap;
  /** It parses JSON text for itself, so that is what it gets from `rawInput`. */
  readonly takesText?: boolean;
  /** Its `input` is what a model sends, as `rawInput` is: it parses for itself, and so it is read for `input` too. */
  readonly takesWire?: boolean;
  /** Reads a value as a loop would before calling the tool. */
  readInput(value: unknown): Promise<Reading>;
  /** What decides whether `execute` may start at all; it suspends or fails through `ctx`. */
  gate?(input: unknown, ctx: ToolContext): Promise<void>;
  /** @param answered - The pauses answered before, for a framework that hands the answers in when it starts. */
  execute(input: unknown, ctx: ToolContext, answered: readonly Answered[]): unknown;
  /** What becomes of the value `execute` returned; throws when no model could be sent it. */
  readOutput?(output: unknown): Promise<unknown>;
}

/** A `defineTool` tool as the harness runs it. */
export function readDefinition(tool: ToolDefinition): Runnable {
  return {
    name: tool.name,
    suspends: tool.suspends,
    capabilities: Object.keys(tool.capabilities),
    contextSchema: tool.contextSchema,
    tools: tool.tools as ToolMap,
    readInput: (value) => readThrough(tool.inputSchema, value),
    execute: (input, ctx) => tool.execute(input, ctx),
    readOutput: (output) => readOutput(tool, output),
  };
}

async function readOutput(tool: ToolDefinition, output: unknown): Promise<unknown> {
  const reading = await readThrough(tool.outputSchema, output);
  if (!reading.ok) {
    throw new ToolContractError(
      `The tool ${tool.name} returned what its outputSchema does not allow: ${reading.issues}. ` +
        "Return what the schema says, or correct the schema.",
    );
  }
  try {
    JSON.stringify(reading.value);
  } catch (cause) {
    throw new ToolContractError(
      `The tool ${tool.name} returned a value that no model can be sent: expected JSON, found ${wordCause(cause)}. ` +
        "Return plain data.",
      { cause },
    );
  }
  return reading.value;
}

function wordCause(cause: unknown): string {
  const text = cause instanceof Error ? cause.message : String(cause);
  // The engine draws a picture of the cycle over several lines.
  return text.startsWith("Converting circular") ? "a value that contains itself" : text;
}
