import { describe, isThenable } from "../conversation/index.js";
import { UsageError } from "../errors.js";
import { type SpokenConversation, spokenBy } from "../transcript/spoken.js";
import { hintFor, type MatcherResult, type MatcherReturn, type MatcherState } from "./matcher.js";
import { count, times, word } from "./wording.js";

export interface ToHaveFinishedScript {
  /**
   * Passes when the scripted model spoke every turn of its script, an endless repeat at least once, and was not called
   * after that.
   *
   * A script made while a test runs is verified by itself when the test ends; this is for scripts made at module level
   * or with `scriptedModel.lenient`, and for asking at another moment.
   *
   * @throws {UsageError} when the subject is no scripted model.
   * @example
   * expect(model).toHaveFinishedScript();
   */
  toHaveFinishedScript(): MatcherReturn<this>;
}

const NAME = "toHaveFinishedScript";

export function toHaveFinishedScript(this: MatcherState, received: unknown): MatcherResult {
  const spoken = requireScriptedModel(received, NAME);
  const hint = hintFor(this, NAME, received, "");
  const calls = spoken.requests.length;
  const evidence = spoken.script();

  if (spoken.overruns > 0) {
    const claim = `Expected the script to be spoken to its end and not beyond, but the model was called ${times(spoken.overruns)} more after it.`;
    const advice = "Check why the loop did not stop after the last turn, or add the turn it should get.";
    return { pass: false, message: () => word({ hint, claim, evidence, advice }) };
  }
  if (spoken.owed > 0) {
    const found = calls === 0 ? "the model was never called" : `the loop stopped after ${count(calls, "call")}`;
    const claim = `Expected the script to be spoken to its end, but ${found} and ${count(spoken.owed, "turn")} ${spoken.owed === 1 ? "is" : "are"} left.`;
    const advice = "Check why the loop stopped early, or take what is left out of the script.";
    return { pass: false, message: () => word({ hint, claim, evidence, advice }) };
  }
  const claim = `Expected the script not to be finished, but every turn was spoken in ${count(calls, "call")}.`;
  return { pass: true, message: () => word({ hint, claim, evidence }) };
}

/** @throws {UsageError} when the subject is no scripted model. */
function requireScriptedModel(value: unknown, matcher: string): SpokenConversation {
  const spoken = spokenBy(value);
  if (spoken) return spoken;
  throw new UsageError(
    `${matcher}() needs a scripted model: expected what scriptedModel(…) returns, found ${describe(value)}. ` +
      (isThenable(value) ? "Await it first." : "Pass the model itself, not what the loop returned."),
  );
}
