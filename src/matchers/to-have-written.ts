import { oneLine } from "../json.js";
import { readHandle } from "./handle.js";
import {
  diffOf,
  hintOn,
  isEqual,
  type MatcherResult,
  type MatcherReturn,
  type MatcherState,
  requireArgument,
} from "./matcher.js";

export interface ToHaveWritten {
  /**
   * Passes when the tool wrote data under this name with `ctx.data.write`; with `value`, when one of these writes equals it.
   *
   * @throws {UsageError} when the subject is no handle of `runTool`, or `name` is no text.
   * @example
   * expect(run).toHaveWritten("progress", { percent: 100 });
   */
  toHaveWritten(name: string, value?: unknown): MatcherReturn<this>;
}

export function toHaveWritten(
  this: MatcherState,
  received: unknown,
  ...expected: [name: string, value?: unknown]
): MatcherResult {
  const handle = readHandle(received, "toHaveWritten");
  const [name, value] = expected;
  requireArgument(typeof name === "string", "toHaveWritten", "the name of the data as first argument", name);
  const anyValue = expected.length === 1;
  const hint = hintOn(this, "toHaveWritten", "run", oneLine(name), ...(anyValue ? [] : [oneLine(value, 80)]));
  const named = handle.dataWrites.filter((write) => write.name === name);
  const pass = named.some((write) => anyValue || isEqual(this, write.value, value));
  const list = handle.dataWrites.map((write, index) => `  ${index}  ${write.name}  ${oneLine(write.value)}`);
  const evidence = list.length === 0 ? "It wrote nothing." : `It wrote, in order:\n${list.join("\n")}`;
  const tell = (claim: string) => () => [hint, claim, evidence].join("\n\n");
  const what = `${oneLine(name)}${anyValue ? "" : " with this value"}`;
  if (pass) return { pass, message: tell(`Expected ${handle.tool} not to write ${what}, but it did.`) };
  const closest = named.at(-1);
  if (!closest) return { pass, message: tell(`Expected ${handle.tool} to write ${oneLine(name)}, but it did not.`) };
  const claim = `Expected ${handle.tool} to write ${what}, but it wrote ${named.length === 1 ? "another" : "others"}.`;
  return { pass, message: tell(claim), ...diffOf(this, closest.value, value) };
}
