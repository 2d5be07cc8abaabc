import { UsageError } from "../errors.js";
import { isRecord, oneLine } from "../json.js";

/**
 * Stands in for an agent: a function from its input to its output, or a scripted model, which is asked with the input
 * as one user message and answers with the text of its turn.
 */
export type AgentDouble = (input: never, options: { readonly signal: AbortSignal }) => unknown;

export async function runAgent(
  name: string,
  agent: AgentDouble,
  input: unknown,
  signal: AbortSignal,
): Promise<unknown> {
  const answer = await agent((isModel(agent) ? [asMessage(input)] : input) as never, { signal });
  if (!isTurn(answer)) return answer;
  if (answer.kind === "text") return answer.content;
  throw new UsageError(
    `The agent ${name} asked for tools, which its double has nobody to run: expected a text turn, found ` +
      `${oneLine(answer)}. Script the agent's final words, or use a function.`,
  );
}

/** A scripted model by its shape: a function that keeps the messages it has seen. */
function isModel(agent: AgentDouble): boolean {
  const { seen, turns } = agent as { seen?: unknown; turns?: unknown };
  return Array.isArray(seen) && Array.isArray(turns);
}

function asMessage(input: unknown): { role: "user"; content: string } {
  return { role: "user", content: typeof input === "string" ? input : (JSON.stringify(input) ?? "") };
}

function isTurn(answer: unknown): answer is { kind: "text"; content: string } | { kind: "tool_calls" } {
  if (!isRecord(answer)) return false;
  return (
    (answer.kind === "text" && typeof answer.content === "string") ||
    (answer.kind === "tool_calls" && Array.isArray(answer.calls))
  );
}
