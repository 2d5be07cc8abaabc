import { Validator } from "@cfworker/json-schema";
import { cutText, isRecord, readJson } from "../json.js";
import type { AssistantTurn, ToolCall } from "../transcript/turn.js";
import { readLeniently } from "./lenient-schema.js";
import type { Demands, ModelRequest, OfferedTool } from "./types.js";

/** Why no model could say a scripted turn in answer to a request. */
export interface Problem {
  readonly expected: string;
  readonly found: string;
  readonly fix: string;
}

/**
 * Holds a turn against what its request offers and demands. Calls made with `toolCall.unchecked` are left out: a script
 * that has a model make things up says so there. Arguments that are no JSON are scripted on purpose.
 */
export function problemOf(
  { turn, unchecked }: { readonly turn?: AssistantTurn; readonly unchecked?: ReadonlySet<string> },
  { tools = [] }: ModelRequest,
  demands: Demands,
): Problem | undefined {
  if (turn === undefined) return undefined;
  const calls = turn.kind === "text" ? [] : turn.calls.filter(({ id }) => !unchecked?.has(id));
  for (const call of calls) {
    const problem = notOffered(call, tools) ?? breaksSchema(call, tools);
    if (problem) return problem;
  }
  return forbidden(turn, calls, demands);
}

function notOffered({ name, arguments: args }: ToolCall, tools: readonly OfferedTool[]): Problem | undefined {
  if (tools.some((tool) => tool.name === name)) return undefined;
  const offered = tools.map((tool) => tool.name).join(", ");
  return {
    expected: `a call of a tool that the request offers (${offered || "it offers none"})`,
    found: `a call of ${name}`,
    fix: `Correct the name, or offer the tool. A model that makes up a tool is toolCall.unchecked("${name}", ${cutText(args)}).`,
  };
}

function breaksSchema({ name, arguments: args }: ToolCall, tools: readonly OfferedTool[]): Problem | undefined {
  const schema = tools.find((tool) => tool.name === name)?.schema;
  const value = readJson(args);
  if (!isRecord(schema) || !value.ok) return undefined;
  const error = firstError(schema, value.value);
  if (error === undefined) return undefined;
  return {
    expected: `arguments that satisfy the schema offered for ${name}`,
    found: `${cutText(args)}: ${error}`,
    fix: `Correct the arguments, or the schema. A model that breaks the schema is toolCall.unchecked("${name}", …).`,
  };
}

/** The error deepest in the value: those above it only say that something below is wrong. */
function firstError(schema: Record<string, unknown>, value: unknown): string | undefined {
  let errors: { instanceLocation: string; keyword: string; error: string }[];
  try {
    // A copy: the validator notes addresses in the schema it is given.
    const copy = readLeniently(structuredClone(schema));
    errors = new Validator(copy, draftOf(schema), false).validate(value).errors;
  } catch {
    // A schema that cannot be followed (an unknown $ref) says nothing about the arguments.
    return undefined;
  }
  const [deepest] = errors.filter(({ keyword }) => !EMPTY.has(keyword)).sort((a, b) => depthOf(b) - depthOf(a));
  if (deepest === undefined) return undefined;
  const path = deepest.instanceLocation.split("/").slice(1).join(".");
  const error = deepest.error.replace(/\.$/, "").replace(". Expected", ", expected");
  return path === "" ? error : `${path}: ${error}`;
}

/** Errors beside which another one at the same place says what is wrong. */
const EMPTY = new Set(["false", "$ref", "$dynamicRef", "$recursiveRef"]);

function depthOf({ instanceLocation }: { instanceLocation: string }): number {
  return instanceLocation.split("/").length;
}

/** Draft 4 is read as 7: {@link readLeniently} leaves nothing of it that is not in both. */
function draftOf({ $schema }: Record<string, unknown>): "7" | "2019-09" | "2020-12" {
  if (/draft-0?[4-7]/.test(String($schema))) return "7";
  return /2019-09/.test(String($schema)) ? "2019-09" : "2020-12";
}

function forbidden(turn: AssistantTurn, calls: readonly ToolCall[], demands: Demands): Problem | undefined {
  const { choice, parallelCalls } = demands;
  const found = calls.length === 0 ? "words only" : `calls of ${calls.map(({ name }) => name).join(", ")}`;
  if (!parallelCalls && calls.length > 1) {
    return { expected: "one call at most, because the request forbids parallel calls", found, fix: ONE_TURN_EACH };
  }
  if (choice === "none" && calls.length > 0) {
    return { expected: "no call, because the request forbids calls", found, fix: FIX_EITHER };
  }
  // A turn that was cut short, or refused, may have come to no call.
  const whole = turn.finish === undefined || turn.finish === "stop" || turn.finish === "tool_calls";
  if (choice === "required" && turn.kind === "text" && whole) {
    return { expected: "a call, because the request demands one", found, fix: FIX_EITHER };
  }
  if (typeof choice === "object" && whole) {
    const others = turn.kind === "text" || calls.some(({ name }) => name !== choice.name);
    if (others) {
      return { expected: `a call of ${choice.name}, because the request demands that tool`, found, fix: FIX_EITHER };
    }
  }
  return undefined;
}

const ONE_TURN_EACH = "Script the calls as turns of their own, or let the request allow parallel calls.";
const FIX_EITHER = "Correct the turn, or the tool choice the loop sends.";
