import type { AssistantTurn } from "./turn.js";

/** One request a scripted model was asked with, as far as reading it goes. */
export interface SpokenRequest {
  readonly messages: readonly unknown[];
  readonly system?: string;
  readonly tools?: readonly { readonly name: string; readonly description?: string; readonly schema?: unknown }[];
  readonly settings?: Readonly<Record<string, unknown>>;
  readonly dialect?: string;
  /** The request as it stood on the wire, where the seam has one. */
  readonly body?: unknown;
  /** What the model answered; undefined where the call rejected. */
  readonly turn?: AssistantTurn;
}

/** What a scripted model saw and said, for whoever reads it without knowing scripts. */
export interface SpokenConversation {
  readonly requests: readonly SpokenRequest[];
  /** All turns it spoke, in order. */
  readonly turns: readonly AssistantTurn[];
  /** Calls past the end of the script. */
  readonly overruns: number;
  /** Scripted turns not yet spoken. */
  readonly remaining: number;
  /** Turns it still has to speak: those left over, and one for an endless repeat never spoken. */
  readonly owed: number;
  /** The first turn of the script, as text: what tells one script from another. */
  readonly opening: string;
  /** The script as numbered text, `>` at what it still owes. */
  script(): string;
}

/** The key under which a scripted model answers with its {@link SpokenConversation}. A symbol: two copies may be loaded. */
export const SPOKEN: unique symbol = Symbol.for("vitest-tool-loop/spoken") as never;

/** What a value saw and said, if it is a scripted model. */
export function spokenBy(value: unknown): SpokenConversation | undefined {
  if ((typeof value !== "function" && typeof value !== "object") || value === null) return undefined;
  const speak = (value as { [SPOKEN]?: () => SpokenConversation })[SPOKEN];
  return typeof speak === "function" ? speak.call(value) : undefined;
}
