import { cutText, oneLine } from "../json.js";
import { readHandle, toolOf } from "./handle.js";
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
  const [name, value] = expected;
  requireArgument(typeof name === "string", "toHaveWritten", "the name of the data as first argument", name);
  const handle = readHandle(received, "toHaveWritten");
  const anyValue = expected.length === 1;
  const hint = hintOn(this, "toHaveWritten", "run", oneLine(name, 80), ...(anyValue ? [] : [oneLine(value, 80)]));
  const named = handle.dataWrites.filter((write) => write.name === name);
  const pass = named.some((write) => anyValue || isEqual(this, write.value, value));
  const list = handle.dataWrites.map(
    (write, index) => `  ${index}  ${cutText(write.name, 60)}  ${oneLine(write.value)}`,
  );
  const evidence = list.length === 0 ? "It wrote nothing." : `It wrote, in order:\n${list.join("\n")}`;
  const tool = toolOf(handle);
  const what = `${oneLine(name, 60)}${anyValue ? "" : ` with ${oneLine(value, 80)}`}`;
  if (pass)
    return {
      pass,
      message: () => word({ hint, claim: `Expected ${tool} not to write ${what}, but it did.`, evidence }),
    };
  const closest = named.at(-1);
  const found = closest ? `wrote ${named.length === 1 ? "another value" : "other values"} under that name` : "did not";
  const claim = `Expected ${tool} to write ${what}, but it ${found}.`;
  const advice = `Write it with ctx.data.write(${oneLine(name, 60)}, …), or correct what the test expects.`;
  const message = () => word({ hint, claim, evidence, advice });
  return { pass, message, ...(closest && diffOf(this, closest.value, value)) };
}
