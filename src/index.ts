export { ToolLoopError, UsageError } from "./errors.js";
