import { cutText, oneLine } from "../json.js";
import { type Pause, readPauses } from "../tool/foreign/pauses.js";
import { isRunToolHandle } from "../tool/handle.js";
import { ADVICE, noHandle, wordRun } from "./handle.js";
import {
  diffOf,
  hintOn,
  isEqual,
  type MatcherResult,
  type MatcherReturn,
  type MatcherState,
  requireArgument,
} from "./matcher.js";
import { word } from "./wording.js";

export interface ToBeSuspendedOn {
  /**
   * Passes when the run waits for an answer to `name`; with `input`, when it asked with it.
   *
   * The subject is a handle of `runTool`, or the result of a framework's run that waits for a human. Those have no names
   * for their pauses: a call to be approved is `"approval"` or the name of its tool, an interrupt is `"interrupt"`.
   *
   * @throws {UsageError} when the subject is neither, or `name` is no text.
   * @example
   * expect(await runTool(publish, { input })).toBeSuspendedOn("approve", { draftId: "draft_1" });
   * expect(await graph.invoke(state, thread)).toBeSuspendedOn("interrupt");
   */
  toBeSuspendedOn(name: string, input?: unknown): MatcherReturn<this>;
}

export function toBeSuspendedOn(
  this: MatcherState,
  received: unknown,
  ...expected: [name: string, input?: unknown]
): MatcherResult {
  const [name, input] = expected;
  requireArgument(typeof name === "string", "toBeSuspendedOn", "the name of a suspension as first argument", name);
  const anyInput = expected.length === 1;
  const hint = hintOn(this, "toBeSuspendedOn", "run", oneLine(name, 80), ...(anyInput ? [] : [oneLine(input, 80)]));
  const { pauses, tell } = readRun(received, hint);
  const named = pauses.filter((pause) => pause.name === name || pause.tool === name);
  const pass = named.some((pause) => anyInput || isEqual(this, pause.input, input));
  if (pass) return { pass, message: () => tell(`Expected the run not to wait on ${oneLine(name)}, but it does.`) };
  const closest = named[0];
  if (!closest) {
    const advice = "Have the tool ask before it acts; if it should not ask here, expect what it did.";
    return { pass, message: () => tell(`Expected the run to wait on ${oneLine(name)}, but it does not.`, advice) };
  }
  const claim = `Expected the run to wait on ${oneLine(name)}, asked with ${oneLine(input, 80)}, but it was asked with something else.`;
  return { pass, message: () => tell(claim, ADVICE), ...diffOf(this, closest.input, input) };
}

function readRun(
  received: unknown,
  hint: string,
): { pauses: readonly Pause[]; tell(claim: string, advice?: string): string } {
  if (isRunToolHandle(received)) {
    const pauses = received.status === "suspended" ? [received.suspend] : [];
    return { pauses, tell: (claim, advice) => wordRun(hint, claim, received, advice) };
  }
  const pauses = readPauses(received);
  if (!pauses) throw noHandle(received, "toBeSuspendedOn", "the handle that runTool() gives, or the result of a run");
  const found = pauses.map(
    ({ name, tool, input }) =>
      `  ${cutText(name, 60)}${tool === undefined ? "" : ` of ${cutText(tool, 60)}`} ${oneLine(input)}`,
  );
  const evidence = found.length === 0 ? "The run waits for nothing." : `The run waits for:\n${found.join("\n")}`;
  return { pauses, tell: (claim, advice) => word({ hint, claim, evidence, advice }) };
}
