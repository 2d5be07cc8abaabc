import { expect } from "vitest";
import { matchers } from "./matchers/index.js";

// A file with only a side-effect import would get an empty declaration from some bundlers, and the types with it.
export type { ToolLoopMatchers } from "./matchers/types.js";

expect.extend(matchers);
