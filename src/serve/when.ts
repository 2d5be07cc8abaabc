import { isThenable, openConversation } from "../conversation/index.js";
import { UsageError } from "../errors.js";
import { cutText, isRecord, oneLine } from "../json.js";
import type { ModelRequest } from "../script/index.js";
import { textOf } from "../transcript/queries.js";

/** Which requests a served model is for. An object says what has to hold of each; all of it has to. */
export type When =
  | {
      /** The name of the model asked for, whole. */
      readonly model?: string;
      /** Words that the system text of the request holds, or what it looks like. */
      readonly system?: string | RegExp;
    }
  | ((request: ModelRequest) => boolean);

/** @throws {UsageError} at what would match every request, or none, without a word. */
export function checkWhen(when: unknown): void {
  if (when === undefined || typeof when === "function") return;
  if (!isRecord(when)) throw unusable("an object or a function", oneLine(when), "when");
  for (const [key, value] of Object.entries(when)) {
    if (key !== "model" && key !== "system") throw unusable("the keys model and system", oneLine(key), "when");
    if (value === undefined || typeof value === "string" || (key === "system" && value instanceof RegExp)) continue;
    throw unusable(key === "model" ? "a string" : "a string or a RegExp", oneLine(value), `when.${key}`);
  }
}

/**
 * Whether a request is one of those.
 *
 * @throws {UsageError} when the system text cannot be read, or a function gives no answer at once.
 */
export function matches(when: When | undefined, request: ModelRequest): boolean {
  if (when === undefined) return true;
  if (typeof when === "function") {
    const answer = ask(when, request);
    if (isThenable(answer)) throw unusable("a function that answers at once", "a promise", "when");
    return Boolean(answer);
  }
  const { model, system } = when;
  if (model !== undefined && request.model !== model) return false;
  if (system === undefined) return true;
  const text = systemTextOf(request);
  return typeof system === "string" ? text.includes(system) : text.search(system) !== -1;
}

/** An Error of the test's own code is told as it is: it is most likely an assertion. */
function ask(when: (request: ModelRequest) => unknown, request: ModelRequest): unknown {
  try {
    return when(request);
  } catch (thrown) {
    if (thrown instanceof Error) throw thrown;
    throw unusable("a function that answers", `that it threw ${oneLine(thrown)}`, "when");
  }
}

/** All that tells the model its part: what stands outside of the messages, and the messages at their head that do. */
export function systemTextOf({ system, messages, dialect }: ModelRequest): string {
  const { transcript } = openConversation(messages, "serveModel()", dialect);
  const end = transcript.messages.findIndex(({ role }) => role !== "system" && role !== "developer");
  const leading = transcript.messages.slice(0, end === -1 ? undefined : end).map(textOf);
  return [...(system === undefined ? [] : [system]), ...leading].join("\n");
}

/** As the developer wrote it. */
export function describeWhen(when: When): string {
  if (typeof when === "function") return cutText(String(when).replace(/\s+/g, " "), 120);
  const { model, system } = when;
  const parts = [
    ...(model === undefined ? [] : [`model: ${JSON.stringify(model)}`]),
    ...(system === undefined ? [] : [`system: ${typeof system === "string" ? JSON.stringify(system) : system}`]),
  ];
  return `{ ${parts.join(", ")} }`;
}

function unusable(expected: string, found: string, at: string): UsageError {
  return new UsageError(
    `serveModel() cannot use its option when: expected ${expected}, found ${found}, at ${at}. ` +
      "Write { when: { system: /planner/ } }, or a function of the request.",
    { at },
  );
}
