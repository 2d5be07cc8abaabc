import { expect, inject } from "vitest";
import { UsageError } from "../errors.js";
import { oneLine } from "../json.js";
import { currentTest, isWatching, type RunningTest } from "../running-test.js";
import type { ToolLoopSettings } from "../settings.js";
import type { Voice } from "./voice.js";

/**
 * What a test answers for: the whole script; or of a model that is lenient, or was made outside of tests, only calls that
 * were refused, by a seam or by an error in a function of the script.
 */
export type Verified = "script" | "refusals";

/**
 * Verifies a voice when the running test ends; outside of a test it does nothing. A voice that is made, called and
 * served in one test is verified once.
 *
 * @param by - The function the developer called: turns left over are reported at that call.
 * @throws {UsageError} when a test would answer for the script, but nothing watches it: the setup line is missing.
 */
export function verifyWithTest(voice: Voice, by: (...args: never[]) => unknown, what: Verified = "script"): void {
  const test = currentTest();
  if (test === undefined && what === "script" && isUnwatched()) throw needsSetup(`${by.name}()`, by);
  const known = answered.get(voice);
  // Whoever made or served the model answers for its calls already.
  if (test === undefined || (known?.what === "script" && what === "refusals")) return;
  const called = new Error();
  Error.captureStackTrace?.(called, by);
  if (known?.test === test) {
    if (what === "script") Object.assign(known, { what, called });
    return;
  }
  const answer: Answer = { test, what, called };
  answered.set(voice, answer);
  const refusedBefore = voice.refusals.length;
  const misusedBefore = voice.misuses.length;
  test.checks.push(() => {
    const { what, called } = answer;
    // Turns left over, and the error the loop may have died of, are what follows from a refused call.
    const refusal = voice.refusals[refusedBefore];
    if (refusal !== undefined || what === "refusals" || test.hasFailed()) return refusal;
    const setting = readSetting();
    if (setting === false || test.hasSkipped()) return undefined;
    const misuse = voice.misuses[misusedBefore];
    if (misuse !== undefined || setting === "overruns") return misuse;
    const leftover = voice.leftover(test.name);
    if (leftover !== undefined) leftover.stack = [`${leftover.name}: ${leftover.message}`, framesOf(called)].join("\n");
    return leftover;
  });
}

/** Says that the setup line is missing; outside of Vitest, and outside of tests, nothing needs it. */
export function needsSetup(subject: string, by?: (...args: never[]) => unknown): UsageError {
  const error = new UsageError(
    `${subject} needs the setup line, which verifies scripts when a test ends: expected it to have run, found that it ` +
      'has not. Add test: { setupFiles: ["vitest-tool-loop/setup"] } to vitest.config.ts.',
  );
  if (by !== undefined) Error.captureStackTrace?.(error, by);
  return error;
}

/** Whether a test runs that nobody told us of. */
function isUnwatched(): boolean {
  return !isWatching() && expect.getState().currentTestName !== undefined;
}

/** Which test answers for a voice, and for what of it. One that is called first and then served answers for all of it. */
interface Answer {
  readonly test: RunningTest;
  what: Verified;
  called: Error;
}

const answered = new WeakMap<Voice, Answer>();

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
