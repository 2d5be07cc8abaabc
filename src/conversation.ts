/**
 * The rules of each provider's API, without Vitest: for scripts, servers and other test runners.
 *
 * @module
 */
export { type Conversation, checkConversation, readConversation } from "./conversation/index.js";
export type { Detection, Dialect, DialectDefinition, Loss, ToolResult } from "./dialects/dialect.js";
export { registerDialect } from "./dialects/index.js";
export { ToolLoopError, UsageError } from "./errors.js";
export { formatConversation } from "./report/index.js";
export type { CheckOptions, Rule, Severity, Violation } from "./rules/rule.js";
export type { AssistantTurn, FinishReason, ServerToolCall, ToolCall, Usage } from "./transcript/turn.js";
export type { CallPart, Part, ResultPart, Transcript, TranscriptMessage } from "./transcript/types.js";
export { WireCall } from "./transcript/wire.js";
