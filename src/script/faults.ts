import { type OptionKind, requireOptions } from "../options.js";
import type { AssistantTurn } from "../transcript/turn.js";
import type { AssistantTurnDraft, ToolCallDraft } from "./draft.js";

const FAULT = Symbol.for("vitest-tool-loop/fault");

/**
 * A failure of the provider, as data: `kind` and its parameters. Every seam puts it in its own form: HTTP in wire
 * shape, a model function as a rejection whose error carries `status`.
 */
export type Fault = { readonly [FAULT]: true } & FaultData;

/** An item that is a turn: what a fault can spoil. */
export type ScriptedTurn = string | ToolCallDraft | readonly ToolCallDraft[] | AssistantTurn | AssistantTurnDraft;

type FaultData =
  | { readonly kind: "rateLimited"; readonly retryAfterSeconds?: number }
  | { readonly kind: "overloaded" }
  | { readonly kind: "serverError" }
  | { readonly kind: "hangs" }
  | { readonly kind: "cutStream"; readonly item: ScriptedTurn; readonly afterChunks: number }
  | { readonly kind: "malformedChunk"; readonly item: ScriptedTurn }
  | { readonly kind: "cutByLength"; readonly item: ScriptedTurn }
  | { readonly kind: "refusal"; readonly text: string };

/**
 * The provider says that too many requests came: 429.
 *
 * @param options.retryAfterSeconds - Sent as `retry-after`. Absent: no such header.
 */
export function rateLimited(options: { retryAfterSeconds?: number } = {}): Fault {
  requireOptions(options, { retryAfterSeconds: AMOUNT }, "rateLimited()");
  const { retryAfterSeconds } = options;
  return fault({ kind: "rateLimited", ...(retryAfterSeconds !== undefined && { retryAfterSeconds }) });
}

/** The provider has no capacity left: 529. */
export function overloaded(): Fault {
  return fault({ kind: "overloaded" });
}

/** The provider fails inside: 500. */
export function serverError(): Fault {
  return fault({ kind: "serverError" });
}

/** The provider never answers. Only the loop's own timeout or abort ends the call. */
export function hangs(): Fault {
  return fault({ kind: "hangs" });
}

/**
 * The connection breaks while the turn is streamed.
 *
 * @param item - The turn that is cut.
 * @param options.afterChunks - Chunks that arrive before the cut. Default 1.
 */
export function cutStream(item: ScriptedTurn, options: { afterChunks?: number } = {}): Fault {
  requireOptions(options, { afterChunks: COUNT }, "cutStream()");
  const { afterChunks = 1 } = options;
  return fault({ kind: "cutStream", item, afterChunks });
}

/** One chunk of the streamed turn, or the body of an answer that is not streamed, is no JSON. */
export function malformedChunk(item: ScriptedTurn): Fault {
  return fault({ kind: "malformedChunk", item });
}

/** The turn reaches the output limit and stops in the middle, of its arguments too. */
export function cutByLength(item: ScriptedTurn): Fault {
  return fault({ kind: "cutByLength", item });
}

/** The model declines to answer, in the provider's own form, with these words. */
export function refusal(text: string): Fault {
  return fault({ kind: "refusal", text });
}

const COUNT: OptionKind = {
  wanted: "a whole number",
  holds: (value) => Number.isInteger(value) && (value as number) >= 0,
};
const AMOUNT: OptionKind = {
  wanted: "a number of seconds",
  holds: (value) => typeof value === "number" && value >= 0 && value < Number.POSITIVE_INFINITY,
};

export function isFault(value: unknown): value is Fault {
  return typeof value === "object" && value !== null && FAULT in value;
}

/** The HTTP status a fault arrives under. 200 where the answer began well; none where there is no answer. */
export function statusOf(fault: Fault): number | undefined {
  switch (fault.kind) {
    case "rateLimited":
      return 429;
    case "overloaded":
      return 529;
    case "serverError":
      return 500;
    case "hangs":
      return undefined;
    default:
      return 200;
  }
}

function fault(data: FaultData): Fault {
  return Object.freeze({ [FAULT]: true as const, ...data });
}
