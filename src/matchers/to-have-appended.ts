import { findingsIn, findMessages, type OpenConversation, openConversation } from "../conversation/index.js";
import { UsageError } from "../errors.js";
import { type OptionsShape, requireOptions } from "../options.js";
import { lastUserIndex } from "../transcript/queries.js";
import {
  diffOf,
  hintFor,
  isEqual,
  type MatcherResult,
  type MatcherReturn,
  type MatcherState,
  requireArgument,
} from "./matcher.js";
import { count, word } from "./wording.js";

export interface HaveAppendedOptions {
  /** The messages the loop started from, or how many there were. */
  readonly after?: readonly unknown[] | number;
}

export interface ToHaveAppended {
  /**
   * Passes when everything the loop appended after the initial messages equals `messages`, in one comparison.
   *
   * The initial messages are `after`; else the first request of a scripted model; else all up to the last genuine user
   * message. Messages are compared as the loop wrote them, in their own dialect; asymmetric matchers are allowed.
   *
   * @throws {UsageError} when the subject holds no messages.
   * @example
   * expect(out).toHaveAppended([
   *   { role: "assistant", content: null, tool_calls: [expect.objectContaining({ id: "call_1" })] },
   *   { role: "tool", tool_call_id: "call_1", content: '{"tempC":14}' },
   *   { role: "assistant", content: "It is 14 degrees in Paris." },
   * ]);
   */
  toHaveAppended(messages: readonly unknown[], options?: HaveAppendedOptions): MatcherReturn<this>;
}

const NAME = "toHaveAppended";
const OPTIONS: OptionsShape<HaveAppendedOptions> = {
  after: { wanted: "the initial messages or their number", holds: (value) => Array.isArray(value) || isCount(value) },
};

export function toHaveAppended(
  this: MatcherState,
  received: unknown,
  messages: readonly unknown[],
  options: HaveAppendedOptions = {},
): MatcherResult {
  requireArgument(Array.isArray(messages), NAME, "the list of appended messages as first argument", messages);
  requireOptions(options, OPTIONS, `${NAME}()`);
  const conversation = openConversation(received, `${NAME}()`);
  const hint = hintFor(this, NAME, received, "appended");
  const initial = initialOf(conversation, options.after);
  const start = typeof initial === "number" ? initial : initial.length;
  const initially = start === 1 ? "the initial message" : `the ${count(start, "initial message")}`;

  const changed =
    typeof initial === "number"
      ? -1
      : initial.findIndex((message, index) => !isEqual(this, conversation.messages[index], message));
  if (changed >= 0) {
    const at = conversation.transcript.messages[changed]?.at;
    const claim = `Expected the conversation to begin with ${initially}, but ${at ? `${at} is another` : `it has only ${count(changed, "message")}`}.`;
    const message = () =>
      word({
        hint,
        claim,
        conversation,
        mark: at ? [at] : [],
        advice: "Append to a copy of the messages the loop was given; leave those as they are.",
      });
    return { pass: false, message, ...diffOf(this, conversation.messages.slice(0, start), initial) };
  }
  const appended = conversation.messages.slice(start);
  if (isEqual(this, appended, messages)) {
    const claim = `Expected other messages after ${initially}, but exactly these ${appended.length} were appended.`;
    return { pass: true, message: () => word({ hint, claim, conversation }) };
  }
  const { found, mark } = firstDifference(this, conversation, start, appended, messages);
  const claim = `Expected ${messages.length === 0 ? "nothing" : count(messages.length, "message")} appended after ${initially}, but ${found}.`;
  const violation = findingsIn(conversation, { stage: "after-model" }).find(({ severity }) => severity === "error");
  const advice = violation ? undefined : "Correct what the loop appends, or what the test expects of it.";
  const marks = violation ? [...mark, violation.at] : mark;
  return {
    pass: false,
    message: () => word({ hint, claim, conversation, mark: marks, violation, advice }),
    ...diffOf(this, appended, messages),
  };
}

/** @throws {UsageError} when `after` lies beyond the end. */
function initialOf(
  { spoken, transcript, messages }: OpenConversation,
  after: HaveAppendedOptions["after"],
): readonly unknown[] | number {
  if (after === undefined) return spoken ? (spoken.requests[0]?.messages ?? []) : lastUserIndex(transcript) + 1;
  if (typeof after !== "number") return findMessages(after, `${NAME}({ after })`).messages;
  if (after <= messages.length) return after;
  throw new UsageError(
    `${NAME}() cannot use the option after: expected at most ${messages.length}, for there ${messages.length === 1 ? "is" : "are"} ${count(messages.length, "message")}, found ${after}.`,
    { at: "after" },
  );
}

function isCount(value: unknown): boolean {
  return Number.isInteger(value) && (value as number) >= 0;
}

function firstDifference(
  state: MatcherState,
  { transcript }: OpenConversation,
  start: number,
  appended: readonly unknown[],
  expected: readonly unknown[],
): { found: string; mark: string[] } {
  const index = expected.findIndex(
    (message, each) => each >= appended.length || !isEqual(state, appended[each], message),
  );
  if (index >= 0 && index < appended.length) {
    const at =
      transcript.messages.find((message) => message.wire === appended[index])?.at ??
      transcript.messages[start + index]?.at;
    return { found: `${at ?? `number ${index + 1}`} is not the one expected there`, mark: at ? [at] : [] };
  }
  const found =
    appended.length === 0
      ? "nothing was"
      : `${count(appended.length, "message")} ${appended.length === 1 ? "was" : "were"}`;
  const extra = transcript.messages[start + expected.length]?.at;
  return { found, mark: index < 0 && extra ? [extra] : [] };
}
