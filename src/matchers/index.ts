import { forExpect, judgingCalls, type Matcher } from "./for-expect.js";
import type { MatcherName } from "./names.js";
import { toBeAcceptedBy } from "./to-be-accepted-by.js";
import { toBeCancelled } from "./to-be-cancelled.js";
import { toBeSuspendedOn } from "./to-be-suspended-on.js";
import { toHaveAppended } from "./to-have-appended.js";
import { toHaveAppendedToolError } from "./to-have-appended-tool-error.js";
import { toHaveAppendedToolResult } from "./to-have-appended-tool-result.js";
import { toHaveCalledTool } from "./to-have-called-tool.js";
import { toHaveCalledToolsInOrder } from "./to-have-called-tools-in-order.js";
import { toHaveFailedWith } from "./to-have-failed-with.js";
import { toHaveFinishedScript } from "./to-have-finished-script.js";
import { toHaveOfferedTool } from "./to-have-offered-tool.js";
import { toHaveOutput } from "./to-have-output.js";
import { toHaveThrown } from "./to-have-thrown.js";
import { toHaveWritten } from "./to-have-written.js";
import { toKeepCachePrefix } from "./to-keep-cache-prefix.js";
import { toLeak } from "./to-leak.js";
import { toMatchToolCallIds } from "./to-match-tool-call-ids.js";
import { toStopWithinTurns } from "./to-stop-within-turns.js";

/** They judge what was said, and a model that was never called said nothing. */
const ofConversations = {
  toBeAcceptedBy,
  toHaveAppended,
  toHaveAppendedToolError,
  toHaveAppendedToolResult,
  toHaveCalledTool,
  toHaveCalledToolsInOrder,
  toHaveOfferedTool,
  toKeepCachePrefix,
  toLeak,
  toMatchToolCallIds,
  toStopWithinTurns,
};

/** They judge a script, or one run of one tool. */
const ofOthers = {
  toBeCancelled,
  toBeSuspendedOn,
  toHaveFailedWith,
  toHaveFinishedScript,
  toHaveOutput,
  toHaveThrown,
  toHaveWritten,
};

const all = { ...ofConversations, ...ofOthers } satisfies Record<MatcherName, unknown>;

/** Every matcher of the package, as `expect.extend` takes them. A new one is a file of its own and a line here, in `names.ts` and in `types.ts`. */
export const matchers = Object.fromEntries(
  (Object.entries(all) as [string, Matcher][]).map(([name, matcher]) => [
    name,
    forExpect(name, name in ofConversations ? judgingCalls(name, matcher) : matcher),
  ]),
) as typeof all;
