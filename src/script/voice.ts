import {
  ImpossibleTurnError,
  RunawayLoopError,
  ScriptExhaustedError,
  ScriptLeftoverError,
  type ToolLoopError,
  UsageError,
} from "../errors.js";
import { oneLine } from "../json.js";
import { formatMessages } from "../report/index.js";
import type { SpokenConversation } from "../transcript/spoken.js";
import type { AssistantTurn } from "../transcript/turn.js";
import { CallIds } from "./call-ids.js";
import { problemOf } from "./demands.js";
import { type FunctionItem, type Item, readItem, type TurnItem } from "./item.js";
import { snapshotLiveMessage } from "./live-message.js";
import { MessageLog } from "./message-log.js";
import { printItem, printScript } from "./print.js";
import { SAFETY_LIMIT } from "./repeat.js";
import { isLeftover, type Line, owedBy, Script } from "./script.js";
import { hang, orAborted } from "./signal.js";
import { copyOut, snapshot } from "./snapshot.js";
import type { CallTerms, ModelRequest, Spoken } from "./types.js";

/** A function that returns a function may go on for ever, and no timeout would end it. */
const MOST_FUNCTIONS = 10;

type Callable = (...args: never[]) => unknown;

/** Speaks a script to whoever calls, through whatever seam, and remembers every call. */
export class Voice {
  readonly requests: ModelRequest[] = [];
  readonly seen: (readonly unknown[])[] = [];
  overruns = 0;
  /**
   * Calls that got an error because no model could have been asked or have answered so, or because a function of the
   * script threw: most likely an assertion in it.
   */
  readonly refusals: Error[] = [];
  /** What went wrong in calls: remembered, because a loop may swallow the error it got. */
  readonly misuses: Error[] = [];
  readonly #script: Script;
  readonly #log = new MessageLog<unknown>(snapshotLiveMessage);
  readonly #ids = new CallIds();
  /** By call; a hole where it spoke none. */
  readonly #turns: AssistantTurn[] = [];
  /** Calls that got no answer from the script. */
  #refused = 0;

