import { FaultError } from "../errors.js";
import { isRecord } from "../json.js";
import type { AssistantTurn } from "../transcript/turn.js";
import { statusOf } from "./faults.js";
import { readOfferedTools } from "./offered-tools.js";
import { hang, isSignal } from "./signal.js";
import type { ModelRequest, Spoken } from "./types.js";

/** What was spoken, as a model function gives it. */
export async function answer(saying: Promise<Spoken>, signal: AbortSignal | undefined): Promise<AssistantTurn> {
  const spoken = await saying;
  if (spoken.kind === "turn") return spoken.turn;
  if (spoken.kind === "error") throw spoken.error;
  const { fault, at } = spoken;
  if (fault.kind === "hangs") return hang(signal);
  throw new FaultError(
    fault.kind,
    at,
    statusOf(fault),
    "retryAfterSeconds" in fault ? fault.retryAfterSeconds : undefined,
  );
}

/** What a model function was called with, as a request. */
export function requestOf(messages: unknown[], options: unknown): ModelRequest {
  if (!isRecord(options)) return { messages };
  const tools = readOfferedTools(options.tools);
  return {
    messages,
    ...(tools !== undefined && { tools }),
    ...(isRecord(options.settings) && { settings: options.settings }),
    ...(isSignal(options.signal) && { signal: options.signal }),
  };
}
