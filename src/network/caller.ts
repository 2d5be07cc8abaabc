import { installedGuard } from "./installed.js";
import { captureStack, userFrame } from "./site.js";

/** The user's line that led here, also where it has left the stack: `/app/agent.ts:12:7`. */
export function callerLine(): string | undefined {
  return userFrame(installedGuard()?.stack() ?? captureStack());
}

/** Has Vitest print the code around the user's line, for an error whose own stack ends in a package. */
export function pointAt(error: Error, line: string | undefined): void {
  if (line === undefined || userFrame(error.stack ?? "") !== undefined) return;
  error.stack = `${error.name}: ${error.message}\n    at ${line}`;
}
