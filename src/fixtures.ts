import { test as base, type TestAPI } from "vitest";
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
export const test = extendTest();

function extendTest() {
  try {
    return base.extend<ToolLoopFixtures>(toolLoopFixtures);
  } catch {
    // Outside of Vitest there are no tests to extend, but a script may be spoken: this one says so when it is called.
    return base as unknown as TestAPI<ToolLoopFixtures>;
  }
}
