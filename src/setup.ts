import { aroundAll, aroundEach, inject } from "vitest";
import { guardNetwork } from "./network/guard-network.js";
import { WatchedFile } from "./network/lifecycle.js";

const guard = guardNetwork(new URL(/* @vite-ignore */ "./preload.js", import.meta.url));

// Hooks are registered here and not in an imported module: without isolation Vitest evaluates this file again for each
// test file, but an imported module only once.
const file = new WatchedFile(guard, inject("toolLoop")?.network ?? {});
aroundAll((runFile) => file.around(runFile));
aroundEach((runTest, { task }) => file.aroundTest(task, runTest));
