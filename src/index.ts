export * from "./conversation.js";
export type { ToolLoopMatchers } from "./matchers/types.js";
