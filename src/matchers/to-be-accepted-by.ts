import { findingsIn, openConversation, requireCheckOptions } from "../conversation/index.js";
import type { Dialect } from "../dialects/dialect.js";
import { findDialect } from "../dialects/index.js";
import { asSource } from "../json.js";
import type { CheckOptions, Finding } from "../rules/rule.js";
import { hintFor, type MatcherResult, type MatcherReturn, type MatcherState, requireArgument } from "./matcher.js";
import { count, word } from "./wording.js";

export interface ToBeAcceptedBy {
  /**
   * Passes when the provider's API would accept these messages: no rule of severity `error` is broken.
   *
   * @param dialect - The API that is asked.
   * @param options - `strict`: no warning either. `stage: "request"`: judged as the next request, also where the model
   *   has finished. The rest are facts outside the messages, which some rules need.
   * @throws {UsageError} when the subject holds no messages, or turns in another dialect; when the dialect or
   *   an option is unknown.
   * @example
   * expect(messages).toBeAcceptedBy("anthropic");
   * expect(messages).toBeAcceptedBy("openai-chat", { strict: true });
   */
  toBeAcceptedBy(dialect: Dialect, options?: CheckOptions): MatcherReturn<this>;
}

const NAME = "toBeAcceptedBy";
/** How many violations beyond the first are listed. */
const SHOWN = 5;

export function toBeAcceptedBy(
  this: MatcherState,
  received: unknown,
  dialect: Dialect,
  options: CheckOptions = {},
): MatcherResult {
  requireArgument(typeof dialect === "string", NAME, "the name of a dialect as first argument", dialect);
  requireCheckOptions(options, findDialect(dialect), `${NAME}()`);
  const conversation = openConversation(received, `${NAME}()`, dialect);
  const hasOptions = Object.keys(options).length > 0;
  const hint = hintFor(this, NAME, received, JSON.stringify(dialect), ...(hasOptions ? [asSource(options, 80)] : []));
  const api = conversation.definition.title ?? dialect;
  const violations = findingsIn(conversation, options, `${NAME}()`).filter(
    ({ severity }) => severity === "error" || options.strict === true,
  );
  const [violation, ...others] = violations;

  if (!violation) {
    const claim = `Expected ${api} to refuse these messages, but they break none of its rules${options.strict ? ", and none of its warnings applies" : ""}.`;
    return { pass: true, message: () => word({ hint, claim, conversation }) };
  }
  const claim = `Expected ${api} to accept these messages, but ${violation.at} ${violation.severity === "error" ? "breaks a rule" : "draws a warning"}${others.length > 0 ? `, and so ${others.length === 1 ? "does 1 more place" : `do ${others.length} more places`}` : ""}.`;
  const advice = [violation.fix, ...listOthers(others)].join("\n");
  const mark = violations.map(({ at }) => at);
  return { pass: false, message: () => word({ hint, claim, conversation, mark, violation, advice }) };
}

function listOthers(others: readonly Finding[]): string[] {
  if (others.length === 0) return [];
  const lines = others.slice(0, SHOWN).map(({ at, rule, fix }) => `  ${at}  ${fix} (${rule})`);
  if (others.length > SHOWN) lines.push(`  … and ${count(others.length - SHOWN, "more violation")}`);
  return ["", "Also:", ...lines];
}
