import type { ToolResult } from "../../src/dialects/dialect.js";
import { findDialect } from "../../src/dialects/index.js";
import { type Model, type ScriptItem, scriptedModel } from "../../src/script/index.js";
import type { AssistantTurn, ToolCall } from "../../src/transcript/turn.js";

/** The dialects every matcher is tried in. */
export const DIALECTS = ["openai-chat", "anthropic"] as const;

/** A call of a turn written out: `asks("get_weather", { city: "Paris" }, "call_1")`. */
export function asks(name: string, args: unknown, id: string): ToolCall {
  return { id, name, arguments: typeof args === "string" ? args : JSON.stringify(args) };
}

/** A result written out: `answers("call_1", { tempC: 14 })`. */
export function answers(callId: string, value: unknown, isError = false): ToolResult {
  return isError ? { callId, value, isError } : { callId, value };
}

/** One step of {@link written}: what the user says, what the model says or asks for, what the tools answer. */
export type Step = { user: string } | { says: string } | { calls: ToolCall[] } | { results: ToolResult[] };

/** The same conversation in any dialect, as a correct loop would hold it. */
export function written(dialect: string, ...steps: Step[]): unknown[] {
  const { writeTurn, writeResults } = findDialect(dialect);
  return steps.flatMap((step) => {
    if ("user" in step) return [{ role: "user", content: step.user }];
    if ("says" in step) return writeTurn({ kind: "text", content: step.says });
    return "calls" in step ? writeTurn({ kind: "tool_calls", calls: step.calls }) : writeResults(step.results);
  });
}

/** One question, one call, its result, the answer. */
export function weather(dialect: string): unknown[] {
  return written(
    dialect,
    { user: "weather in Paris?" },
    { calls: [asks("get_weather", { city: "Paris" }, "call_1")] },
    { results: [answers("call_1", { tempC: 14 })] },
    { says: "It is 14 degrees in Paris." },
  );
}

/** Two parallel calls and their results. */
export function twoCities(dialect: string): unknown[] {
  return written(
    dialect,
    { user: "warmer in Paris or in Rome?" },
    { calls: [asks("get_weather", { city: "Paris" }, "call_1"), asks("get_weather", { city: "Rome" }, "call_2")] },
    { results: [answers("call_1", { tempC: 14 }), answers("call_2", { tempC: 21 })] },
    { says: "In Rome." },
  );
}

/** A correct loop: it stops when no tool is asked for, or after `maxTurns` turns. */
export async function runLoop(
  model: Model,
  messages: unknown[],
  {
    dialect = "openai-chat",
    maxTurns = 8,
    tool = (call: ToolCall): unknown => ({ ran: call.name }),
    options = {},
  } = {},
): Promise<unknown[]> {
  const { writeTurn, writeResults } = findDialect(dialect);
  const history = [...messages];
  for (let turns = 0; turns < maxTurns; turns++) {
    const turn: AssistantTurn = await model(history, options);
    history.push(...(writeTurn(turn) as unknown[]));
    if (turn.kind === "text") return history;
    const results = turn.calls.map((call) => answers(call.id, tool(call)));
    history.push(...(writeResults(results) as unknown[]));
  }
  return history;
}

/** A scripted model after {@link runLoop} ran it. */
export async function spokenModel(script: ScriptItem[], settings: Parameters<typeof runLoop>[2] = {}) {
  const model = scriptedModel.lenient(...script);
  await runLoop(model, [{ role: "user", content: "weather in Paris?" }], settings);
  return model;
}
