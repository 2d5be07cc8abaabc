import { asList, findingsIn, type OpenConversation } from "../conversation/index.js";
import type { ToolResult } from "../dialects/dialect.js";
import { asSource, cutText, isAsymmetricMatcher, isRecord, oneLine } from "../json.js";
import { type OptionsShape, requireOptions, text } from "../options.js";
import { formatCall } from "../report/index.js";
import { type Finding, isAbout } from "../rules/rule.js";
import type { CallOutcome } from "../transcript/pairing.js";
import { isTurn } from "../transcript/queries.js";
import type { ResultPart } from "../transcript/types.js";
import { type MatcherResult, requireArgument } from "./matcher.js";
import { word } from "./wording.js";

/** Which call is meant: by its id, or by name where calls have no ids. */
export type CallReference =
  | string
  | { readonly name: string /** From 0, in the order asked. Default 0. */; readonly nth?: number };

const REFERENCE: OptionsShape<Exclude<CallReference, string>> = {
  name: text,
  nth: { wanted: "a whole number from 0", holds: (value) => Number.isInteger(value) && (value as number) >= 0 },
};

/** @throws {ArgumentError} when the argument names no call. */
export function requireCallReference(call: unknown, matcher: string): asserts call is CallReference {
  if (isRecord(call)) requireOptions(call, REFERENCE, `${matcher}({ name, nth? })`);
  const isMeant = typeof call === "string" || (isRecord(call) && call.name !== undefined);
  requireArgument(isMeant, matcher, "a call id, or { name, nth? }, as first argument", call);
}

/** `call_1`, or `get_weather (call 1 of that name)`. */
export function nameOfCall(call: CallReference): string {
  if (typeof call === "string") return oneLine(call, 60).slice(1, -1) || "the empty id";
  const name = cutText(call.name, 60);
  return call.nth === undefined ? name : `${name} (its call ${call.nth + 1})`;
}

/** What answers a call, or why nothing does. */
export type Answer = { readonly ok: true; readonly result: ResultPart; readonly outcome: CallOutcome } | BrokenAnswer;

/** Why nothing answers a call as it should. */
export interface BrokenAnswer {
  readonly ok: false;
  /** What was found, to follow "but". */
  readonly found: string;
  readonly mark: readonly string[];
  /** The message that stands where the answer should. */
  readonly instead?: string | undefined;
  /** What to change, where something other than the missing answer is to be appended. */
  readonly advice?: string | undefined;
  readonly violation?: Finding | undefined;
  /** The call it is about; undefined where no such call was made. */
  readonly outcome?: CallOutcome;
}

/**
 * Finds the results that answer a call in the shape its API requires. An id that several turns use has one answer each.
 */
export function answersTo(conversation: OpenConversation, call: CallReference): readonly Answer[] {
  const outcomes = outcomesFor(conversation, call);
  if (outcomes.length === 0) return [noSuchCall(conversation, call)];
  const findings = findingsIn(conversation, { stage: "request" }).filter(({ severity }) => severity === "error");
  return outcomes.map((outcome) => judge(conversation, findings, outcome));
}

function outcomesFor({ pairing }: OpenConversation, call: CallReference): readonly CallOutcome[] {
  const all = pairing.turns.flatMap(({ calls }) => calls);
  if (typeof call === "string") return all.filter((outcome) => outcome.call.id === call);
  const named = all.filter((outcome) => outcome.call.name === call.name)[call.nth ?? 0];
  return named ? [named] : [];
}

function noSuchCall(conversation: OpenConversation, call: CallReference): Answer {
  const { pairing } = conversation;
  const orphan = pairing.orphans.find(({ result }) => result.callId === call)?.result;
  const violation = orphan && findingsIn(conversation).find(({ at }) => at === orphan.at);
  if (orphan)
    return {
      ok: false,
      found: `${orphan.at} answers it and no turn before it asked for it`,
      mark: [orphan.at],
      violation,
    };
  const asked = turnThatAsked(conversation, call);
  if (asked >= 0)
    return {
      ok: false,
      found: `the model asked for it in turn ${asked + 1}, and the last request holds no such call`,
      mark: [],
      advice: "Send the model the whole conversation: the turn that asked, then the results of its calls.",
    };
  const calls = pairing.turns.flatMap((turn) => turn.calls.map((outcome) => formatCall(outcome.call)));
  const made =
    calls.length === 0 ? "no call was made" : `no such call was made. Calls made: ${calls.slice(0, 8).join("; ")}`;
  const advice = "Name a call that was made, or find out why the turn that makes it is not in the messages.";
  return { ok: false, found: made, mark: [], advice };
}

/** The index of the turn in which a scripted model asked for a call that its conversation does not hold; or -1. */
function turnThatAsked({ spoken }: OpenConversation, call: CallReference): number {
  const isMeant = ({ id, name }: { id: string; name: string }) =>
    typeof call === "string" ? id === call : name === call.name;
  return spoken?.turns.findIndex((turn) => turn.kind === "tool_calls" && turn.calls.some(isMeant)) ?? -1;
}

