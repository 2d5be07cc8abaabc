export { type AssistantTurnDraft, type ToolCallDraft, toolCall, turn } from "./draft.js";
export {
  cutByLength,
  cutStream,
  type Fault,
  hangs,
  malformedChunk,
  overloaded,
  rateLimited,
  refusal,
  type ScriptedTurn,
  serverError,
  statusOf,
} from "./faults.js";
export { type Repeat, type RepeatOptions, repeat } from "./repeat.js";
export { isScriptedModel, scriptedModel, speak, verifyWhereServed } from "./scripted-model.js";
export { hang } from "./signal.js";
export { copyOut, snapshot } from "./snapshot.js";
export { speakAs } from "./speak-as.js";
export type {
  CallTerms,
  Demands,
  Model,
  ModelCallOptions,
  ModelRequest,
  OfferedTool,
  ScriptedModel,
  ScriptItem,
  Spoken,
} from "./types.js";
export { needsSetup } from "./verification.js";
