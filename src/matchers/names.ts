import type { ToolLoopMatchers } from "./types.js";

export type MatcherName = keyof ToolLoopMatchers;

/** What `expect` is told before any matcher is loaded. */
export const MATCHER_NAMES = [
  "toBeAcceptedBy",
  "toBeCancelled",
  "toBeSuspendedOn",
  "toHaveAppended",
  "toHaveAppendedToolError",
  "toHaveAppendedToolResult",
  "toHaveCalledTool",
  "toHaveCalledToolsInOrder",
  "toHaveFailedWith",
  "toHaveFinishedScript",
  "toHaveOfferedTool",
  "toHaveOutput",
  "toHaveThrown",
  "toHaveWritten",
  "toKeepCachePrefix",
  "toLeak",
  "toMatchToolCallIds",
  "toStopWithinTurns",
] as const satisfies readonly MatcherName[];
