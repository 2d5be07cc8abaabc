import { toBeCancelled } from "./to-be-cancelled.js";
import { toBeSuspendedOn } from "./to-be-suspended-on.js";
import { toHaveAppended } from "./to-have-appended.js";
import { toHaveAppendedToolResult } from "./to-have-appended-tool-result.js";
import { toHaveFailedWith } from "./to-have-failed-with.js";
import { toHaveOutput } from "./to-have-output.js";
import { toHaveThrown } from "./to-have-thrown.js";
import { toHaveWritten } from "./to-have-written.js";
import { toMatchToolCallIds } from "./to-match-tool-call-ids.js";
import { toStopWithinTurns } from "./to-stop-within-turns.js";

/** Every matcher of the package, as `expect.extend` takes them. A new one is a file of its own and a line here. */
export const matchers = {
  toBeCancelled,
  toBeSuspendedOn,
  toHaveFailedWith,
  toHaveOutput,
  toHaveThrown,
  toHaveWritten,
  toHaveAppended,
  toHaveAppendedToolResult,
  toMatchToolCallIds,
  toStopWithinTurns,
};