function judge(conversation: OpenConversation, findings: readonly Finding[], outcome: CallOutcome): Answer {
  const { call, answer } = outcome;
  // A fault of the call itself is not one of its answer.
  const violation = findings.find((finding) => isAbout(finding, outcome) && (finding.at !== call.at || !answer));
  if (answer && !violation) return { ok: true, result: answer, outcome };
  const standing: Standing = answer
    ? { found: `${answer.at} answers it in a shape that the API refuses`, mark: [violation!.at] }
    : whatStandsInstead(conversation, outcome, violation);
  return { ok: false, ...standing, found: roleTrap(outcome, violation) ?? standing.found, violation, outcome };
}

/** The trap of code ported from another provider: right content, wrong role. */
function roleTrap({ answer, late }: CallOutcome, violation: Finding | undefined): string | undefined {
  const result = answer ?? late?.result;
  return violation?.rule.endsWith("-role") && result
    ? `${result.at} stands in a message with role "${result.role}"`
    : undefined;
}

/** What stands where the answer should. */
type Standing = Pick<BrokenAnswer, "found" | "mark" | "instead" | "advice">;

function whatStandsInstead(
  { transcript, pairing, definition }: OpenConversation,
  { call, turn, late }: CallOutcome,
  violation: Finding | undefined,
): Standing {
  if (late) return { found: `its result (${late.result.at}) stands behind ${late.behind.at}`, mark: [late.result.at] };
  const early = pairing.orphans.find(({ result }) => result.callId === call.id)?.result;
  if (early) {
    const advice = "Append the turn that asks first, then the results of its calls.";
    return { found: `${early.at} answers it before ${turn.at} asks for it`, mark: [early.at], advice };
  }
  const next = transcript.messages[transcript.messages.indexOf(turn) + 1];
  if (!next) return { found: `nothing was appended after ${turn.at}`, mark: [call.at] };
  const results = next.parts.filter((part) => part.kind === "result");
  const stray = results.find((result) => pairing.orphans.some((orphan) => orphan.result.at === result.at));
  if (stray) {
    const id =
      stray.callId === undefined
        ? `without an id (its keys are ${cutText(
            Object.keys(stray.wire as object)
              .slice(0, 8)
              .join(", "),
            120,
          )})`
        : `${oneLine(stray.callId, 60)}, which no turn asked for`;
    return { found: `${stray.at} answers ${id}`, mark: [stray.at], advice: violation?.fix };
  }
  if (results.length > 0) {
    const found = `${next.at} answers only ${results.map(({ callId }) => callId).join(", ")}`;
    // Where results are parts of one message, the missing one belongs beside them.
    const sharesMessage = results.some(({ at }) => at !== next.at);
    return { found, mark: [call.at], advice: sharesMessage ? violation?.fix : undefined };
  }
  if (isTurn(next)) return { found: `the next turn (${next.at}) comes directly after the call`, mark: [next.at] };
  if (next.parts.length === 0) return { found: `${next.at} is empty`, mark: [next.at], instead: next.at };
  const [answering] = asList(definition.writeResults([{ callId: call.id, name: call.name, value: "" }]));
  // Where results stand under this very role, it is not the role that is wrong.
  if (isRecord(answering) && answering.role === next.role)
    return { found: `${next.at} holds no tool result`, mark: [next.at] };
  return { found: `${next.at} answers with role ${oneLine(next.role, 60)}`, mark: [next.at], instead: next.at };
}

/** What {@link missingAnswer} words. */
export interface MissingAnswer {
  readonly hint: string;
  readonly conversation: OpenConversation;
  readonly call: CallReference;
  readonly answer: BrokenAnswer;
  /** The result to propose, where the test says what it should be. */
  readonly proposal: Pick<ToolResult, "value" | "isError"> | undefined;
}

/** The failure of a call that nothing answers as its API requires. */
export function missingAnswer({ hint, conversation, call, answer, proposal }: MissingAnswer): MatcherResult {
  const { found, mark, violation } = answer;
  const claim = `Expected a tool result answering ${nameOfCall(call)}, but ${found}.`;
  const advice = () => answer.advice ?? (proposal && proposeResult(conversation, answer, proposal));
  return { pass: false, message: () => word({ hint, claim, conversation, mark, violation, advice: advice() }) };
}

/** The message to append, written out; undefined where appending is not what is missing. */
function proposeResult(
  { definition }: OpenConversation,
  { outcome, instead }: BrokenAnswer,
  proposal: Pick<ToolResult, "value" | "isError">,
): string | undefined {
  if (!outcome || outcome.answer || outcome.late) return undefined;
  const { id, name } = outcome.call;
  const [message] = asList(definition.writeResults([{ callId: id, name, ...proposal }]));
  const source = asSource(message);
  return instead ? `Append ${source} instead of ${instead}.` : `Insert ${source} directly after ${outcome.turn.at}.`;
}

/** Whether a value can be written out as a result: JSON, and no asymmetric matcher in it. */
export function isPlain(value: unknown): boolean {
  try {
    JSON.stringify(value, (_key, inner) => {
      if (isRecord(inner) && isAsymmetricMatcher(inner))
        throw new Error("an asymmetric matcher stands for many values");
      return inner;
    });
    return true;
  } catch {
    return false;
  }
}
