import { findingsIn, type OpenConversation, openConversation } from "../conversation/index.js";
import { isPattern } from "../json.js";
import { type OptionsShape, requireOptions } from "../options.js";
import { isAbout } from "../rules/rule.js";
import { isTurn, sinceLastUser, textOf } from "../transcript/queries.js";
import type { TranscriptMessage } from "../transcript/types.js";
import { hintFor, type MatcherResult, type MatcherReturn, type MatcherState, requireArgument } from "./matcher.js";
import { OPEN, requireOpenCalls } from "./open.js";
import { stateless } from "./says-text.js";
import { count, times, word } from "./wording.js";

export interface StopWithinTurnsOptions {
  /** The text the loop itself appends when it gives up at its cap: no turn of the model. */
  readonly giveUp?: string | RegExp;
  /** Ids left unanswered on purpose. */
  readonly open?: readonly string[];
}

export interface ToStopWithinTurns {
  /**
   * Passes when the loop stopped in time.
   *
   * A scripted model: it was called at most `max` times, and never past the end of its script. Messages: at most `max`
   * turns stand after the last genuine user message, and no call is left unanswered.
   *
   * @param max - The most turns allowed, at least 1.
   * @throws {UsageError} when the subject holds no messages, or `max` is no whole number from 1.
   * @example
   * const model = scriptedModel(repeat(toolCall("search")));
   * await runLoop(model, tools, messages, 8);
   * expect(model).toStopWithinTurns(8);
   */
  toStopWithinTurns(max: number, options?: StopWithinTurnsOptions): MatcherReturn<this>;
}

const NAME = "toStopWithinTurns";
const OPTIONS: OptionsShape<StopWithinTurnsOptions> = {
  giveUp: { wanted: "a string or RegExp", holds: (value) => typeof value === "string" || isPattern(value) },
  open: OPEN,
};

export function toStopWithinTurns(
  this: MatcherState,
  received: unknown,
  max: number,
  options: StopWithinTurnsOptions = {},
): MatcherResult {
  requireArgument(
    Number.isInteger(max) && max >= 1,
    NAME,
    "a whole number of turns, at least 1, as first argument",
    max,
  );
  requireOptions(options, OPTIONS, `${NAME}()`);
  const { giveUp, open = [] } = options;
  const conversation = openConversation(received, `${NAME}()`);
  const { spoken } = conversation;
  // What a model is asked with last may lack the calls it made before: a compaction takes them out.
  if (!spoken) requireOpenCalls(open, conversation, `${NAME}()`);
  const hint = hintFor(this, NAME, received, String(max));
  const turns = spoken ? spoken.requests.length : turnsSince(conversation, giveUp).length;
  const limit = `Expected the loop to stop within ${count(max, "turn")}`;
  const verb = spoken ? "the model was called" : "it took";

  if (turns > max) {
    const first = turnsSince(conversation, giveUp)[max]?.at;
    const claim = `${limit}, but ${verb} ${spoken ? times(turns) : count(turns, "turn")}.`;
    const advice = `Check the cap before the model is called: with a cap of ${max}, call ${max + 1} must not happen.`;
    return { pass: false, message: () => word({ hint, claim, conversation, mark: first ? [first] : [], advice }) };
  }
  if (spoken && spoken.overruns > 0) {
    const claim = `${limit}, but it called the model ${times(spoken.overruns)} past the end of the script.`;
    const advice = "Stop when a turn asks for no tool; or script the turns that the loop is meant to ask for.";
    return { pass: false, message: () => word({ hint, claim, conversation, advice }) };
  }
  const unanswered = spoken ? undefined : firstUnanswered(conversation, new Set(open));
  if (unanswered) {
    const claim = `${limit} with no call left open, but nothing answers ${unanswered.call.id || unanswered.call.at}.`;
    const violation = findingsIn(conversation).find((finding) => isAbout(finding, unanswered));
    return { pass: false, message: () => word({ hint, claim, conversation, mark: [unanswered.call.at], violation }) };
  }
  const claim = `Expected the loop not to stop within ${count(max, "turn")}, but ${verb} ${spoken ? times(turns) : count(turns, "turn")}.`;
  return { pass: true, message: () => word({ hint, claim, conversation }) };
}

function turnsSince(
  { transcript }: OpenConversation,
  giveUp: string | RegExp | undefined,
): readonly TranscriptMessage[] {
  const appended = sinceLastUser(transcript);
  const last = appended.at(-1);
  return appended.filter(
    (message) => isTurn(message) && !(message === last && giveUp !== undefined && says(message, giveUp)),
  );
}

function says(message: TranscriptMessage, text: string | RegExp): boolean {
  const said = textOf(message);
  return typeof text === "string" ? said === text : stateless(text).test(said);
}

function firstUnanswered({ pairing }: OpenConversation, open: ReadonlySet<string>) {
  return pairing.turns.flatMap(({ calls }) => calls).find(({ call, answer }) => !answer && !open.has(call.id));
}
