import { UsageError } from "../errors.js";
import { isError, isRecord, oneLine } from "../json.js";
import { requireOptions } from "../options.js";
import type { AssistantTurn, TurnExtras } from "../transcript/turn.js";
import { isToolCallDraft, isTurnDraft, type ToolCallDraft } from "./draft.js";
import { EXTRAS } from "./extras.js";
import { type Fault, isFault } from "./faults.js";
import { isRepeat } from "./repeat.js";
import { snapshot } from "./snapshot.js";
import type { ModelRequest } from "./types.js";

/** A script item as it was understood. */
export type Item = TurnItem | FaultItem | FunctionItem | { readonly kind: "error"; readonly error: Error };

export type TurnItem =
  /** A turn whose calls still get their ids. */
  | {
      readonly kind: "draft";
      readonly content?: string;
      readonly calls: readonly ToolCallDraft[];
      readonly extras: TurnExtras;
    }
  /** A turn spoken as it was written. */
  | { readonly kind: "verbatim"; readonly turn: AssistantTurn };

export interface FaultItem {
  readonly kind: "fault";
  readonly fault: Fault;
  /** The turn that goes wrong, where the fault has one. */
  readonly item?: TurnItem;
}

export interface FunctionItem {
  readonly kind: "function";
  readonly ask: (messages: readonly unknown[], request: ModelRequest) => unknown;
}

const ITEM = "words, toolCall(…), a list of toolCall(…), turn(…), an AssistantTurn, an Error, a fault or a function";
const CALL_KEYS = ["id", "name", "arguments"];

/**
 * Understands one item of a script.
 *
 * @param at - Where it stands, for the message: `script[2]`.
 * @throws {UsageError} when it is none, with its position.
 */
export function readItem(value: unknown, at: string): Item {
  if (typeof value === "string") return { kind: "draft", content: value, calls: [], extras: {} };
  if (typeof value === "function") return { kind: "function", ask: value as FunctionItem["ask"] };
  if (isToolCallDraft(value)) return { kind: "draft", calls: [value], extras: {} };
  if (isTurnDraft(value)) return { kind: "draft", ...value, extras: snapshot(value.extras) };
  if (isFault(value)) return readFault(value, at);
  if (isError(value)) return { kind: "error", error: value };
  if (Array.isArray(value)) return readCalls(value, at);
  if (isRepeat(value)) {
    throw unspeakable(
      "repeat(…) to stand straight in scriptedModel(…)",
      "one inside another item",
      at,
      "Move it there.",
    );
  }
  if (isRecord(value)) return { kind: "verbatim", turn: readTurn(value, at) };
  const fix =
    value === undefined ? "Check that it is defined when the script is made, or what the function returns." : "";
  throw unspeakable(ITEM, oneLine(value), at, fix);
}

function readFault(fault: Fault, at: string): FaultItem {
  if (!("item" in fault)) return { kind: "fault", fault };
  const item = readItem(fault.item, `${at} (the turn of ${fault.kind})`);
  if (item.kind === "draft" || item.kind === "verbatim") return { kind: "fault", fault, item };
  throw unspeakable(
    `${fault.kind}(…) to hold the turn it spoils: words, toolCall(…), turn(…)`,
    oneLine(fault.item),
    at,
    "To decide at the moment of the call, script a function that returns the fault.",
  );
}

function readCalls(list: readonly unknown[], at: string): Item {
  if (list.length === 0) {
    throw unspeakable("a list to hold at least one call", "[]", at, 'A turn that says nothing is "".');
  }
  const stranger = list.findIndex((call) => !isToolCallDraft(call));
  if (stranger === -1) return { kind: "draft", calls: [...(list as readonly ToolCallDraft[])], extras: {} };
  throw unspeakable(
    "a list to hold the parallel calls of one turn, each a toolCall(…)",
    oneLine(list[stranger]),
    `${at}[${stranger}]`,
    "Words beside calls are turn(words, toolCall(…)); several turns are several arguments of scriptedModel(…).",
  );
}

function readTurn(value: Record<string, unknown>, at: string): AssistantTurn {
  if (typeof value.then === "function") {
    throw unspeakable(ITEM, "a promise", at, "Await it first, or pass a function that returns it.");
  }
  if (value.kind !== "text" && value.kind !== "tool_calls") {
    const fix =
      "role" in value
        ? "A script holds what the model says, not messages: words, or toolCall(…)."
        : 'The kind of a turn is "text" or "tool_calls"; words and toolCall(…) need none.';
    throw unspeakable(ITEM, oneLine(value), at, fix);
  }
  if (value.kind === "text" && typeof value.content !== "string") {
    throw unspeakable("a turn of words to have a string as its content", oneLine(value.content), `${at}.content`);
  }
  if (value.kind === "tool_calls") checkCalls(value.calls, `${at}.calls`);
  const { reasoning, serverCalls, usage, finish } = value;
  requireOptions({ reasoning, serverCalls, usage, finish }, EXTRAS, `The turn at ${at}`);
  return snapshot(value) as unknown as AssistantTurn;
}

function checkCalls(calls: unknown, at: string): void {
  if (!Array.isArray(calls)) throw unspeakable("a turn of calls to have a list of them", oneLine(calls), at);
  for (const [index, call] of calls.entries()) {
    const wrong = CALL_KEYS.find((key) => !isRecord(call) || typeof call[key] !== "string");
    if (wrong === undefined) continue;
    throw unspeakable(
      "a call to have an id, a name, and as arguments the JSON text the model wrote, all strings",
      oneLine(isRecord(call) ? call[wrong] : call),
      isRecord(call) ? `${at}[${index}].${wrong}` : `${at}[${index}]`,
      "toolCall(name, args) writes the arguments and gives the id.",
    );
  }
}

function unspeakable(expected: string, found: string, at: string, fix = ""): UsageError {
  const sentence = `The script cannot be spoken: expected ${expected}, found ${found}, at ${at}. ${fix}`;
  return new UsageError(sentence.trimEnd(), { at });
}
