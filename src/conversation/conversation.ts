import type { Dialect, DialectDefinition } from "../dialects/dialect.js";
import { findDialect } from "../dialects/index.js";
import { UsageError } from "../errors.js";
import { isRecord, oneLine } from "../json.js";
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
import { detectDialect, requireOneDialect } from "./detect.js";
import { findMessages } from "./subject.js";

/** A developer's messages, read. */
export interface Conversation {
  readonly dialect: Dialect;
  readonly transcript: Transcript;
}

/** A conversation with all that matchers ask about it. */
export interface OpenConversation extends Conversation {
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
  return withoutSurprise(asker, () => open(value, asker, dialect));
}

/**
 * Runs what reads a developer's value. The value may answer with an error of its own: a getter that throws, a proxy
 * that was revoked, a nesting deeper than the stack.
 */
function withoutSurprise<Result>(asker: string, read: () => Result): Result {
  try {
    return read();
  } catch (error) {
    if (error instanceof Error && error.message.startsWith("[vitest-tool-loop]")) throw error;
    throw new UsageError(
      `${asker} cannot read the messages: expected plain data, but reading it threw ${oneLine(String(error), 120)}. Pass a plain copy.`,
      { cause: error },
    );
  }
}

function open(value: unknown, asker: string, dialect: Dialect | undefined): OpenConversation {
  const { messages: found, at, tools, spoken } = findMessages(value, asker);
  const last = spoken?.requests.at(-1);
  const named = dialect ?? last?.dialect;
  const definition = named === undefined ? detectDialect(found, at) : findDialect(named);
  if (named !== undefined) requireOneDialect(definition, found, at);
  const messages = last?.turn ? [...found, ...asList(definition.writeTurn(last.turn))] : found;
  const transcript = definition.read(messages, at);
  const offered = tools ? readTools(tools) : last?.tools?.map((tool, index) => ({ ...tool, at: `tools[${index}]` }));
  return {
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
  return { dialect: found, transcript };
}

/**
 * Lists what a provider's API would refuse in a conversation, or accept to its harm.
 *
 * @param messages - Messages, an object that holds them (a request body with `tools` too), or a scripted model.
 * @param dialect - As in {@link readConversation}.
 * @returns One violation for each fault, in the order of the rules; `[]` when the API accepts the conversation.
 *   `strict` has no part in it: the list holds warnings always, and `severity` tells them apart.
 * @throws {UsageError} when the value holds no messages, or they are in no one dialect.
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
 */
export function findingsIn(
  conversation: OpenConversation,
  options: CheckOptions = {},
  asker = "checkConversation()",
  rules: readonly Rule[] = conversation.definition.rules,
): Finding[] {
  requireOptions(options, asker);
  const { transcript, pairing, tools, spoken } = conversation;
  return withoutSurprise(asker, () =>
    applyRules(rules, {
      transcript,
      pairing,
      options: spoken && !options.spoken ? { ...options, spoken: spoken.turns } : options,
      tools: options.tools ? readTools(options.tools) : tools,
      ...stageOf(transcript, pairing, options.stage),
    }),
  );
}

const STAGES: readonly unknown[] = ["auto", "request", "after-model"];

/** @throws {UsageError} at an option that would be ignored silently. */
function requireOptions(options: unknown, asker: string): void {
  if (!isRecord(options)) {
    throw new UsageError(
      `${asker} cannot use its options: expected an object such as { stage: "request" }, found ${oneLine(options, 60)}.`,
    );
  }
  const { stage = "auto", tools = [], spoken = [] } = options;
  if (!STAGES.includes(stage)) {
    throw new UsageError(
      `${asker} cannot use the option stage: expected "auto", "request" or "after-model", found ${oneLine(stage, 60)}.`,
    );
  }
  for (const [name, list] of Object.entries({ tools, spoken })) {
    if (Array.isArray(list)) continue;
    throw new UsageError(`${asker} cannot use the option ${name}: expected a list, found ${oneLine(list, 60)}.`);
  }
}
