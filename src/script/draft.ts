import { UsageError } from "../errors.js";
import { isRecord, oneLine } from "../json.js";
import { requireOptions } from "../options.js";
import type { TurnExtras } from "../transcript/turn.js";
import { EXTRAS } from "./extras.js";

const TOOL_CALL = Symbol.for("vitest-tool-loop/tool-call");
const TURN = Symbol.for("vitest-tool-loop/turn");

/** A tool call in a script. Its id, where it has none, is given when it is spoken. Made by {@link toolCall}. */
export interface ToolCallDraft {
  readonly [TOOL_CALL]: true;
  readonly name: string;
  /** JSON text as the model writes it; malformed where the script wants it so. */
  readonly arguments: string;
  readonly id?: string;
  /** The call is not held against the tools the loop offered. */
  readonly unchecked?: true;
}

/** A whole turn in a script. Made by {@link turn}. */
export interface AssistantTurnDraft {
  readonly [TURN]: true;
  /** Undefined where the turn has no words. */
  readonly content?: string;
  readonly calls: readonly ToolCallDraft[];
  readonly extras: TurnExtras;
}

/**
 * A tool call for a script.
 *
 * @param args - A value is written as JSON. A string is kept verbatim, so that malformed JSON can be scripted. Absent
 * means `{}`.
 * @param id - Absent: `call_1`, `call_2`, … in the order spoken.
 * @throws {UsageError} when the arguments cannot be written as JSON: a cycle, a BigInt, a function.
 * @example scriptedModel(toolCall("get_weather", { city: "Paris" }), "It is 14 degrees in Paris.")
 */
export function toolCall(name: string, args?: unknown, id?: string): ToolCallDraft {
  return Object.freeze(draftCall("toolCall", name, args, id));
}

/**
 * A tool call that is not held against the tools the loop offered: for a model that makes up a tool, or arguments that
 * its schema forbids. Otherwise like {@link toolCall}.
 */
toolCall.unchecked = (name: string, args?: unknown, id?: string): ToolCallDraft =>
  Object.freeze({ ...draftCall("toolCall.unchecked", name, args, id), unchecked: true });

/**
 * A turn with more to it than words or calls alone: words beside calls, reasoning, usage, a finish reason.
 *
 * @param parts - Words and calls in order, then, last, whatever else the turn carries. Several strings are joined as
 * they are.
 * @throws {UsageError} when a part is none of these.
 * @example turn("Let me look.", toolCall("search", { q: "tenancy" }), { usage: { inputTokens: 9, outputTokens: 4 } })
 */
export function turn(
  ...parts: (string | ToolCallDraft)[] | [...(string | ToolCallDraft)[], TurnExtras]
): AssistantTurnDraft {
  const words: string[] = [];
  const calls: ToolCallDraft[] = [];
  let extras: TurnExtras = {};
  parts.forEach((part: unknown, index) => {
    if (typeof part === "string") words.push(part);
    else if (isToolCallDraft(part)) calls.push(part);
    else if (index === parts.length - 1) extras = readExtras(part);
    else
      throw new UsageError(`turn() got a part it cannot use: ${PART}, found ${oneLine(part)}, at part ${index + 1}.`);
  });
  return Object.freeze({
    [TURN]: true as const,
    ...(words.length > 0 && { content: words.join("") }),
    calls: Object.freeze(calls),
    extras,
  });
}

export function isToolCallDraft(value: unknown): value is ToolCallDraft {
  return typeof value === "object" && value !== null && TOOL_CALL in value;
}

export function isTurnDraft(value: unknown): value is AssistantTurnDraft {
  return typeof value === "object" && value !== null && TURN in value;
}

const PART = "expected words or toolCall(…), and last of all { usage, reasoning, finish, serverCalls }";

function readExtras(value: unknown): TurnExtras {
  if (!isRecord(value) || "role" in value || "kind" in value) {
    throw new UsageError(`turn() got a part it cannot use: ${PART}, found ${oneLine(value)}, as its last part.`);
  }
  requireOptions(value, EXTRAS, "turn()");
  return value;
}

function draftCall(builder: string, name: unknown, args: unknown, id: unknown): ToolCallDraft {
  if (typeof name !== "string") {
    throw new UsageError(`${builder}() needs the name of a tool: expected a string, found ${oneLine(name)}.`);
  }
  if (id !== undefined && typeof id !== "string") {
    throw new UsageError(
      `${builder}("${name}") got an id that is none: expected a string, found ${oneLine(id)}. Leave it out to have one given.`,
    );
  }
  return { [TOOL_CALL]: true, name, arguments: writeArguments(builder, name, args), ...(id !== undefined && { id }) };
}

function writeArguments(builder: string, name: string, args: unknown): string {
  if (args === undefined) return "{}";
  if (typeof args === "string") return args;
  let text: string | undefined;
  let reason = `a ${typeof args} has no JSON form`;
  try {
    text = JSON.stringify(args);
  } catch (error) {
    reason = error instanceof Error ? error.message.split("\n")[0]! : String(error);
  }
  if (text !== undefined) return text;
  throw new UsageError(
    `${builder}("${name}") got arguments that cannot be written as JSON: ${reason}, found ${oneLine(args)}. ` +
      "Pass a value without cycles, or the JSON text itself as a string.",
  );
}
