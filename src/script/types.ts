import type { Mock } from "vitest";
import type { Dialect } from "../dialects/dialect.js";
import type { ToolLoopError } from "../errors.js";
import type { AssistantTurn } from "../transcript/turn.js";
import type { Fault, ScriptedTurn } from "./faults.js";

/**
 * The seam a loop is written against: messages in, one assistant turn out.
 *
 * `M` is the loop's own message type; the script never looks into a message.
 */
// biome-ignore lint/suspicious/noExplicitAny: a loop's own message type flows through; without one anything goes.
export type Model<M = any> = (messages: M[], options?: ModelCallOptions) => Promise<AssistantTurn>;

/** What a loop may pass beside the messages. All of it is recorded; the signal is honoured too. */
export interface ModelCallOptions {
  /** The tools offered: a list, or a record by name, in whatever form the loop keeps them. */
  tools?: unknown;
  signal?: AbortSignal;
  settings?: Record<string, unknown>;
}

/** One tool as it was offered to the model. */
export interface OfferedTool {
  readonly name: string;
  readonly description?: string;
  /** The schema of its arguments, as the loop passed it: JSON Schema, or a schema object. */
  readonly schema?: unknown;
}

/** One call of the model, as it stood at that moment. What a seam does not carry is absent. */
// biome-ignore lint/suspicious/noExplicitAny: see Model.
export interface ModelRequest<M = any> {
  /** A snapshot: what the loop does to its messages later does not reach it. */
  readonly messages: readonly M[];
  readonly tools?: readonly OfferedTool[];
  readonly system?: string;
  readonly model?: string;
  readonly toolChoice?: unknown;
  readonly settings?: Readonly<Record<string, unknown>>;
  readonly signal?: AbortSignal;
  readonly dialect?: Dialect;
  /** The request as it stood on the wire, where the seam has one. */
  readonly body?: unknown;
}

/**
 * One entry of a script: what the model says, or how it fails, when its turn comes.
 *
 * A string is a text turn, a `toolCall(…)` a turn with one call, an array of them a turn with parallel calls.
 * An `Error` or a fault rejects the call. A function decides at the moment of the call, from the messages it
 * was called with, and may return any of these, or a promise of one. What it throws is no part of the script: the call is
 * rejected with it, and the test fails with it even if the loop swallows it, so a function may hold an `expect`. To
 * reject the call on purpose it returns the `Error`.
 */
// biome-ignore lint/suspicious/noExplicitAny: see Model.
export type ScriptItem<M = any> =
  | ScriptedTurn
  | Error
  | Fault
  | ((messages: readonly M[], request: ModelRequest<M>) => ScriptItem<M> | Promise<ScriptItem<M>>);

/** A model that speaks a script and remembers what it was asked. It is a Vitest mock as well. */
// biome-ignore lint/suspicious/noExplicitAny: see Model.
export interface ScriptedModel<M = any> extends Mock<Model<M>> {
  /** The messages of call 0, 1, …, as they were at that moment. It grows as the loop goes on. */
  readonly seen: readonly (readonly M[])[];
  /** `seen`, and what else each call brought. */
  readonly requests: readonly ModelRequest<M>[];
  /** The turns spoken so far, in the order of the calls. A call that rejected spoke none; it is in `requests`. */
  readonly turns: readonly AssistantTurn[];
  /** Turns of the script not yet spoken; errors and faults are turns too. `Infinity` with an endless repeat. */
  readonly remaining: number;
  /** Calls past the end of the script, those whose error the loop swallowed included. */
  readonly overruns: number;
  /**
   * Checks that the script was spoken to its end and not beyond. It runs by itself at the end of the test in which the
   * model was made; call it for a model made at module level or in `beforeAll`.
   *
   * @throws {ScriptExhaustedError} when the model was called past the end of the script.
   * @throws {RunawayLoopError} when an endless repeat was spoken more often than its safety limit.
   * @throws {ScriptLeftoverError} when turns were never spoken.
   */
  verify(): void;
}

/** What a seam knows about a call beside the request. */
export interface CallTerms {
  /** Why the call is refused before the script is asked: it is recorded, and takes no turn. */
  readonly refusal?: ToolLoopError;
  /** What the request demands of the turn. With it, calls are held against the tools offered too. */
  readonly demands?: Demands;
}

/** What a request demands of the turn that answers it. */
export interface Demands {
  /** `none`: no call. `required`: some call. A name: that tool and no other. */
  readonly choice: "auto" | "none" | "required" | { readonly name: string };
  /** `false`: at most one call. */
  readonly parallelCalls: boolean;
}

/**
 * What the model answers to one call, as data: every seam puts it in its own form.
 *
 * `unchecked` holds the ids of calls made with `toolCall.unchecked`.
 */
export type Spoken =
  | { readonly kind: "turn"; readonly turn: AssistantTurn; readonly unchecked: ReadonlySet<string> }
  | {
      readonly kind: "fault";
      readonly fault: Fault;
      /** Where it stands in the script. */
      readonly at: string;
      /** The turn the fault spoils, whole. */
      readonly turn?: AssistantTurn;
      readonly unchecked?: ReadonlySet<string>;
    }
  | {
      readonly kind: "error";
      /** The call fails with this very value. */
      readonly error: unknown;
      /** It is news for the test, and neither scripted nor an abort: nobody may try the call again. */
      readonly unscripted?: boolean;
    };
