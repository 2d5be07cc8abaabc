import { aroundAll, aroundEach, expect, inject } from "vitest";
import { hideArguments } from "./matchers/leak/hidden.js";
import { loadMatchers } from "./matchers/load.js";
import { matchersOnDemand } from "./matchers/on-demand.js";
import { guardNetwork } from "./network/guard-network.js";
import { WatchedFile } from "./network/lifecycle.js";

// A file with only side effects would get an empty declaration from some bundlers, and the matchers' types with it.
export type { ToolLoopMatchers } from "./matchers/types.js";

// Written in two steps: of `new URL("…", import.meta.url)` Vitest makes a URL of the page where there is a DOM.
const here = import.meta.url;
const guard = guardNetwork(new URL("./preload.js", here));
expect.extend(matchersOnDemand(loadMatchers));
hideArguments(expect, "toLeak");

// Hooks are registered here and not in an imported module: without isolation Vitest evaluates this file again for each
// test file, but an imported module only once.
const file = new WatchedFile(guard, inject("toolLoop"));
aroundAll((runFile) => file.around(runFile));
aroundEach((runTest, { task }) => file.aroundTest(task, runTest));
