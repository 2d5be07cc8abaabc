import { oneLine } from "../json.js";
import { ADVICE, adviseOn, DID, readHandle, toolOf, wordRun } from "./handle.js";
import { diffOf, hintOn, isEqual, type MatcherResult, type MatcherReturn, type MatcherState } from "./matcher.js";

export interface ToHaveOutput {
  /**
   * Passes when the tool returned; with `value`, when its output equals it, asymmetric matchers included.
   *
   * @throws {UsageError} when the subject is no handle of `runTool`.
   * @example
   * expect(await runTool(search, { input })).toHaveOutput({ hits: [expect.objectContaining({ title: "Identity" })] });
   */
  toHaveOutput(value?: unknown): MatcherReturn<this>;
}

export function toHaveOutput(this: MatcherState, received: unknown, ...value: [value?: unknown]): MatcherResult {
  const handle = readHandle(received, "toHaveOutput");
  // `undefined` is an output to expect; no argument expects any.
  const any = value.length === 0;
  const [expected] = value;
  const hint = hintOn(this, "toHaveOutput", "run", ...(any ? [] : [oneLine(expected, 80)]));
  const returned = handle.status === "completed";
  const pass = returned && (any || isEqual(this, handle.output, expected));
  if (pass) {
    const claim = `Expected ${toolOf(handle)} not to return${any ? "" : ` ${oneLine(expected, 80)}`}, but it did.`;
    return { pass, message: () => wordRun(hint, claim, handle) };
  }
  if (!returned) {
    const claim = `Expected ${toolOf(handle)} to return, but it ${DID[handle.status]}.`;
    return { pass, message: () => wordRun(hint, claim, handle, adviseOn(handle)) };
  }
  const claim = `Expected ${toolOf(handle)} to return ${oneLine(expected, 80)}, but it returned something else.`;
  return { pass, message: () => wordRun(hint, claim, handle, ADVICE), ...diffOf(this, handle.output, expected) };
}
