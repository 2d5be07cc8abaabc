import { openConversation } from "../conversation/index.js";
import { oneLine } from "../json.js";
import type { ModelRequest } from "../script/index.js";
import { textOf } from "../transcript/queries.js";

/** Which requests a served model answers, where several are served. All that is named has to hold. */
export type When =
  | {
      /** The model the request names. */
      readonly model?: string;
      /** The request's system text: a part of it, or a pattern. */
      readonly system?: string | RegExp;
    }
  | ((request: ModelRequest) => boolean);

/** Whether a request is one that the model answers. */
export function isMet(when: When | undefined, request: ModelRequest): boolean {
  if (when === undefined) return true;
  if (typeof when === "function") return when(request);
  const { model, system } = when;
  if (model !== undefined && request.model !== model) return false;
  if (system === undefined) return true;
  const text = systemOf(request);
  return typeof system === "string" ? text.includes(system) : text.search(system) >= 0;
}

/** `when { system: /planner/ }`, for a sentence. */
export function nameWhen(when: When | undefined): string {
  return when === undefined ? "no when" : `when ${oneLine(when, 80)}`;
}

/** The system text, wherever the API keeps it: beside the messages, or in the first of them. */
function systemOf({ system, messages, dialect }: ModelRequest): string {
  if (system !== undefined) return system;
  const { transcript } = openConversation(messages, "serveModel()", dialect);
  const end = transcript.messages.findIndex(({ role }) => role !== "system" && role !== "developer");
  return transcript.messages
    .slice(0, end < 0 ? undefined : end)
    .map(textOf)
    .join("\n");
}
