/**
 * The neutral reading of a developer's messages. No provider word appears here.
 *
 * `at` is the hinge: every message and part carries its path in the developer's own value, and whoever words a failure
 * prints it instead of rebuilding it.
 */
export interface Transcript {
  /** The dialect it was read from: what that dialect alone knows can be written back only there. */
  readonly dialect: string;
  readonly messages: readonly TranscriptMessage[];
}

export type Role = "system" | "developer" | "user" | "assistant" | "tool" | (string & {});

/** One entry of the conversation. An assistant entry is a turn; results stand in `tool` or in `user` entries. */
export interface TranscriptMessage {
  readonly role: Role;
  /** `messages[2]`. Where a dialect spreads one turn over several items, the path of the first. */
  readonly at: string;
  readonly parts: readonly Part[];
  /** The developer's own value, never copied and never changed. */
  readonly wire: unknown;
}

export type Part =
  | TextPart
  | ReasoningPart
  | CallPart
  | ResultPart
  | MediaPart
  | RefusalPart
  | ServerCallPart
  | ServerResultPart
  | UnknownPart;

interface PartBase {
  /** `messages[2].content[0]`. */
  readonly at: string;
  readonly wire: unknown;
}

export interface TextPart extends PartBase {
  readonly kind: "text";
  readonly text: string;
}

/** What the model thought, with the signature that must be sent back untouched; `redacted` holds it encrypted. */
export interface ReasoningPart extends PartBase {
  readonly kind: "reasoning";
  readonly text: string;
  readonly signature?: string;
  readonly redacted?: string;
}

export interface MediaPart extends PartBase {
  readonly kind: "image" | "document" | "audio";
  /** Its address, `data:` addresses included; undefined where the wire holds it another way. */
  readonly url?: string;
}

export interface RefusalPart extends PartBase {
  readonly kind: "refusal";
  readonly text: string;
}

/** A call that the provider runs itself: nothing for the loop to answer. */
export interface ServerCallPart extends PartBase {
  readonly kind: "server-call";
  readonly id: string;
  readonly name: string;
  readonly input: unknown;
}

export interface ServerResultPart extends PartBase {
  readonly kind: "server-result";
  readonly callId: string;
  readonly result: unknown;
}

/** A block of a type this package does not know. It is kept, shown, and never a violation by itself. */
export interface UnknownPart extends PartBase {
  readonly kind: "unknown";
  readonly type: string;
}

/** The answer to a call. */
export interface ResultPart extends PartBase {
  readonly kind: "result";
  /** The role of the message it stands in. */
  readonly role: Role;
  /** The id it answers; undefined where the wire has none or something that is no string. */
  readonly callId: string | undefined;
  readonly name?: string | undefined;
  /** Text, or parts, or undefined where the wire has no content; `malformed` where it is none of these. */
  readonly content: string | readonly Part[] | undefined;
  /** The content as it stands in the developer's message. */
  readonly raw: unknown;
  /** The content is of a type that no tool result may have. */
  readonly malformed?: boolean;
  /** By the dialect's own flag; undefined where the dialect has none or it is not set. */
  readonly isError?: boolean | undefined;
}

/** A tool call the loop has to answer. */
export interface CallPart extends PartBase {
  readonly kind: "call";
  /** `""` where the wire has none. */
  readonly id: string;
  readonly name: string;
  /** JSON text, as written where the wire holds text. */
  readonly arguments: string;
  /** The parsed arguments, or why they cannot be parsed. Absent and empty text mean `{}`, as models send it. */
  readonly parsed: CallArguments;
  /** The input is free text, not JSON. */
  readonly custom?: boolean;
}

export type CallArguments =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly offset: number; readonly reason: string };
