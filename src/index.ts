export * from "./conversation.js";
export {
  FaultError,
  ImpossibleTurnError,
  RefusedRequestError,
  RunawayLoopError,
  ScriptExhaustedError,
  ScriptLeftoverError,
  StrayRequestError,
} from "./errors.js";
export { type ToolLoopFixtures, test, toolLoopFixtures } from "./fixtures.js";
export type { CallReference } from "./matchers/answer.js";
export type { ToolLoopMatchers } from "./matchers/types.js";
export { type Network, network } from "./network/network.js";
export type { PatternSource } from "./network/patterns.js";
export type { Stray } from "./network/strays.js";
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
  speakAs,
  type ToolCallDraft,
  toolCall,
  turn,
} from "./script/index.js";
export { modelFetch, type ServeOptions } from "./serve/index.js";
export type { NetworkSettings, ToolLoopSettings } from "./settings.js";
export * from "./tool/index.js";
export type { TurnExtras } from "./transcript/turn.js";
