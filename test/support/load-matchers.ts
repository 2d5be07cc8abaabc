import { matchers } from "../../src/matchers/index.js";

/** Stands in for `src/matchers/load.ts`, which needs a build. */
export function loadMatchers(): typeof matchers {
  return matchers;
}
