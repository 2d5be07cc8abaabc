import { describe, isThenable } from "../conversation/index.js";
import { UsageError } from "../errors.js";
import { isRecord } from "../json.js";
import { spokenBy } from "../transcript/spoken.js";

/** One request to a model, as far as matchers ask. */
export interface Request {
  /** `requests[2]` */
  readonly at: string;
  /** Where its messages stand: `requests[2].messages`. */
  readonly messagesAt: string;
  readonly messages: readonly unknown[];
  readonly system?: unknown;
  readonly tools?: readonly unknown[] | undefined;
  /** The request came over a wire, which says what was offered even where that is nothing. */
  readonly onWire: boolean;
}

/**
 * The requests of a scripted model, of a list of request bodies or of message lists, or the one request that an object
 * with messages or tools is.
 *
 * @throws {UsageError} when the subject is none of these.
 */
export function requestsIn(subject: unknown, asker: string): readonly Request[] {
  const list = spokenBy(subject)?.requests ?? subject;
  if (Array.isArray(list)) return list.map((entry, index) => readRequest(entry, `requests[${index}]`, asker));
  if (isBody(list)) return [readRequest(list, "request", asker)];
  throw new UsageError(
    `${asker} needs requests: expected a scripted model or a list of requests, found ${describe(subject)}. ` +
      (isThenable(subject) ? "Await the loop first." : "Pass the scripted model that the loop called."),
  );
}

/** @throws {UsageError} when no request has this number. */
export function requireRequest(index: number, requests: readonly Request[], option: string, asker: string): void {
  if (index < requests.length) return;
  const known =
    requests.length === 1 ? "there is only requests[0]" : `there are requests[0] to [${requests.length - 1}]`;
  throw new UsageError(
    `${asker} cannot use the option ${option}: expected the number of a request that was made (${requests.length === 0 ? "there is none" : known}), found ${index}.`,
    { at: option },
  );
}

function readRequest(entry: unknown, at: string, asker: string): Request {
  if (Array.isArray(entry)) return { at, messagesAt: at, messages: entry, onWire: false };
  if (!isBody(entry)) {
    const hint = isRecord(entry) && "role" in entry ? "These are messages: pass the scripted model that got them." : "";
    throw new UsageError(
      `${asker} needs requests: expected a list of messages or an object with messages at ${at}, found ${describe(entry)}. ${hint}`.trimEnd(),
      { at },
    );
  }
  const { messages, system, tools, body } = entry;
  return {
    at,
    messagesAt: `${at}.messages`,
    messages: Array.isArray(messages) ? messages : [],
    system,
    tools: Array.isArray(tools) ? tools : undefined,
    onWire: body !== undefined,
  };
}

function isBody(value: unknown): value is Record<string, unknown> {
  return isRecord(value) && !isThenable(value) && (Array.isArray(value.messages) || Array.isArray(value.tools));
}
