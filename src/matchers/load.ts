import module from "node:module";
import type { matchers } from "./index.js";

/**
 * The matchers, which the build writes into one file beside the setup file. By `require`, because a matcher must answer at
 * once. Of the `createRequire` that is imported: in VM pools it is Vitest's own, which loads into the test's realm.
 */
export function loadMatchers(): typeof matchers {
  return module.createRequire(import.meta.url)("./matchers.cjs").matchers;
}
