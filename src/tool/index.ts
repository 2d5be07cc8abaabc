export type { AgentDouble } from "./agent.js";
export type { ToolDouble } from "./attempt.js";
export type { ToolContext } from "./context.js";
export {
  type Capabilities,
  type Capability,
  capability,
  defineTool,
  type Suspension,
  type Suspensions,
  type ToolDefinition,
} from "./define-tool.js";
export type { Failure, FailureReport } from "./failure.js";
export type { ApprovalAnswer } from "./foreign/foreign.js";
export { type McpClient, type McpTool, mcpTool } from "./foreign/mcp.js";
export type { ResumeOptions, RunToolHandle } from "./handle.js";
export type { AgentRun, DataWrite, SuspensionRecord, ToolRun } from "./journal.js";
export { runTool } from "./run-tool.js";
export { createTestRuntime, type TestRuntime, type TestRuntimeOptions } from "./runtime.js";
export {
  createInMemorySandbox,
  type InMemorySandbox,
  type InMemorySandboxOptions,
  type Sandbox,
  type SandboxCommand,
} from "./sandbox.js";
