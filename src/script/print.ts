import { cutText, oneLine } from "../json.js";
import type { ToolCall } from "../transcript/turn.js";
import type { ToolCallDraft } from "./draft.js";
import type { Fault } from "./faults.js";
import type { Item } from "./item.js";
import type { Line } from "./script.js";

/** Lines of a script that a message shows. */
const SHOWN = 12;

/**
 * A script as numbered text, one item a line, `>` before those that are marked. A long one is shown from just before
 * the first mark, or, without one, at its end.
 */
export function printScript(lines: readonly Line[], isMarked: (line: Line) => boolean = () => false): string {
  const firstMark = lines.findIndex(isMarked);
  const from = Math.max(0, Math.min(firstMark === -1 ? lines.length : firstMark - 3, lines.length - SHOWN));
  const shown = lines.slice(from, from + SHOWN).map((line) => `${isMarked(line) ? "  >" : "   "} ${printLine(line)}`);
  return [...skipped(from, "before"), ...shown, ...skipped(lines.length - from - shown.length, "after")].join("\n");
}

function skipped(count: number, where: "before" | "after"): string[] {
  return count > 0 ? [`    … ${count} ${where}`] : [];
}

function printLine(line: Line): string {
  const item = cutText(printItem(line.item), 120);
  if (!line.repeated) return `${line.at}  ${item}`;
  if (line.times === Number.POSITIVE_INFINITY) return `${line.at}  repeat(${item})  spoken ${line.spoken} times`;
  return `${line.at}  repeat(${item}, { times: ${line.times} })  spoken ${line.spoken} of ${line.times} times`;
}

export function printItem(item: Item): string {
  switch (item.kind) {
    case "draft":
      return printTurn(item.content, item.calls);
    case "verbatim":
      return printTurn(item.turn.content, item.turn.kind === "text" ? [] : item.turn.calls);
    case "error":
      return `${item.error.name}: ${item.error.message}`;
    case "function":
      return oneLine(item.ask);
    case "fault":
      return printFault(item.fault, item.item);
  }
}

function printTurn(content: string | undefined, calls: readonly (ToolCall | ToolCallDraft)[]): string {
  const words = content === undefined ? [] : [oneLine(content)];
  const asked = calls.map(({ name, arguments: text, id }) => `${name}(${text})${id === undefined ? "" : `  ${id}`}`);
  return [...words, ...asked].join(", ");
}

function printFault(fault: Fault, item: Item | undefined): string {
  const { kind, ...rest } = fault;
  if (item !== undefined) return `${kind}(${printItem(item)})`;
  return `${kind}(${Object.keys(rest).length === 0 ? "" : oneLine(rest)})`;
}
