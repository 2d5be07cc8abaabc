import { inject } from "vitest";
import { UsageError } from "../errors.js";
import { isRecord, oneLine } from "../json.js";
import { currentTest } from "../running-test.js";
import type { Voice } from "./voice.js";

/** What is verified when a test ends: everything, calls past the end only, or nothing. */
export type VerifyScripts = true | "overruns" | false;

/**
 * Verifies a voice when the running test ends; outside of a test it does nothing.
 *
 * @param madeBy - The function the developer called: turns left over are reported at that call.
 */
export function verifyWithTest(voice: Voice, madeBy: (...args: never[]) => unknown): void {
  const test = currentTest();
  if (test === undefined) return;
  const made = new Error();
  Error.captureStackTrace?.(made, madeBy);
  test.checks.push(() => {
    if (test.hasFailed()) return undefined;
    const setting = readSetting();
    if (setting === false) return undefined;
    if (voice.misuse !== undefined || setting === "overruns") return voice.misuse;
    const leftover = voice.leftover(test.name);
    if (leftover !== undefined) leftover.stack = [`${leftover.name}: ${leftover.message}`, framesOf(made)].join("\n");
    return leftover;
  });
}

function framesOf(error: Error): string {
  return error.stack?.split("\n").slice(1).join("\n") ?? "";
}

function readSetting(): VerifyScripts {
  const settings: unknown = inject("toolLoop" as never);
  const setting = isRecord(settings) ? settings.verifyScripts : undefined;
  if (setting === undefined) return true;
  if (setting === true || setting === "overruns" || setting === false) return setting;
  throw new UsageError(
    `The setting verifyScripts cannot be used: expected true, "overruns" or false, found ${oneLine(setting)}, ` +
      "at test.provide.toolLoop.verifyScripts of the Vitest configuration.",
  );
}
