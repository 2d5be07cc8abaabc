import type { ToBeAcceptedBy } from "./to-be-accepted-by.js";
import type { ToBeCancelled } from "./to-be-cancelled.js";
import type { ToBeSuspendedOn } from "./to-be-suspended-on.js";
import type { ToHaveAppended } from "./to-have-appended.js";
import type { ToHaveAppendedToolError } from "./to-have-appended-tool-error.js";
import type { ToHaveAppendedToolResult } from "./to-have-appended-tool-result.js";
import type { ToHaveCalledTool } from "./to-have-called-tool.js";
import type { ToHaveCalledToolsInOrder } from "./to-have-called-tools-in-order.js";
import type { ToHaveFailedWith } from "./to-have-failed-with.js";
import type { ToHaveFinishedScript } from "./to-have-finished-script.js";
import type { ToHaveOfferedTool } from "./to-have-offered-tool.js";
import type { ToHaveOutput } from "./to-have-output.js";
import type { ToHaveThrown } from "./to-have-thrown.js";
import type { ToHaveWritten } from "./to-have-written.js";
import type { ToKeepCachePrefix } from "./to-keep-cache-prefix.js";
import type { ToLeak } from "./to-leak.js";
import type { ToMatchToolCallIds } from "./to-match-tool-call-ids.js";
import type { ToStopWithinTurns } from "./to-stop-within-turns.js";

/** The signatures of all matchers, as Vitest's `expect` gets them. */
export interface ToolLoopMatchers
  extends ToBeAcceptedBy,
    ToHaveAppended,
    ToHaveAppendedToolError,
    ToBeCancelled,
    ToBeSuspendedOn,
    ToHaveFailedWith,
    ToHaveOutput,
    ToHaveThrown,
    ToHaveWritten,
    ToHaveAppendedToolResult,
    ToHaveCalledTool,
    ToHaveCalledToolsInOrder,
    ToHaveFinishedScript,
    ToHaveOfferedTool,
    ToKeepCachePrefix,
    ToLeak,
    ToMatchToolCallIds,
    ToStopWithinTurns {}

declare module "vitest" {
  // Without type parameters on purpose: Vitest 4 declares one, Vitest 5 two, and leaving them out merges with both.
  interface Matchers extends ToolLoopMatchers {}
  interface AsymmetricMatchersContaining extends ToolLoopMatchers {}
}
