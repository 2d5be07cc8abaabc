import type { ToHaveAppended } from "./to-have-appended.js";
import type { ToHaveAppendedToolResult } from "./to-have-appended-tool-result.js";
import type { ToMatchToolCallIds } from "./to-match-tool-call-ids.js";
import type { ToStopWithinTurns } from "./to-stop-within-turns.js";

/** The signatures of all matchers, as Vitest's `expect` gets them. */
export interface ToolLoopMatchers
  extends ToHaveAppended,
    ToHaveAppendedToolResult,
    ToMatchToolCallIds,
    ToStopWithinTurns {}

declare module "vitest" {
  // Without type parameters on purpose: Vitest 4 declares one, Vitest 5 two, and leaving them out merges with both.
  interface Matchers extends ToolLoopMatchers {}
  interface AsymmetricMatchersContaining extends ToolLoopMatchers {}
}
