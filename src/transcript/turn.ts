/** One tool call as a model asks for it. */
export interface ToolCall {
  readonly id: string;
  readonly name: string;
  /** JSON text exactly as the model wrote it; it may be malformed. */
  readonly arguments: string;
}

/** A call the provider runs itself, with the result it put beside it. */
export interface ServerToolCall extends ToolCall {
  readonly result?: unknown;
}

/**
 * Why a response ended, in one vocabulary for all providers.
 *
 * `cut` means that the stream ended without saying that it was done.
 */
export type FinishReason = "stop" | "tool_calls" | "length" | "content_filter" | "refusal" | "cut";

/** Token counts of one response, as the provider bills them. */
export interface Usage {
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly cachedInputTokens?: number;
}

/** What a turn may carry beside its words and calls. */
export interface TurnExtras {
  readonly reasoning?: string | { readonly text: string; readonly signature?: string };
  readonly serverCalls?: ServerToolCall[];
  readonly usage?: Usage;
  readonly finish?: FinishReason;
}

/** A turn that only speaks. */
export type TextTurn = { readonly kind: "text"; readonly content: string } & TurnExtras;

/** A turn that asks for tools, with or without words beside the calls. */
export type ToolCallsTurn = {
  readonly kind: "tool_calls";
  // A mutable array, so that a turn fits the loop's own type, which rarely says `readonly`.
  readonly calls: ToolCall[];
  readonly content?: string;
} & TurnExtras;

/** What a model said in one response: the unit that scripts speak and accumulators fold into. */
export type AssistantTurn = TextTurn | ToolCallsTurn;
