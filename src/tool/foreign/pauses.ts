import { isRecord, readJson } from "../../json.js";

/** A place where the run of a framework waits for a human. */
export interface Pause {
  /** `"approval"` or `"interrupt"`: these pauses have no names of their own. */
  readonly name: string;
  /** The tool that waits to be approved. */
  readonly tool?: string;
  /** The call's input, or the value of the interrupt. */
  readonly input: unknown;
}

/**
 * The pauses in the result of a framework's run, recognised by shape; `[]` when it does not wait.
 *
 * @returns undefined when the value is no such result.
 */
export function readPauses(result: unknown): readonly Pause[] | undefined {
  if (!isRecord(result)) return undefined;
  for (const read of [interrupts, snapshotInterrupts, interruptions, approvalRequests, approvalParts]) {
    const pauses = read(result);
    if (pauses) return pauses;
  }
  // The state of a graph that ran to its end.
  return Array.isArray(result.messages) ? [] : undefined;
}

/** LangGraph: what `graph.invoke` gives. */
function interrupts(result: Record<string, unknown>): Pause[] | undefined {
  const list = result.__interrupt__;
  return Array.isArray(list) ? list.map(({ value }) => ({ name: "interrupt", input: value })) : undefined;
}

/** LangGraph: what `graph.getState` gives. */
function snapshotInterrupts({ tasks, next }: Record<string, unknown>): Pause[] | undefined {
  if (!(Array.isArray(tasks) && Array.isArray(next))) return undefined;
  return tasks.flatMap((task) => interrupts({ __interrupt__: task.interrupts }) ?? []);
}

/** OpenAI Agents: what `run` gives. */
function interruptions(result: Record<string, unknown>): Pause[] | undefined {
  const list = result.interruptions;
  if (!Array.isArray(list)) return undefined;
  return list.map((item) => {
    const raw = isRecord(item.rawItem) ? item.rawItem : {};
    return { name: "approval", tool: String(item.name ?? raw.name), input: parsed(item.arguments ?? raw.arguments) };
  });
}

/** AI SDK: what `generateText` gives. */
function approvalRequests({ content }: Record<string, unknown>): Pause[] | undefined {
  if (!Array.isArray(content)) return undefined;
  return content
    .filter((part) => part?.type === "tool-approval-request" && part.isAutomatic !== true)
    .map(({ toolCall }) => ({ name: "approval", tool: toolCall.toolName, input: toolCall.input }));
}

/** AI SDK: a UI message. */
function approvalParts({ parts }: Record<string, unknown>): Pause[] | undefined {
  if (!Array.isArray(parts)) return undefined;
  return parts
    .filter((part) => part?.state === "approval-requested")
    .map((part) => ({ name: "approval", tool: part.toolName ?? part.type.replace(/^tool-/, ""), input: part.input }));
}

function parsed(text: unknown): unknown {
  if (typeof text !== "string") return text;
  const json = readJson(text);
  return json.ok ? json.value : text;
}
