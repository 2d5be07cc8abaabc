import { createRequire } from "node:module";
import type { matchers } from "./index.js";

/**
 * The matchers, which the build writes into one file beside the setup file. By `require`, because a matcher must answer at
 * once.
 */
export function loadMatchers(): typeof matchers {
  return createRequire(import.meta.url)("./matchers.cjs").matchers;
}
