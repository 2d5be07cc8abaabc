export * from "./conversation.js";
export {
  FaultError,
  ImpossibleTurnError,
  OutcomeError,
  RefusedRequestError,
  RunawayLoopError,
  ScriptExhaustedError,
  ScriptLeftoverError,
  StrayRequestError,
  ToolContractError,
} from "./errors.js";
export { type ToolLoopFixtures, test, toolLoopFixtures } from "./fixtures.js";
export type { CallReference } from "./matchers/answer.js";
export type { HaveAppendedOptions } from "./matchers/to-have-appended.js";
export type { ExpectedCall } from "./matchers/to-have-called-tools-in-order.js";
export type { HaveOfferedToolOptions } from "./matchers/to-have-offered-tool.js";
export type { KeepCachePrefixOptions } from "./matchers/to-keep-cache-prefix.js";
export type { MatchToolCallIdsOptions } from "./matchers/to-match-tool-call-ids.js";
export type { StopWithinTurnsOptions } from "./matchers/to-stop-within-turns.js";
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
export {
  modelFetch,
  type ServedModel,
  type ServeModelOptions,
  type ServeOptions,
  serveModel,
  type When,
} from "./serve/index.js";
export type { NetworkSettings, ToolLoopSettings } from "./settings.js";
export * from "./tool/index.js";
export type { TurnExtras } from "./transcript/turn.js";
