import { UsageError } from "../errors.js";
import { cutText, isRecord, oneLine } from "../json.js";
import { type SpokenConversation, spokenBy } from "../transcript/spoken.js";

/** The messages found in what a developer passed. */
export interface Subject {
  readonly messages: readonly unknown[];
  /** Path of the messages in the developer's own value. */
  readonly at: string;
  /** Tools that came with the messages, in the provider's shape. */
  readonly tools?: readonly unknown[];
  /** Set where the subject is a scripted model. */
  readonly spoken?: SpokenConversation;
}

/** Where objects keep their messages, the likeliest place first. */
const PLACES: readonly (readonly string[])[] = [["messages"], ["values", "messages"], ["history"]];

/**
 * Finds the messages in an array, a scripted model, or an object that holds messages.
 *
 * @param asker - Who needs them, for the sentence: `toMatchToolCallIds()`.
 * @throws {UsageError} when there are none: a promise, a string, a list with something that is no message.
 */
export function findMessages(value: unknown, asker: string): Subject {
  const spoken = spokenBy(value);
  if (spoken) return { messages: spoken.requests.at(-1)?.messages ?? [], at: "messages", spoken };
  if (isThenable(value)) {
    throw new UsageError(
      `${asker} needs the messages of a conversation: expected an array, found a promise. Await the loop first.`,
    );
  }
  if (Array.isArray(value)) return { messages: requireMessages(value, "messages", asker), at: "messages" };
  if (isRecord(value)) {
    const tools = Array.isArray(value.tools) ? { tools: value.tools as unknown[] } : {};
    for (const place of PLACES) {
      const found = place.reduce<unknown>((inner, key) => (isRecord(inner) ? inner[key] : undefined), value);
      const at = place.join(".");
      if (Array.isArray(found)) return { messages: requireMessages(found, at, asker), at, ...tools };
    }
    if (tools.tools) return { messages: [], at: "messages", ...tools };
  }
  throw new UsageError(
    `${asker} needs the messages of a conversation: expected an array of messages, a scripted model or an object with messages, found ${describe(value)}. ` +
      "Pass what your loop returns, or the scripted model it called.",
  );
}

function requireMessages(list: readonly unknown[], at: string, asker: string): readonly unknown[] {
  for (let index = 0; index < list.length; index++) {
    const message = list[index];
    if (isRecord(message) && !isThenable(message)) continue;
    const found = isThenable(message) ? "a promise: await it first" : describe(message);
    throw new UsageError(
      `${asker} needs messages: expected an object with a role at ${at}[${index}], found ${found}.`,
      {
        at: `${at}[${index}]`,
      },
    );
  }
  return list;
}

export function isThenable(value: unknown): boolean {
  return isRecord(value) && typeof value.then === "function";
}

/** Names a value for a sentence, without printing all of it. */
export function describe(value: unknown): string {
  if (isThenable(value)) return "a promise";
  if (typeof value === "function") return "a function that is no scripted model";
  if (isRecord(value)) {
    const keys = Object.keys(value).slice(0, 6).join(", ");
    return keys === "" ? "an empty object" : `an object with ${cutText(keys, 120)}`;
  }
  if (Array.isArray(value)) return "an array";
  return typeof value === "string" ? `the string ${oneLine(value, 60)}` : oneLine(value, 60);
}
