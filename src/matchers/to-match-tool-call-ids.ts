import { findingsIn, type OpenConversation, openConversation } from "../conversation/index.js";
import { cutText, oneLine } from "../json.js";
import { type OptionsShape, oneOf, requireOptions } from "../options.js";
import { pairingFaults } from "../rules/pairing.js";
import { type Finding, isAbout, type Rule } from "../rules/rule.js";
import {
  diffOf,
  hintFor,
  isEqual,
  type MatcherResult,
  type MatcherReturn,
  type MatcherState,
  requireArgument,
} from "./matcher.js";
import { OPEN, requireOpenCalls } from "./open.js";
import { word } from "./wording.js";

export interface MatchToolCallIdsOptions {
  /** `"request"` (default): results stand in the order of the calls. `"any"`: where the loop means another order. */
  readonly order?: "request" | "any";
  /** Ids left unanswered on purpose: a run that waits for a human, or that stopped at its cap. */
  readonly open?: readonly string[];
}

export interface ToMatchToolCallIds {
  /**
   * Passes when every call is answered exactly once, by its own id, before the next turn and in request order, and
   * nothing answers a call that was not made.
   *
   * The last turn counts: a call the loop did not answer fails, unless `open` names it.
   *
   * @param ids - The answered ids, in the order of their results. Left out, any ids will do.
   * @throws {UsageError} when the subject holds no messages.
   * @example
   * expect(messages).toMatchToolCallIds();
   * expect(messages).toMatchToolCallIds(["call_1", "call_2"]);
   * expect(paused).toMatchToolCallIds(undefined, { open: ["call_2"] });
   */
  toMatchToolCallIds(ids?: readonly unknown[], options?: MatchToolCallIdsOptions): MatcherReturn<this>;
}

const NAME = "toMatchToolCallIds";
const OPTIONS: OptionsShape<MatchToolCallIdsOptions> = { order: oneOf("request", "any"), open: OPEN };

export function toMatchToolCallIds(
  this: MatcherState,
  received: unknown,
  ids?: readonly unknown[],
  options: MatchToolCallIdsOptions = {},
): MatcherResult {
  requireArgument(ids === undefined || Array.isArray(ids), NAME, "a list of ids as first argument", ids);
  requireOptions(options, OPTIONS, `${NAME}()`);
  const { order = "request", open = [] } = options;
  const conversation = openConversation(received, `${NAME}()`);
  requireOpenCalls(open, conversation, `${NAME}()`);
  const hint = hintFor(this, NAME, received, ids === undefined ? "" : oneLine(ids, 80));
  const fault = firstFault(conversation, order, new Set(open));

  if (fault) {
    const message = () => word({ hint, conversation, ...fault });
    return { pass: false, message };
  }
  // Listed when asked for only: nobody reads the claim of a matcher that passes.
  const listAnswered = () => conversation.pairing.turns.flatMap(({ answers }) => answers.map(({ callId }) => callId));
  const answered = ids && listAnswered();
  if (answered && !isEqual(this, answered, ids)) {
    const claim = `Expected results for ${oneLine(ids)} in this order, but found results for ${oneLine(answered)}.`;
    return { pass: false, message: () => word({ hint, claim, conversation }), ...diffOf(this, answered, ids) };
  }
  const message = () => {
    const found = listAnswered();
    const which = found.length === 0 ? " (there are none)" : `: ${cutText(found.join(", "))}`;
    const claim = `Expected calls and results not to match, but every call is answered once, by its own id${which}.`;
    return word({ hint, claim, conversation });
  };
  return { pass: true, message };
}

interface Fault {
  readonly claim: string;
  readonly mark: readonly string[];
  readonly violation?: Finding | undefined;
  readonly advice?: string;
}

const CLAIM = "Expected every call to be answered once, by its own id, before the next turn";

function firstFault(
  conversation: OpenConversation,
  order: "request" | "any",
  open: ReadonlySet<string>,
): Fault | undefined {
  const { pairing, definition } = conversation;
  const findings = (rules: readonly Rule[]) =>
    findingsIn(conversation, { stage: "request" }, `${NAME}()`, rules).filter(
      ({ severity, calls }) =>
        severity === "error" && !(calls.length > 0 && calls.every(({ call }) => open.has(call.id))),
    );
  const [fault] = pairingFaults(pairing, open);
  if (fault) {
    const violation = findings(definition.rules).find(
      (finding) => finding.at === fault.at || (fault.outcome && finding.pairing && isAbout(finding, fault.outcome)),
    );
    const claim = `${CLAIM}, but ${fault.found}.`;
    // Where some calls of the turn are to stay open, the provider's answer names them too: it is no advice here.
    const left = violation?.calls.filter(({ call }) => !open.has(call.id)) ?? [];
    if (violation && left.length < violation.calls.length) {
      const ids = left.map(({ call }) => call.id).join(", ");
      const advice = `Answer ${ids} directly after ${left[0]!.turn.at}; only ${[...open].join(", ")} may stay open.`;
      return { claim, mark: [fault.at], advice };
    }
    return { claim, mark: [violation?.at ?? fault.at, fault.at], violation };
  }
  // What an API says about pairing beyond what holds for all: ids that must be unique over the whole request, say.
  const [beyond] = findings(definition.rules.filter((rule) => rule.pairing));
  if (beyond) return { claim: `${CLAIM}, but ${beyond.at} breaks that.`, mark: [beyond.at], violation: beyond };
  return order === "request" ? orderFault(conversation) : undefined;
}

function orderFault({ pairing }: OpenConversation): Fault | undefined {
  for (const { calls, answers } of pairing.unsettled) {
    const asked = calls.flatMap(({ answer }) => answer ?? []);
    const wrong = answers.find((answer, index) => answer !== asked[index]);
    if (!wrong) continue;
    const ids = (results: typeof answers) => cutText(results.map((result) => result.callId).join(", "));
    return {
      claim: `Expected results in the order of the calls (${ids(asked)}), but they stand in the order ${ids(answers)}.`,
      mark: [wrong.at],
      advice:
        'Append results in request order, not as the tools finish: collect them with Promise.all over the calls. If the loop means it, say { order: "any" }.',
    };
  }
  return undefined;
}