  /** @throws {UsageError} when the script cannot be spoken. */
  constructor(items: readonly unknown[]) {
    this.#script = new Script(items);
    for (const line of this.#script.lines) this.#ids.reserve(line.item);
  }

  get turns(): readonly AssistantTurn[] {
    return Object.values(this.#turns);
  }

  /** What it saw and said, for whoever reads it as a conversation. */
  get conversation(): SpokenConversation {
    const requests = this.requests.map((request, call) => {
      const turn = this.#turns[call];
      return turn === undefined ? request : { ...request, turn };
    });
    const { lines, remaining } = this.#script;
    return {
      requests,
      turns: this.turns,
      overruns: this.overruns,
      remaining,
      owed: lines.reduce((sum, line) => sum + owedBy(line), 0),
      opening: printItem(lines[0]!.item),
      script: () => printScript(lines, (line) => owedBy(line) > 0),
    };
  }

  get remaining(): number {
    return this.#script.remaining;
  }

  /** The turns never spoken, as an error. */
  leftover(test?: string): ScriptLeftoverError | undefined {
    const left = this.#script.leftover;
    if (left === 0) return undefined;
    const script = printScript(this.#script.lines, isLeftover);
    return new ScriptLeftoverError({ ...(test !== undefined && { test }), calls: this.requests.length, left, script });
  }

  /** Keeps an error that the test has to know of even if the loop swallows it. */
  remember<E extends Error>(error: E): E {
    this.misuses.push(error);
    return error;
  }

  /**
   * Records one call and answers it. Its place in the script is taken at once, so concurrent calls are answered in the
   * order they were made.
   *
   * @param calledAs - The function that was called: an error about the call points at its caller.
   * @param instead - What is said in place of the script, where the test gave the mock another implementation.
   */
  async say(
    live: ModelRequest,
    calledAs: Callable,
    { refusal, demands }: CallTerms = {},
    instead?: Promise<unknown>,
  ): Promise<Spoken> {
    const request = this.#record(live);
    const call = this.requests.length - 1;
    const { signal } = request;
    // A request that was aborted before it left never reaches a model: it takes no turn.
    if (signal?.aborted) return { kind: "error", error: signal.reason };
    try {
      if (refusal !== undefined) {
        if (++this.#refused > SAFETY_LIMIT) return await hang(signal);
        throw this.#refuse(refusal);
      }
      const line = instead ? await this.#readInstead(instead) : this.#take(request, calledAs);
      if (line === undefined) return await hang(signal);
      const item = await orAborted(signal, this.#resolve(line.item, line.at, request));
      const spoken = this.#speak(item, line.at);
      const problem = demands && spoken.kind !== "error" && problemOf(spoken, request, demands);
      if (problem) throw this.#refuse(new ImpossibleTurnError(problem, line.at));
      if (spoken.kind === "turn") this.#turns[call] = snapshot(spoken.turn);
      return spoken;
    } catch (error) {
      return { kind: "error", error, unscripted: signal?.aborted !== true };
    }
  }

  #record(live: ModelRequest): ModelRequest {
    const previous = this.requests.at(-1);
    const messages = { get: this.#log.add(live.messages), enumerable: true };
    const request: Partial<Record<keyof ModelRequest, unknown>> = Object.defineProperty({}, "messages", messages);
    for (const [key, value] of Object.entries(live) as [keyof ModelRequest, unknown][]) {
      // Schema objects keep their identity: registries know them by it.
      if (key !== "messages" && value !== undefined) request[key] = snapshot(value, previous?.[key], "keep");
    }
    const recorded = Object.freeze(request) as ModelRequest;
    this.requests.push(recorded);
    Object.defineProperty(this.seen, this.seen.length, messages);
    return recorded;
  }

  /** A rejection is what the model fails with, as an `Error` in the script is. */
  async #readInstead(answer: Promise<unknown>): Promise<Pick<Line, "item" | "at">> {
    const at = "what the mock's own implementation answered";
    const said = await answer.catch((error: unknown) => (error instanceof Error ? error : new Error(String(error))));
    try {
      return { item: readItem(said, at), at };
    } catch (error) {
      throw this.remember(this.#refuse(error as ToolLoopError));
    }
  }

  /** The line to speak. Undefined for a loop that was refused so often that it must not be answered any more. */
  #take(request: ModelRequest, calledAs: Callable): Line | undefined {
    const line = this.#script.next();
    if (line !== undefined && line.spoken < line.safetyLimit) {
      line.spoken++;
      return line;
    }
    this.#refused++;
    if (line === undefined) this.overruns++;
    // A loop that swallows the error and asks again at once would never let its test time out.
    if (this.#refused > SAFETY_LIMIT) return undefined;
    const evidence = { script: printScript(this.#script.lines), sent: formatMessages(request.messages) };
    const error =
      line === undefined
        ? new ScriptExhaustedError(this.requests.length, this.#script.turns, evidence)
        : new RunawayLoopError(line.at, line.safetyLimit, evidence);
    Error.captureStackTrace?.(error, calledAs);
    throw this.remember(error);
  }

  async #resolve(item: Item, at: string, request: ModelRequest, depth = 0): Promise<Exclude<Item, FunctionItem>> {
    if (item.kind !== "function") return item;
    if (depth === MOST_FUNCTIONS) {
      const found = `found ${depth} functions, each returned by the one before`;
      throw this.remember(
        new UsageError(
          `The script cannot be spoken: expected ${/script\[\d+\]/.exec(at)?.[0]} to return a turn, ${found}. Does it return itself?`,
        ),
      );
    }
    const answer = await this.#ask(item, at, request);
    const answerAt = `what ${at} returned`;
    let returned: Item;
    try {
      returned = readItem(answer, answerAt);
    } catch (error) {
      throw this.remember(error as ToolLoopError);
    }
    this.#ids.reserve(returned);
    return this.#resolve(returned, answerAt, request, depth + 1);
  }

  async #ask(item: FunctionItem, at: string, request: ModelRequest): Promise<unknown> {
    try {
      return await item.ask(request.messages, request);
    } catch (thrown) {
      if (request.signal?.aborted) throw thrown;
      if (thrown instanceof Error) throw this.remember(this.#refuse(thrown));
      const error = new UsageError(
        `A function of the script failed: expected it to return what the model says, found that it threw ${oneLine(thrown)}, at ${at}. ` +
          "To reject the call on purpose, return an Error.",
        { at, cause: thrown },
      );
      throw this.remember(this.#refuse(error));
    }
  }

  #speak(item: Exclude<Item, FunctionItem>, at: string): Spoken {
    if (item.kind === "error") return item;
    if (item.kind !== "fault") return { kind: "turn", ...this.#assemble(item) };
    const { fault, item: broken } = item;
    return { kind: "fault", fault, at, ...(broken !== undefined && this.#assemble(broken)) };
  }

  #refuse<E extends Error>(error: E): E {
    this.refusals.push(error);
    return error;
  }

  /** A turn as it leaves: the receiver may change it. */
  #assemble(item: TurnItem): { turn: AssistantTurn; unchecked: ReadonlySet<string> } {
    const unchecked = new Set<string>();
    if (item.kind === "verbatim") return { turn: copyOut(item.turn), unchecked };
    const { content } = item;
    const extras = copyOut(item.extras);
    if (item.calls.length === 0) return { turn: { kind: "text", content: content ?? "", ...extras }, unchecked };
    const calls = item.calls.map((draft) => {
      const id = this.#ids.give(draft);
      if (draft.unchecked) unchecked.add(id);
      return { id, name: draft.name, arguments: draft.arguments };
    });
    return { turn: { kind: "tool_calls", calls, ...(content !== undefined && { content }), ...extras }, unchecked };
  }
}
