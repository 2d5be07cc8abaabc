import { openConversation } from "../conversation/index.js";
import { oneLine, readJson } from "../json.js";
import { readingsOf } from "../transcript/queries.js";
import type { ResultPart } from "../transcript/types.js";
import {
  answersTo,
  type BrokenAnswer,
  type CallReference,
  isPlain,
  missingAnswer,
  nameOfCall,
  requireCallReference,
} from "./answer.js";
import { diffOf, hintFor, isEqual, type MatcherResult, type MatcherReturn, type MatcherState } from "./matcher.js";
import { word } from "./wording.js";

export interface ToHaveAppendedToolResult {
  /**
   * Passes when a tool result answers that call in the shape its API requires: right role, right id field, right type of
   * content, directly after the turn that asked.
   *
   * @param call - The call's id; `{ name, nth? }` where calls have no ids.
   * @param result - What the result has to hold: compared with its content as it stands, with its text, and with what
   *   that text decodes to. Asymmetric matchers are allowed. Left out, any content will do.
   * @throws {UsageError} when the subject holds no messages.
   * @example
   * expect(messages).toHaveAppendedToolResult("call_1", { tempC: 14 });
   * expect(messages).toHaveAppendedToolResult("call_1", expect.stringContaining("14"));
   */
  toHaveAppendedToolResult(call: CallReference, result?: unknown): MatcherReturn<this>;
}

const NAME = "toHaveAppendedToolResult";

export function toHaveAppendedToolResult(
  this: MatcherState,
  received: unknown,
  ...expected: [call: CallReference, result?: unknown]
): MatcherResult {
  const [call, result] = expected;
  requireCallReference(call, NAME);
  // `undefined` is a value to expect; leaving the argument out is not.
  const anyResult = expected.length === 1;
  const conversation = openConversation(received, `${NAME}()`);
  const hint = hintFor(this, NAME, received, oneLine(call, 60), ...(anyResult ? [] : ["result"]));
  const answers = answersTo(conversation, call);
  const matching = answers.find((answer) => answer.ok && (anyResult || holds(this, answer.result, result)));
  const name = nameOfCall(call);

  if (matching?.ok) {
    const { at } = matching.result;
    const claim = `Expected no tool result answering ${name}${anyResult ? "" : ` with ${oneLine(result, 80)}`}, but ${at} answers it.`;
    return { pass: true, message: () => word({ hint, claim, conversation, mark: [at] }) };
  }
  const misfit = answers.find((answer) => answer.ok);
  if (misfit?.ok) {
    const { at } = misfit.result;
    const claim = `Expected the tool result answering ${name} to hold ${oneLine(result, 80)}, but ${at} holds ${oneLine(misfit.result.raw, 80)}.`;
    const advice = adviseOn(this, misfit.result, result);
    const message = () => word({ hint, claim, conversation, mark: [at], advice });
    return { pass: false, message, ...diffOf(this, closest(misfit.result, result), result) };
  }
  const proposal = anyResult || !isPlain(result) ? undefined : { value: result };
  return missingAnswer({ hint, conversation, call, answer: answers[0] as BrokenAnswer, proposal });
}

function holds(state: MatcherState, result: ResultPart, expected: unknown): boolean {
  return readingsOf(result).some((reading) => isEqual(state, reading, expected));
}

function adviseOn(state: MatcherState, found: ResultPart, expected: unknown): string {
  if (isEncodedTwice(state, found, expected))
    return "It is JSON inside JSON: the loop stringifies a result that is a string already. Stringify it once.";
  if (found.raw === String({})) return "The loop made text of an object without JSON.stringify: what it holds is lost.";
  return "Append what the tool returned, as it returned it; or correct what the test expects.";
}

function isEncodedTwice(state: MatcherState, result: ResultPart, expected: unknown): boolean {
  const decoded = readingsOf(result).at(-1);
  const inner = typeof decoded === "string" && decoded !== result.raw ? readJson(decoded) : undefined;
  return inner?.ok === true && isEqual(state, inner.value, expected);
}

/** The reading to show in the diff: of the same kind as what was expected. */
function closest(result: ResultPart, expected: unknown): unknown {
  const readings = readingsOf(result);
  return readings.findLast((reading) => typeof reading === typeof expected) ?? readings.at(-1);
}
