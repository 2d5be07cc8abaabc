import { test as base } from "vitest";
import { currentTest } from "./running-test.js";
import { needsSetup, scriptedModel } from "./script/index.js";

/** What {@link toolLoopFixtures} gives to a test. */
export interface ToolLoopFixtures {
  /** The function {@link scriptedModel} itself. */
  scriptedModel: typeof scriptedModel;
}

/**
 * The fixtures, for a `test` of your own.
 *
 * @example const test = base.extend<ToolLoopFixtures>(toolLoopFixtures);
 */
export const toolLoopFixtures = {
  // biome-ignore lint/correctness/noEmptyPattern: Vitest reads from the pattern which fixtures this one needs.
  scriptedModel: async ({}: object, use: (fixture: typeof scriptedModel) => Promise<void>): Promise<void> => {
    if (currentTest() === undefined) throw needsSetup("The fixture scriptedModel");
    await use(scriptedModel);
  },
};

/** Vitest's `test` with the fixture `scriptedModel`. */
export const test = base.extend<ToolLoopFixtures>(toolLoopFixtures);
