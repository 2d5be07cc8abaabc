import { cutText, oneLine } from "../json.js";
import type { CallPart, Part, ResultPart, Transcript, TranscriptMessage } from "../transcript/types.js";

/** Longest content printed on a line, in characters. */
const LINE_WIDTH = 100;
/** Longest name or id printed, in characters. */
const NAME_WIDTH = 60;
/** A conversation of at most this many messages is printed whole. */
const WHOLE = 14;
/** How many messages are kept around a marked one, and at the end. */
const AROUND = 3;
/** Marks beyond these are left out: a report shows the first faults, and a long list of marks is slow to look through. */
const MARKS = 20;

export interface ReportOptions {
  /** Paths to mark with `>`: of messages, or of parts in them. */
  readonly mark?: readonly string[];
}

/**
 * Prints a transcript as numbered text: a line for each message, one more for each further part.
 *
 *     messages[0]  user       "weather in Paris?"
 *     messages[1]  assistant  get_weather({"city":"Paris"})  call_1
 *   > messages[2]  tool       answers call_1  "{\"tempC\":14}"
 *
 * Long conversations are printed around the marks, and say how many messages they leave out.
 */
export function formatTranscript(transcript: Transcript, options: ReportOptions = {}): string {
  const { messages } = transcript;
  if (messages.length === 0) return "    (no messages)";
  const marks = (options.mark ?? []).slice(0, MARKS);
  const shown = visible(messages, marks);
  const places = shown.map((index) => messages[index]!.at);
  const placeWidth = Math.max(...places.map((place) => place.length));
  const roleWidth = Math.max(...shown.map((index) => roleOf(messages[index]!).length), "assistant".length);
  const lines: string[] = [];
  let next = 0;
  for (const index of shown) {
    if (index > next) lines.push(`    … ${count(index - next)} …`);
    lines.push(...formatMessage(messages[index]!, placeWidth, roleWidth, marks));
    next = index + 1;
  }
  if (next < messages.length) lines.push(`    … ${count(messages.length - next)} …`);
  return lines.join("\n");
}

/** Roles are the developer's own words: a long one must not push everything else aside. */
function roleOf({ role }: TranscriptMessage): string {
  return onOneLine(role).slice(0, 20);
}

function count(messages: number): string {
  return messages === 1 ? "1 message" : `${messages.toLocaleString("en-US")} messages`;
}

function visible(messages: readonly TranscriptMessage[], marks: readonly string[]): number[] {
  const all = [...messages.keys()];
  if (messages.length <= WHOLE) return all;
  const marked = marks.length === 0 ? [] : all.filter((index) => isMarked(messages[index]!, marks));
  const centres = [0, messages.length - 1, ...marked.slice(0, 3)];
  return all.filter((index) => centres.some((centre) => Math.abs(centre - index) <= (centre === 0 ? 0 : AROUND)));
}

function isMarked(message: TranscriptMessage, marks: readonly string[]): boolean {
  return (
    marks.includes(message.at) || message.parts.some((part) => marks.includes(part.at)) || holdsMark(message.at, marks)
  );
}

/** Whether a mark points into a place: `messages[2].content` is in `messages[2]`, `messages[21]` is not. */
function holdsMark(at: string, marks: readonly string[]): boolean {
  return marks.some((mark) => mark.startsWith(`${at}.`));
}

function formatMessage(
  message: TranscriptMessage,
  placeWidth: number,
  roleWidth: number,
  marks: readonly string[],
): string[] {
  const parts = message.parts.length > 0 ? message.parts : [undefined];
  const partMarked = message.parts.some((part) => part.at !== message.at && marks.includes(part.at));
  const wholeMarked = !partMarked && isMarked(message, marks);
  return parts.map((part, index) => {
    const marked = part && part.at !== message.at && marks.includes(part.at) ? true : wholeMarked && index === 0;
    const place = index === 0 ? message.at : "";
    const role = index === 0 ? roleOf(message) : "";
    return `  ${marked ? ">" : " "} ${place.padEnd(placeWidth)}  ${role.padEnd(roleWidth)}  ${part ? formatPart(part) : '""'}`;
  });
}

function formatPart(part: Part): string {
  switch (part.kind) {
    case "text":
      return oneLine(part.text, LINE_WIDTH);
    case "call":
      return formatCall(part);
    case "result":
      return formatResult(part);
    case "reasoning":
      return part.redacted === undefined ? `thinks ${oneLine(part.text, LINE_WIDTH)}` : "thinks (redacted)";
    case "refusal":
      return `refuses ${oneLine(part.text, LINE_WIDTH)}`;
    case "server-call":
      return `${nameOf(part)}(${oneLine(part.input, LINE_WIDTH)})  ${cutText(part.id, NAME_WIDTH)}  run by the provider`;
    case "server-result":
      return `answers ${cutText(part.callId, NAME_WIDTH)}  ${oneLine(part.result, LINE_WIDTH)}  run by the provider`;
    case "unknown":
      return `(${cutText(part.type, NAME_WIDTH)})`;
    default:
      return `(${part.kind})`;
  }
}

function nameOf({ name }: { readonly name: string }): string {
  return name === "" ? "(no name)" : cutText(name, NAME_WIDTH);
}

/** `get_weather({"city":"Paris"})  call_1` */
export function formatCall(call: Pick<CallPart, "id" | "name" | "arguments">): string {
  const id = call.id === "" ? "(no id)" : cutText(call.id, NAME_WIDTH);
  return `${nameOf(call)}(${cutText(onOneLine(call.arguments), LINE_WIDTH)})  ${id}`;
}

/** Line breaks between the tokens of a JSON text carry nothing; in free text they must not break the table. */
function onOneLine(text: string): string {
  return text.replace(/\s*[\r\n]\s*/g, " ");
}

function formatResult(result: ResultPart): string {
  const id = result.callId === undefined ? "(no id)" : cutText(result.callId || '""', NAME_WIDTH);
  const content = result.raw === undefined ? "(no content)" : oneLine(result.raw, LINE_WIDTH);
  return `answers ${id}${result.isError ? "  error" : ""}  ${content}`;
}
