import type { ToBeCancelled } from "./to-be-cancelled.js";
import type { ToBeSuspendedOn } from "./to-be-suspended-on.js";
import type { ToHaveAppended } from "./to-have-appended.js";
import type { ToHaveAppendedToolResult } from "./to-have-appended-tool-result.js";
import type { ToHaveFailedWith } from "./to-have-failed-with.js";
import type { ToHaveOutput } from "./to-have-output.js";
import type { ToHaveThrown } from "./to-have-thrown.js";
import type { ToHaveWritten } from "./to-have-written.js";
import type { ToMatchToolCallIds } from "./to-match-tool-call-ids.js";
import type { ToStopWithinTurns } from "./to-stop-within-turns.js";

/** The signatures of all matchers, as Vitest's `expect` gets them. */
export interface ToolLoopMatchers
  extends ToBeCancelled,
    ToBeSuspendedOn,
    ToHaveFailedWith,
    ToHaveOutput,
    ToHaveThrown,
    ToHaveWritten,
    ToHaveAppended,
    ToHaveAppendedToolResult,
    ToMatchToolCallIds,
    ToStopWithinTurns {}

declare module "vitest" {
  // Without type parameters on purpose: Vitest 4 declares one, Vitest 5 two, and leaving them out merges with both.
  interface Matchers extends ToolLoopMatchers {}
  interface AsymmetricMatchersContaining extends ToolLoopMatchers {}
}
