import { z } from "zod";
import { defineTool, runTool } from "../../src/index.js";
import type { matchers } from "../../src/matchers/index.js";
import { scriptedModel, toolCall } from "../../src/script/index.js";
import { answers, asks, spokenModel, twoCities, weather, written } from "../support/conversations.js";
import { everyRun } from "../support/runs.js";

/** What every matcher of the package is tried on. */
export interface MatcherCase {
  readonly args: readonly unknown[];
  /** A subject that passes, in a dialect. */
  holds(dialect: string): unknown;
  /** A subject of the right kind that fails. */
  fails(dialect: string): unknown;
  /** Where values are compared: what passes only when the test's own testers take upper and lower case for equal. */
  readonly caseless?: { readonly subject: unknown; readonly args: readonly unknown[] };
  /** Subjects, of those that no matcher takes, that this one does. */
  readonly takes?: readonly string[];
  /** Where it takes an object with named fields: the arguments before it, and one of the names, misspelt. */
  readonly options?: { readonly before: readonly unknown[]; readonly misspelt: string; readonly meant: string };
}

const silent = (dialect: string) => written(dialect, { user: "hi" }, { says: "hello" });
const unanswered = (dialect: string) => weather(dialect).slice(0, 2);

/** The messages of {@link weather}, but for an answer that failed. */
function failed(dialect: string): unknown[] {
  const [user, call] = weather(dialect);
  return [user, call, ...written(dialect, { results: [answers("call_1", "Unknown city", true)] })];
}

async function offering(...tools: object[]) {
  const model = scriptedModel.lenient("hello");
  await model([{ role: "user", content: "hi" }], { tools });
  return model;
}

/** A run that wrote nothing. */
function silentRun(): Promise<unknown> {
  return runTool(defineTool({ name: "silent", inputSchema: z.object({}), execute: () => "done" }), { input: {} });
}

/** Equals any message, without `expect`: this file is read where no test runs. */
const ANY = { asymmetricMatch: () => true, toString: () => "Any", $$typeof: Symbol.for("jest.asymmetricMatcher") };

/** One entry for each matcher: a new one does not compile, nor pass the contract, without it. */
export const cases: Record<keyof typeof matchers, MatcherCase> = {
  toBeAcceptedBy: {
    options: { before: ["anthropic"], misspelt: "stirct", meant: "strict" },
    args: ["anthropic"],
    // The dialect is an argument, so it is the subject's too.
    holds: () => weather("anthropic"),
    fails: () => unanswered("anthropic"),
  },
  toBeCancelled: {
    args: [],
    holds: async () => (await everyRun()).cancelled,
    fails: async () => (await everyRun()).threw,
  },
  toBeSuspendedOn: {
    args: ["approve", { draft: "d1" }],
    holds: async () => (await everyRun()).suspended,
    fails: async () => (await everyRun()).failed,
  },
  toHaveAppended: {
    options: { before: [[]], misspelt: "aftr", meant: "after" },
    args: [[ANY, ANY, ANY]],
    holds: weather,
    fails: unanswered,
    caseless: {
      subject: [
        { role: "user", content: "hi" },
        { role: "assistant", content: "hello" },
      ],
      args: [[{ role: "assistant", content: "HELLO" }]],
    },
  },
  toHaveAppendedToolError: {
    options: { before: [], misspelt: "nmae", meant: "name" },
    args: ["call_1", "Unknown city"],
    holds: failed,
    fails: weather,
  },
  toHaveAppendedToolResult: {
    options: { before: [], misspelt: "nht", meant: "nth" },
    args: ["call_1", { tempC: 14 }],
    holds: weather,
    fails: unanswered,
    caseless: {
      subject: written(
        "openai-chat",
        { user: "hi" },
        { calls: [asks("a", {}, "call_1")] },
        { results: [answers("call_1", "x")] },
      ),
      args: ["call_1", "X"],
    },
  },
  toHaveCalledTool: {
    args: ["get_weather", { city: "Paris" }],
    holds: weather,
    fails: silent,
    caseless: { subject: weather("anthropic"), args: ["get_weather", { city: "PARIS" }] },
  },
  toHaveCalledToolsInOrder: {
    args: [["get_weather", ["get_weather", { city: "Rome" }]]],
    holds: twoCities,
    fails: weather,
    caseless: { subject: weather("anthropic"), args: [[["get_weather", { city: "PARIS" }]]] },
  },
  toHaveFailedWith: {
    options: { before: [], misspelt: "mesage", meant: "message" },
    args: ["No record"],
    holds: async () => (await everyRun()).failed,
    fails: async () => (await everyRun()).completed,
  },
  toHaveFinishedScript: {
    args: [],
    holds: (dialect) => spokenModel([toolCall("search"), "done"], { dialect }),
    fails: () => scriptedModel.lenient("never spoken"),
  },
  toHaveOfferedTool: {
    options: { before: ["search", undefined], misspelt: "requests", meant: "request" },
    args: ["search", { type: "object" }],
    holds: () => offering({ name: "search", inputSchema: { type: "object" } }),
    fails: () => offering({ name: "search" }, { name: "book" }),
    caseless: {
      subject: { messages: [], tools: [{ name: "search", parameters: { type: "object" } }] },
      args: ["search", { type: "OBJECT" }],
    },
  },
  toHaveOutput: {
    args: [{ hits: ["a", "b"] }],
    holds: async () => (await everyRun()).completed,
    fails: async () => (await everyRun()).threw,
  },
  toHaveThrown: {
    args: ["database"],
    holds: async () => (await everyRun()).threw,
    fails: async () => (await everyRun()).completed,
  },
  toHaveWritten: {
    args: ["progress", { percent: 10 }],
    holds: async () => (await everyRun()).completed,
    fails: silentRun,
  },
  toKeepCachePrefix: {
    options: { before: [], misspelt: "exept", meant: "except" },
    args: [],
    holds: (dialect) => [weather(dialect).slice(0, 1), weather(dialect)],
    fails: (dialect) => [weather(dialect), weather(dialect).slice(1)],
    caseless: { subject: [[{ role: "user", content: "hi" }], [{ role: "user", content: "HI" }]], args: [] },
  },
  toLeak: { args: ["Paris"], holds: weather, fails: silent, takes: ["a string"] },
  toMatchToolCallIds: {
    options: { before: [undefined], misspelt: "opne", meant: "open" },
    args: [["call_1"]],
    holds: weather,
    fails: unanswered,
    caseless: { subject: weather("openai-chat"), args: [["CALL_1"]] },
  },
  toStopWithinTurns: {
    options: { before: [2], misspelt: "giveup", meant: "giveUp" },
    args: [2],
    holds: weather,
    fails: unanswered,
  },
};
