import type { matchers } from "../../src/matchers/index.js";
import { scriptedModel, toolCall } from "../../src/script/index.js";
import { answers, asks, spokenModel, twoCities, weather, written } from "../support/conversations.js";

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

/** Equals any message, without `expect`: this file is read where no test runs. */
const ANY = { asymmetricMatch: () => true, toString: () => "Any", $$typeof: Symbol.for("jest.asymmetricMatcher") };

/** One entry for each matcher: a new one does not compile, nor pass the contract, without it. */
export const cases: Record<keyof typeof matchers, MatcherCase> = {
  toBeAcceptedBy: {
    args: ["anthropic"],
    // The dialect is an argument, so it is the subject's too.
    holds: () => weather("anthropic"),
    fails: () => unanswered("anthropic"),
  },
  toHaveAppended: {
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
  toHaveAppendedToolError: { args: ["call_1", "Unknown city"], holds: failed, fails: weather },
  toHaveAppendedToolResult: {
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
  toHaveFinishedScript: {
    args: [],
    holds: (dialect) => spokenModel([toolCall("search"), "done"], { dialect }),
    fails: () => scriptedModel.lenient("never spoken"),
  },
  toHaveOfferedTool: {
    args: ["search", { type: "object" }],
    holds: () => offering({ name: "search", inputSchema: { type: "object" } }),
    fails: () => offering({ name: "search" }, { name: "book" }),
    caseless: {
      subject: { messages: [], tools: [{ name: "search", parameters: { type: "object" } }] },
      args: ["search", { type: "OBJECT" }],
    },
  },
  toKeepCachePrefix: {
    args: [],
    holds: (dialect) => [weather(dialect).slice(0, 1), weather(dialect)],
    fails: (dialect) => [weather(dialect), weather(dialect).slice(1)],
    caseless: { subject: [[{ role: "user", content: "hi" }], [{ role: "user", content: "HI" }]], args: [] },
  },
  toLeak: { args: ["Paris"], holds: weather, fails: silent, takes: ["a string"] },
  toMatchToolCallIds: {
    args: [["call_1"]],
    holds: weather,
    fails: unanswered,
    caseless: { subject: weather("openai-chat"), args: [["CALL_1"]] },
  },
  toStopWithinTurns: { args: [2], holds: weather, fails: unanswered },
};
