import { toHaveAppended } from "./to-have-appended.js";
import { toHaveAppendedToolResult } from "./to-have-appended-tool-result.js";
import { toMatchToolCallIds } from "./to-match-tool-call-ids.js";
import { toStopWithinTurns } from "./to-stop-within-turns.js";

/** Every matcher of the package, as `expect.extend` takes them. A new one is a file of its own and a line here. */
export const matchers = {
  toHaveAppended,
  toHaveAppendedToolResult,
  toMatchToolCallIds,
  toStopWithinTurns,
};
