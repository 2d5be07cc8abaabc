import { inject } from "vitest";
import { UsageError } from "../errors.js";
import { oneLine } from "../json.js";
import { currentTest, type RunningTest } from "../running-test.js";
import type { ToolLoopSettings } from "../settings.js";
import type { Voice } from "./voice.js";

/**
 * Verifies a voice when the running test ends; outside of a test it does nothing. A voice that is made and served in
 * one test is verified once.
 *
 * @param by - The function the developer called: turns left over are reported at that call.
 * @param what - `"refusals"`: only calls that were refused count, by a seam or by an error in a function of the script.
 */
export function verifyWithTest(
  voice: Voice,
  by: (...args: never[]) => unknown,
  what: "script" | "refusals" = "script",
): void {
  const test = currentTest();
  if (test === undefined || verified.get(voice) === test) return;
  verified.set(voice, test);
  const refusedBefore = voice.refusals.length;
  const called = new Error();
  Error.captureStackTrace?.(called, by);
  test.checks.push(() => {
    // Turns left over, and the error the loop may have died of, are what follows from a refused call.
    const refusal = voice.refusals[refusedBefore];
    if (refusal !== undefined || what === "refusals" || test.isExplained()) return refusal;
    const setting = readSetting();
    if (setting === false || test.hasSkipped()) return undefined;
    if (voice.misuse !== undefined || setting === "overruns") return voice.misuse;
    const leftover = voice.leftover(test.name);
    if (leftover !== undefined) leftover.stack = [`${leftover.name}: ${leftover.message}`, framesOf(called)].join("\n");
    return leftover;
  });
}

const verified = new WeakMap<Voice, RunningTest>();

function framesOf(error: Error): string {
  return error.stack?.split("\n").slice(1).join("\n") ?? "";
}

function readSetting(): NonNullable<ToolLoopSettings["verifyScripts"]> {
  const setting: unknown = inject("toolLoop")?.verifyScripts;
  if (setting === undefined) return true;
  if (typeof setting === "boolean" || setting === "overruns") return setting;
  throw new UsageError(
    `The setting verifyScripts cannot be used: expected true, "overruns" or false, found ${oneLine(setting)}, ` +
      "at test.provide.toolLoop.verifyScripts of the Vitest configuration.",
  );
}
