export * from "./conversation.js";
export {
  FaultError,
  OutcomeError,
  RunawayLoopError,
  ScriptExhaustedError,
  ScriptLeftoverError,
  ToolContractError,
} from "./errors.js";
export { type ToolLoopFixtures, test, toolLoopFixtures } from "./fixtures.js";
export type { CallReference } from "./matchers/answer.js";
export type { ToolLoopMatchers } from "./matchers/types.js";
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
export * from "./tool/index.js";
export type { TurnExtras } from "./transcript/turn.js";
