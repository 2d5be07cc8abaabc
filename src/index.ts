export { StrayRequestError, ToolLoopError, UsageError } from "./errors.js";
export { type Network, network } from "./network/network.js";
export type { PatternSource } from "./network/patterns.js";
export type { Stray } from "./network/strays.js";
export type { NetworkSettings, ToolLoopSettings } from "./settings.js";
