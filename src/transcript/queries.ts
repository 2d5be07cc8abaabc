import { isRecord, readJson } from "../json.js";
import type { AssistantTurn, ToolCall } from "./turn.js";
import type { CallPart, Part, ReasoningPart, ResultPart, Transcript, TranscriptMessage } from "./types.js";

/** The words of a message: its text parts, joined. */
export function textOf(message: { readonly parts: readonly Part[] }): string {
  let text = "";
  for (const part of message.parts) if (part.kind === "text") text += part.text;
  return text;
}

/** All calls, in the order they were asked for. */
export function callsOf(transcript: Transcript): readonly CallPart[] {
  return transcript.messages.flatMap((message) => message.parts.filter((part) => part.kind === "call"));
}

/** All results, in the order they stand. */
export function resultsOf(transcript: Transcript): readonly ResultPart[] {
  return transcript.messages.flatMap((message) => message.parts.filter((part) => part.kind === "result"));
}

/** Whether a message is a turn: something a model said. Results misplaced under that role are none. */
export function isTurn(message: TranscriptMessage): boolean {
  return message.role === "assistant" && !message.parts.some((part) => part.kind === "result");
}

/** Whether a person speaks here: a user message that holds more than tool results. */
export function isGenuineUserMessage(message: TranscriptMessage): boolean {
  return (
    message.role === "user" && (message.parts.length === 0 || message.parts.some((part) => part.kind !== "result"))
  );
}

/** The index of the last genuine user message, or -1. */
export function lastUserIndex(transcript: Transcript): number {
  return transcript.messages.findLastIndex(isGenuineUserMessage);
}

/** What is appended after the last genuine user message; everything where there is none. */
export function sinceLastUser(transcript: Transcript): readonly TranscriptMessage[] {
  return transcript.messages.slice(lastUserIndex(transcript) + 1);
}

/** The values a result's content can be read as: as it stands, its joined text, and what that text decodes to. */
export function readingsOf(result: ResultPart): readonly unknown[] {
  const text = resultText(result);
  if (text === undefined) return [result.raw];
  const readings: unknown[] = text === result.raw ? [text] : [result.raw, text];
  const decoded = readJson(text);
  if (decoded.ok) readings.push(decoded.value);
  return readings;
}

/** The text of a result; undefined where its content holds none. */
export function resultText(result: ResultPart): string | undefined {
  if (typeof result.content === "string") return result.content;
  if (result.content?.some((part) => part.kind === "text")) return textOf({ parts: result.content });
  return undefined;
}

/** The turn a message is, as scripts and accumulators speak it: the simple projection of its ordered parts. */
export function turnOf(message: TranscriptMessage): AssistantTurn {
  const calls: ToolCall[] = [];
  for (const part of message.parts) {
    if (part.kind === "call") calls.push({ id: part.id, name: part.name, arguments: part.arguments });
  }
  const serverCalls = message.parts
    .filter((part) => part.kind === "server-call")
    .map((call) => {
      const answer = message.parts.find((part) => part.kind === "server-result" && part.callId === call.id);
      const spoken = { id: call.id, name: call.name, arguments: JSON.stringify(call.input) ?? "{}" };
      return answer?.kind === "server-result" ? { ...spoken, result: answer.result } : spoken;
    });
  const reasoning = message.parts.find((part): part is ReasoningPart => part.kind === "reasoning" && !part.redacted);
  const refusal = message.parts.find((part) => part.kind === "refusal");
  const text = textOf(message);
  const extras = {
    ...(reasoning ? { reasoning: spokenReasoning(reasoning) } : {}),
    ...(serverCalls.length > 0 ? { serverCalls } : {}),
    ...(refusal ? { finish: "refusal" as const } : {}),
  };
  if (calls.length === 0) return { kind: "text", content: refusal && text === "" ? refusal.text : text, ...extras };
  return { kind: "tool_calls", calls, ...(text === "" ? {} : { content: text }), ...extras };
}

function spokenReasoning(part: ReasoningPart): NonNullable<AssistantTurn["reasoning"]> {
  return part.signature === undefined ? part.text : { text: part.text, signature: part.signature };
}

/** Whether a value is an {@link AssistantTurn}. */
export function isAssistantTurn(value: unknown): value is AssistantTurn {
  if (!isRecord(value)) return false;
  if (value.kind === "text") return typeof value.content === "string";
  return value.kind === "tool_calls" && Array.isArray(value.calls);
}
