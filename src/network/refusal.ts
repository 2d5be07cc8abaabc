import type { Verdict } from "./guard.js";
import { node } from "./node.js";

/** What a client is told that may not connect. */
export const REFUSED = { block: "EACCES", drop: "ECONNREFUSED" } as const;

/** libuv's error number, which differs between systems. */
export function errno(code: string): number {
  for (const [number, [name]] of node.util.getSystemErrorMap()) if (name === code) return number;
  return -1;
}

/** What a handle returns; 0 lets pass. */
export function refusal(verdict: Verdict): number {
  return verdict.kind === "allow" ? 0 : errno(REFUSED[verdict.kind]);
}

/** What a client is told that may not write. */
export function writeError(kind: "block" | "drop", what: string): Error {
  const code = REFUSED[kind];
  const error = new Error(`write ${code} ${what}`);
  // As Node's own has none: ours would show the guard's code to somebody who looks for theirs.
  error.stack = `Error: ${error.message}`;
  return Object.assign(error, { errno: errno(code), code, syscall: "write" });
}
