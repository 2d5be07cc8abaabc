import type { OfferedTool, Rule, Violation } from "../rules/rule.js";
import type { PairingOptions } from "../transcript/pairing.js";
import type { AssistantTurn } from "../transcript/turn.js";
import type { Transcript } from "../transcript/types.js";

/** The wire formats; many providers speak `openai-chat`. The open end is for registered ones. */
export type Dialect =
  | "openai-chat"
  | "openai-responses"
  | "anthropic"
  | "gemini"
  | "bedrock"
  | "mistral"
  | "cohere"
  | "ollama"
  | "ai-sdk"
  | "langchain"
  | "openai-agents"
  | "pi"
  | "tanstack-ai"
  | (string & {});

/**
 * Whether messages are in a dialect. `yes`: something in them is unmistakable. `maybe`: nothing speaks against it, and
 * nothing tells it from others. `no`: something in them cannot be in this dialect.
 */
export type Detection = "yes" | "maybe" | "no";

/** A result as a loop would hand it over, before it has a wire shape. */
export interface ToolResult {
  readonly callId: string;
  readonly name?: string;
  /** What the tool returned. A string is sent as it is, anything else as JSON. */
  readonly value: unknown;
  readonly isError?: boolean;
}

/** Something a dialect has no place for, left out when a transcript was written in it. */
export interface Loss {
  /** Where it stood. */
  readonly at: string;
  /** What it was: `reasoning`, `cache_control`. */
  readonly what: string;
}

/** What a provider's request body holds, read for the scripted model. */
export interface WireRequest {
  /** As they stand in the body; those of a request that `continues` are only the new ones. */
  readonly messages: readonly unknown[];
  /** System text, where the dialect keeps it outside the messages. */
  readonly system?: string;
  readonly tools?: readonly OfferedTool[];
  readonly model?: string;
  /** As it stands in the body; `choice` is its reading. */
  readonly toolChoice?: unknown;
  /** All other fields of the body. */
  readonly settings: Readonly<Record<string, unknown>>;
  readonly streaming: boolean;
  /** What the request demands of the turn. `none`: no call. `required`: some call. A name: that tool and no other. */
  readonly choice: "auto" | "none" | "required" | { readonly name: string };
  /** `false`: at most one call in the turn. */
  readonly parallelCalls: boolean;
  /** Whether the model is made to think before each turn; undefined where the request leaves it open. */
  readonly thinking?: boolean;
  /** The provider is to hold the conversation, under the id of its response. */
  readonly held: boolean;
  /** The conversation the provider holds that this request goes on with: the id of its last response. */
  readonly continues?: string;
}

/** What a response needs beside the turn. */
export interface ResponseMeta {
  /** Unique for each response. Without a prefix: a dialect puts its own before it. */
  readonly id: string;
  /** The model asked for. */
  readonly model: string;
  /** Seconds since 1970. */
  readonly created: number;
  /** Those of the request: some decide what a stream holds. */
  readonly settings: Readonly<Record<string, unknown>>;
}

/** A response as its provider writes it. */
export interface WireResponse {
  /** The id by which a later request can continue the conversation. */
  readonly id: string;
  readonly body: unknown;
}

/** A streamed response as its provider writes it. */
export interface WireStream {
  readonly id: string;
  /** The text of the body, one entry for each chunk: framed, in order, its end included. */
  readonly chunks: readonly string[];
}

/** One address of a provider's API, and how its bodies are read and written. */
export interface Endpoint {
  /** How sentences name it: `POST …/chat/completions`. */
  readonly route: string;
  /** Whether a URL path asks for this endpoint. */
  matches(path: string): boolean;
  /**
   * @throws {UsageError} when the body is no request of this dialect.
   */
  readRequest(body: Readonly<Record<string, unknown>>, path: string): WireRequest;
  /**
   * The whole of a request that continues a conversation the provider holds. Needed where requests can do that.
   *
   * @param held - The request answered last, its messages and the answer included.
   */
  join?(held: WireRequest, request: WireRequest): WireRequest;
  /** A whole, unstreamed response. */
  writeResponse(turn: AssistantTurn, meta: ResponseMeta): WireResponse;
  /** The same as a stream of server-sent events. A turn that finishes as `cut` has no end. */
  writeStream(turn: AssistantTurn, meta: ResponseMeta): WireStream;
}

/** Why an API answers with an error instead of a turn. */
export interface Refusal {
  readonly reason: "invalid-request" | "unknown-conversation" | "rate-limited" | "overloaded" | "server-error";
  /** Default: what the provider says in such a case. */
  readonly message?: string;
  /** The rule the request broke, where it is that. */
  readonly violation?: Violation;
}

/** An error as its provider writes it. */
export interface WireError {
  readonly status: number;
  readonly body: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Everything this package knows about one wire format. A new one is a folder like its siblings and a line in `index.ts`. */
export interface DialectDefinition<Wire = readonly unknown[]> {
  readonly name: Dialect;
  /** What failure messages call the provider's API: `OpenAI Chat Completions`. Default: the name. */
  readonly title?: string;
  /** Cheap, total, never throws. */
  detect(value: unknown): Detection;
  /**
   * Reads messages into the neutral model.
   *
   * @param at - The path of `value` in what the developer passed; `"messages"` by default.
   * @throws {UsageError} at the position of an entry that cannot be read as a message at all.
   */
  read(value: Wire, at?: string): Transcript;
  /** Writes every role, so that a conversation can be converted; what does not fit is listed, never dropped silently. */
  write(transcript: Transcript): { readonly messages: readonly unknown[]; readonly lost: readonly Loss[] };
  /** What a loop appends for a turn: one message, or a list of them. */
  writeTurn(turn: AssistantTurn): unknown;
  /** What a loop appends to answer a turn: one message, or a list; parallel results in one where the dialect wants it. */
  writeResults(results: readonly ToolResult[]): unknown;
  /** How to copy a live message; messages that are plain data need none. */
  snapshot?(message: unknown): unknown;
  readonly pairing?: PairingOptions;
  /** The most telling rule first: where several rules see one fault, the first names it. */
  readonly rules: readonly Rule[];
  /** The backends behind the dialect whose own rules are among these. Default: any name is taken. */
  readonly profiles?: readonly string[];
  /** Whether results carry a flag for failure. Default: false. */
  readonly hasErrorFlag?: boolean;
  readonly endpoints?: readonly Endpoint[];
  /** The provider's own way to say no. Every dialect with endpoints has it. */
  writeError?(refusal: Refusal): WireError;
}
