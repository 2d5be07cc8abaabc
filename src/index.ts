<<<<<<< HEAD
export * from "./conversation.js";
=======
export {
  FaultError,
  RunawayLoopError,
  ScriptExhaustedError,
  ScriptLeftoverError,
  ToolLoopError,
  UsageError,
} from "./errors.js";
export { test, toolLoopFixtures } from "./fixtures.js";
export {
  type AssistantTurnDraft,
  cutByLength,
  cutStream,
  type Fault,
  hangs,
  type Model,
  type ModelCallOptions,
  type ModelRequest,
  malformedChunk,
  type OfferedTool,
  overloaded,
  type Repeat,
  type RepeatOptions,
  rateLimited,
  refusal,
  repeat,
  type ScriptedModel,
  type ScriptedTurn,
  type ScriptItem,
  scriptedModel,
  serverError,
  type ToolCallDraft,
  toolCall,
  turn,
} from "./script/index.js";
export type { AssistantTurn, FinishReason, ServerToolCall, ToolCall, TurnExtras, Usage } from "./transcript/turn.js";
>>>>>>> script
