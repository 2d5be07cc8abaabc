export { ToolLoopError, UsageError } from "./errors.js";
export type { AgentDouble } from "./tool/agent.js";
export type { ToolDouble } from "./tool/attempt.js";
export type { ToolContext } from "./tool/context.js";
export {
  type Capabilities,
  type Capability,
  capability,
  defineTool,
  type Suspension,
  type Suspensions,
  type ToolDefinition,
} from "./tool/define-tool.js";
export type { Failure, FailureReport } from "./tool/failure.js";
export type { ResumeOptions, RunToolHandle } from "./tool/handle.js";
export type { AgentRun, DataWrite, SuspensionRecord, ToolRun } from "./tool/journal.js";
export { runTool } from "./tool/run-tool.js";
export { createTestRuntime, type TestRuntime, type TestRuntimeOptions } from "./tool/runtime.js";
export {
  createInMemorySandbox,
  type InMemorySandbox,
  type InMemorySandboxOptions,
  type Sandbox,
  type SandboxCommand,
} from "./tool/sandbox.js";
