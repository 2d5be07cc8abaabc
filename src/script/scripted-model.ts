import { type Mock, vi } from "vitest";
import { UsageError } from "../errors.js";
import { isRecord, oneLine } from "../json.js";
import { SPOKEN } from "../transcript/spoken.js";
import { answer, requestOf } from "./model-function.js";
import type { Repeat } from "./repeat.js";
import { snapshot } from "./snapshot.js";
import type { CallTerms, Model, ModelCallOptions, ModelRequest, ScriptedModel, ScriptItem, Spoken } from "./types.js";
import { verifyWithTest } from "./verification.js";
import { Voice } from "./voice.js";

const ASK = Symbol.for("vitest-tool-loop/ask");
const VERIFY = Symbol.for("vitest-tool-loop/verify");

/**
 * A model that says what the script says, in order, and remembers what it was asked.
 *
 * Hand it to the loop as its model function, or serve it over HTTP or through an adapter. Made while a test runs, it
 * is verified when that test ends: turns left over and calls past the end fail the test, even if the loop swallowed the
 * error. Use {@link scriptedModel.lenient} for a script that need not be spoken to its end. Of a model made
 * outside of tests only what a function of the script throws fails the test that called it: see `verify()`.
 *
 * @throws {UsageError} when the script is empty, holds something that cannot be spoken, or an endless repeat that is
 * not last; with the position of the item. In a test without the setup line.
 * @example const model = scriptedModel(toolCall("get_weather", { city: "Paris" }), "It is 14 degrees in Paris.");
 */
// biome-ignore lint/suspicious/noExplicitAny: see Model.
export function scriptedModel<M = any>(...script: (ScriptItem<M> | Repeat<M>)[]): ScriptedModel<M> {
  const { model, voice } = create<M>(script);
  verifyWithTest(voice, scriptedModel);
  return model;
}

/**
 * A scripted model that need not be spoken to its end: turns may be left over, and calls past the end fail only the
 * loop. Otherwise like {@link scriptedModel}: what a function of the script throws, a failed `expect` above all, still
 * fails the test. `verify()` checks everything.
 */
scriptedModel.lenient = lenient;

// biome-ignore lint/suspicious/noExplicitAny: see Model.
function lenient<M = any>(...script: (ScriptItem<M> | Repeat<M>)[]): ScriptedModel<M> {
  const { model, voice } = create<M>(script, "refusals");
  verifyWithTest(voice, lenient, "refusals");
  return model;
}

/** Whether a value is a model made by {@link scriptedModel}. */
export function isScriptedModel(value: unknown): value is ScriptedModel {
  return typeof value === "function" && ASK in value;
}

/**
 * Asks a scripted model through a seam of its own, with all that the request carries there.
 *
 * The call counts as any other: it is in `requests`, in `seen`, and among the calls of the Vitest mock.
 *
 * @returns The turn, fault or error as data; it never rejects.
 */
export function speak(model: ScriptedModel, request: ModelRequest, terms?: CallTerms): Promise<Spoken> {
  return (model as unknown as { [ASK](request: ModelRequest, terms?: CallTerms): Promise<Spoken> })[ASK](
    request,
    terms,
  );
}

/**
 * Makes the running test answer for a model that is handed to a seam in it, wherever the model was made: for its script
 * (unless it is lenient), and for calls that the seam refuses.
 *
 * @param by - The function the developer called.
 */
export function verifyWhereServed(model: ScriptedModel, by: (...args: never[]) => unknown): void {
  (model as unknown as { [VERIFY](by: (...args: never[]) => unknown): void })[VERIFY](by);
}

function create<M>(script: readonly unknown[], verified: "script" | "refusals" = "script") {
  const voice = new Voice(script);
  // Set while `ask` calls the mock: what comes in and goes out there is more than a model function can carry.
  let asking: Asking | undefined;

  const mock: Mock<Model<M>> = vi.fn((messages: M[], options?: ModelCallOptions) => {
    verifyWithTest(voice, mock, "refusals");
    if (!Array.isArray(messages)) return Promise.reject(voice.remember(notMessages(messages)));
    const spoken = voice.say(asking?.request ?? requestOf(messages, options), mock, asking?.terms);
    if (asking !== undefined) asking.spoken = spoken;
    keepCopies(mock.mock.calls.at(-1)!, voice.requests.at(-1)!);
    return answer(spoken, voice.requests.at(-1)!.signal);
  });
  mock.mockName("scriptedModel");

  async function ask(request: ModelRequest, terms?: CallTerms): Promise<Spoken> {
    const options = optionsOf(request);
    const current: Asking = { request, terms, spoken: undefined };
    asking = current;
    const answered = (async () => mock(request.messages as M[], ...(options === undefined ? [] : [options])))();
    asking = undefined;
    // Whoever asks gets what is spoken, as data.
    answered.catch(() => {});
    // What is spoken is undefined where the test gave the mock another implementation: then its answer is what was said.
    return current.spoken ?? voice.say(request, mock, terms, answered);
  }

  const model = Object.defineProperties(mock, {
    [ASK]: { value: ask },
    [VERIFY]: { value: (by: () => unknown) => verifyWithTest(voice, by, verified) },
    [SPOKEN]: { value: () => voice.conversation },
    seen: { value: voice.seen },
    requests: { value: voice.requests },
    turns: { get: () => voice.turns },
    remaining: { get: () => voice.remaining },
    overruns: { get: () => voice.overruns },
    verify: {
      value() {
        const problem = voice.misuses[0] ?? voice.leftover();
        if (problem !== undefined) throw problem;
      },
    },
  }) as unknown as ScriptedModel<M>;
  return { model, voice };
}

/** A call through a seam of its own, while the mock is called for it. */
interface Asking {
  readonly request: ModelRequest;
  readonly terms: CallTerms | undefined;
  spoken: Promise<Spoken> | undefined;
}

function optionsOf({ tools, settings, signal }: ModelRequest): ModelCallOptions | undefined {
  const options = { ...(tools && { tools }), ...(settings && { settings }), ...(signal && { signal }) };
  return Object.keys(options).length === 0 ? undefined : options;
}

/** The mock keeps the arguments themselves; the loop goes on to change them. */
function keepCopies(args: unknown[], request: ModelRequest): void {
  if (args.length > 1) args[1] = snapshot(args[1], undefined, "keep");
  Object.defineProperty(args, 0, { get: () => request.messages, enumerable: true, configurable: true });
}

function notMessages(found: unknown): UsageError {
  const isPromise = isRecord(found) && typeof found.then === "function";
  return new UsageError(
    `The scripted model was called without messages: expected an array, found ${isPromise ? "a promise" : oneLine(found)}. ` +
      (isPromise
        ? "Await it before the call."
        : "A model function takes the messages first: model(messages, options)."),
  );
}
