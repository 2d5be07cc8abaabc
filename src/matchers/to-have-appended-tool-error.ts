import { asList, openConversation } from "../conversation/index.js";
import { UsageError } from "../errors.js";
import { asSource, isPattern, oneLine } from "../json.js";
import { resultText } from "../transcript/queries.js";
import type { ResultPart } from "../transcript/types.js";
import {
  answersTo,
  type BrokenAnswer,
  type CallReference,
  missingAnswer,
  nameOfCall,
  requireCallReference,
} from "./answer.js";
import { hintFor, type MatcherResult, type MatcherReturn, type MatcherState, requireArgument } from "./matcher.js";
import { saysText } from "./says-text.js";
import { word } from "./wording.js";

export interface ToHaveAppendedToolError {
  /**
   * Passes when the result that answers that call reports a failure: by the flag its dialect has for it, or by its text
   * where the dialect has none.
   *
   * @param call - The call's id; `{ name, nth? }` where calls have no ids.
   * @param text - What the result says: a string it contains, or a pattern. Required where the dialect has no flag.
   * @throws {UsageError} when the subject holds no messages, or `text` is missing in a dialect without a flag.
   * @example
   * expect(messages).toHaveAppendedToolError("call_1", /no such city/);
   */
  toHaveAppendedToolError(call: CallReference, text?: string | RegExp): MatcherReturn<this>;
}

const NAME = "toHaveAppendedToolError";

export function toHaveAppendedToolError(
  this: MatcherState,
  received: unknown,
  call: CallReference,
  text?: string | RegExp,
): MatcherResult {
  requireCallReference(call, NAME);
  const isText = text === undefined || typeof text === "string" || isPattern(text);
  requireArgument(isText, NAME, "a string or RegExp as second argument", text);
  const conversation = openConversation(received, `${NAME}()`);
  const { definition, dialect } = conversation;
  const hasFlag = definition.hasErrorFlag === true;
  if (!hasFlag && text === undefined) {
    throw new UsageError(
      `${NAME}(${oneLine(call, 60)}) needs the text of the failure: a result in "${dialect}" has no flag that says it failed. ` +
        `Pass what the result should say: ${NAME}(${oneLine(call, 60)}, /…/).`,
    );
  }
  const hint = hintFor(this, NAME, received, oneLine(call, 60), ...(text === undefined ? [] : [print(text)]));
  const answers = answersTo(conversation, call);
  const reports = (result: ResultPart) =>
    (!hasFlag || result.isError === true) && (text === undefined || saysText(textOf(result), text));
  const failure = answers.find((answer) => answer.ok && reports(answer.result));
  const name = nameOfCall(call);

  if (failure?.ok) {
    const { at } = failure.result;
    const claim = `Expected no failure reported for ${name}, but ${at} reports ${oneLine(textOf(failure.result), 80)}.`;
    return { pass: true, message: () => word({ hint, claim, conversation, mark: [at] }) };
  }
  const misfit = answers.find((answer) => answer.ok);
  if (!misfit?.ok) {
    const proposal = { value: typeof text === "string" ? text : "…", isError: true };
    return missingAnswer({ hint, conversation, call, answer: answers[0] as BrokenAnswer, proposal });
  }
  const { result } = misfit;
  const unflagged = hasFlag && result.isError !== true;
  const saysIt = text === undefined || saysText(textOf(result), text);
  const found = [
    ...(saysIt ? [] : [`says ${oneLine(textOf(result), 80)}`]),
    ...(unflagged ? ["is not marked as a failure"] : []),
  ].join(" and ");
  const wanted = text === undefined ? "a failure" : `a failure that says ${print(text)}`;
  const claim = `Expected the tool result answering ${name} to report ${wanted}, but ${result.at} ${found}.`;
  // What says something else may be a success, and is no failure for being flagged.
  const value = saysIt ? result.raw : "…";
  const [mended] = asList(definition.writeResults([{ callId: result.callId ?? "", value, isError: true }]));
  const lead = saysIt ? "Catch what the tool throws, and append" : "Answer the call with what went wrong:";
  const advice = unflagged
    ? `${lead} ${asSource(mended)}.`
    : "Say in the result what went wrong, so that the model can do something about it; or correct what the test expects.";
  return { pass: false, message: () => word({ hint, claim, conversation, mark: [result.at], advice }) };
}

function textOf(result: ResultPart): string {
  return resultText(result) ?? "";
}

function print(text: string | RegExp): string {
  return typeof text === "string" ? oneLine(text, 60) : String(text);
}
