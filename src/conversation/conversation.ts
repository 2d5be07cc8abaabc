import type { Dialect, DialectDefinition } from "../dialects/dialect.js";
import { findDialect } from "../dialects/index.js";
import {
  applyRules,
  type CheckOptions,
  type Finding,
  type OfferedTool,
  type Rule,
  stageOf,
  type Violation,
} from "../rules/rule.js";
import { readTools } from "../rules/tools.js";
import { type Pairing, pair } from "../transcript/pairing.js";
import type { SpokenConversation } from "../transcript/spoken.js";
import type { Transcript } from "../transcript/types.js";
import { requireCheckOptions } from "./check-options.js";
import { detectDialect, requireOneDialect } from "./detect.js";
import { findMessages } from "./subject.js";
import { withoutSurprise } from "./surprise.js";

/** A developer's messages, read. */
export interface Conversation {
  readonly dialect: Dialect;
  readonly transcript: Transcript;
}

/** A conversation with all that matchers ask about it. */
export interface OpenConversation extends Conversation {
  /** The developer's own value, in which the messages were found. */
  readonly subject: unknown;
  readonly definition: DialectDefinition;
  readonly pairing: Pairing;
  readonly messages: readonly unknown[];
  readonly tools: readonly OfferedTool[] | undefined;
  /** Set where the subject is a scripted model. */
  readonly spoken: SpokenConversation | undefined;
}

/**
 * The one door from a developer's value to the neutral model: finds the messages, tells their dialect, reads and pairs
 * them. A scripted model stands for its last request and the turn it spoke to it.
 *
 * @param asker - Who asks, for the sentence of a usage error: `toMatchToolCallIds()`.
 * @throws {UsageError} when the value holds no messages, or they are in no one dialect.
 */
export function openConversation(value: unknown, asker: string, dialect?: Dialect): OpenConversation {
  return withoutSurprise(asker, value, () => open(value, asker, dialect));
}

function open(value: unknown, asker: string, dialect: Dialect | undefined): OpenConversation {
  const { messages: found, at, tools, spoken } = findMessages(value, asker);
  const last = spoken?.requests.at(-1);
  const named = dialect === undefined ? last?.dialect : dialect;
  const definition = named === undefined ? detectDialect(found, at) : findDialect(named);
  if (named !== undefined) requireOneDialect(definition, found, at);
  const messages = last?.turn ? [...found, ...asList(definition.writeTurn(last.turn))] : found;
  const transcript = definition.read(messages, at);
  const offered = tools ? readTools(tools) : last?.tools?.map((tool, index) => ({ ...tool, at: `tools[${index}]` }));
  return {
    subject: value,
    dialect: definition.name,
    definition,
    transcript,
    pairing: pair(transcript, definition.pairing),
    messages,
    tools: offered,
    spoken,
  };
}

/** One message or a list of them, as a list. */
export function asList(messages: unknown): readonly unknown[] {
  return Array.isArray(messages) ? messages : [messages];
}

/**
 * Reads messages into the neutral model.
 *
 * @param value - Messages in any dialect, an object that holds them, or a scripted model.
 * @param dialect - The dialect they are in. Default: told from the messages; what several share is read as `openai-chat`.
 * @throws {UsageError} when the value holds no messages, or they are in no one dialect.
 */
export function readConversation(value: unknown, dialect?: Dialect): Conversation {
  const { dialect: found, transcript } = openConversation(value, "readConversation()", dialect);
  // Listed now, because the developer's own list goes on.
  return { dialect: found, transcript: { dialect: transcript.dialect, messages: transcript.messages } };
}

/**
 * Lists what a provider's API would refuse in a conversation, or accept to its harm.
 *
 * @param messages - Messages, an object that holds them (a request body with `tools` too), or a scripted model.
 * @param dialect - As in {@link readConversation}.
 * @returns One violation for each fault, in the order of the rules; `[]` when the API accepts the conversation.
 *   `strict` has no part in it: the list holds warnings always, and `severity` tells them apart.
 * @throws {UsageError} when the value holds no messages, they are in no one dialect, or an option cannot be used.
 */
export function checkConversation(messages: unknown, dialect?: Dialect, options: CheckOptions = {}): Violation[] {
  const conversation = openConversation(messages, "checkConversation()", dialect);
  const findings = findingsIn(conversation, options, "checkConversation()");
  return findings.map(({ calls: _calls, pairing: _pairing, ...violation }) => violation);
}

/**
 * What {@link checkConversation} finds, tied to the calls it is about.
 *
 * @param asker - Who asks, for the sentence of a usage error.
 * @param rules - Those to apply. Default: all of the dialect.
 * @throws {UsageError} when an option cannot be used, or the messages cannot be read.
 */
export function findingsIn(
  conversation: OpenConversation,
  options: CheckOptions = {},
  asker = "checkConversation()",
  rules: readonly Rule[] = conversation.definition.rules,
): Finding[] {
  const { subject, definition, transcript, pairing, tools, spoken } = conversation;
  requireCheckOptions(options, definition, asker);
  return withoutSurprise(asker, subject, () =>
    applyRules(rules, {
      transcript,
      pairing,
      options: spoken && !options.spoken ? { ...options, spoken: spoken.turns } : options,
      tools: options.tools ? readTools(options.tools) : tools,
      ...stageOf(transcript, pairing, options.stage),
    }),
  );
}
