import { aroundAll, aroundEach } from "vitest";
import { WatchedFile } from "./network/lifecycle.js";

// Hooks are registered here and not in an imported module: without isolation Vitest evaluates this file again for each
// test file, but an imported module only once.
const file = new WatchedFile();
aroundAll((runFile) => file.around(runFile));
aroundEach((runTest, { task }) => file.aroundTest(task, runTest));
