import { isRecord, oneLine } from "../../json.js";
import { type Fault, indexIn, type OpenTurn, placesOf, type Rule, unanswered } from "../../rules/rule.js";
import type { CallOutcome, Pairing, TurnOutcome } from "../../transcript/pairing.js";
import { isGenuineUserMessage, isTurn, sinceLastUser, textOf } from "../../transcript/queries.js";
import type { AssistantTurn } from "../../transcript/turn.js";
import type { Part, ResultPart, TranscriptMessage } from "../../transcript/types.js";
import { lastMessage } from "../../transcript/wire-transcript.js";
import { ManyIds } from "./many-ids.js";
import { dotted, fieldText, hasKnownRole, shapes } from "./shapes.js";

const CALL_ID = /^[a-zA-Z0-9_-]+$/;
const SERVER_CALL_ID = /^srvtoolu_[a-zA-Z0-9_]+$/;
const TOOL_NAME = /^[a-zA-Z0-9_-]{1,128}$/;

/** Visits every part of every message. */
function eachPart(
  messages: readonly TranscriptMessage[],
  visit: (part: Part, message: TranscriptMessage) => void,
): void {
  for (const message of messages) for (const part of message.parts) visit(part, message);
}

function resultOf(outcome: CallOutcome): ResultPart | undefined {
  return outcome.answer ?? outcome.late?.result;
}

const callRole: Rule = {
  id: "anthropic/call-role",
  severity: "error",
  source: "https://github.com/V1ki/dsh-plugin-subscriptions/issues/22",
  visit: (_context, found) => ({
    parts(parts, message, asked) {
      if (
        message.role === "assistant" ||
        !asked ||
        !hasKnownRole(message) ||
        !parts.some((part) => part.kind === "call")
      )
        return;
      const { role, at } = message;
      const { calls } = asked;
      found({
        at: calls[0]!.call.at,
        message: `${dotted(at)}: \`tool_use\` blocks can only be in \`assistant\` messages`,
        fix: `Append the turn that asked with role "assistant": ${at} has role "${role}".`,
        calls,
      });
    },
  }),
};

const resultRole: Rule = {
  id: "anthropic/result-role",
  severity: "error",
  source: "https://github.com/V1ki/dsh-plugin-subscriptions/issues/22 (wording as quoted in tests of several projects)",
  visit(_context, found) {
    let blamed: { readonly asked: TurnOutcome | undefined } | undefined;
    return {
      parts(parts, message, asked) {
        // Results in the shape of Chat Completions: tool messages with text and no block, one for each call.
        if (message.role !== "tool" || parts.some((part) => part.kind === "result")) return;
        if (blamed && blamed.asked === asked) return;
        blamed = { asked };
        const open = asked?.calls.filter((outcome) => !outcome.answer && !outcome.late) ?? [];
        found({ ...wrongRole(message.at, "tool"), calls: open, covers: placesOf(open) });
      },
      calls(calls) {
        if (!calls.some(isMisplaced)) return;
        const misplaced = calls.filter(isMisplaced);
        const { at, role } = resultOf(misplaced[0]!)!;
        found({ ...wrongRole(at, role), calls: misplaced, covers: placesOf(misplaced) });
      },
    };
  },
};

function isMisplaced(outcome: CallOutcome): boolean {
  const result = resultOf(outcome);
  return result !== undefined && result.role !== "user" && hasKnownRole(result);
}

function wrongRole(at: string, role: string): Fault {
  return {
    at,
    message: `messages.${indexIn(at)}: \`tool_result\` blocks can only be in \`user\` messages`,
    fix: `Put the results into a message with role "user", as blocks { type: "tool_result", tool_use_id, content }: it has role "${role}".`,
  };
}

const duplicateCallId: Rule = {
  id: "anthropic/duplicate-call-id",
  severity: "error",
  source: "https://github.com/anomalyco/opencode/issues/1279",
  pairing: true,
  visit({ pairing }, found) {
    const ids = new ManyIds();
    let first: ReadonlyMap<string, CallOutcome> | undefined;
    return {
      call(outcome) {
        const { id } = outcome.call;
        if (ids.add(id)) return;
        // Made at the first fault: mostly, there is none.
        first ??= firstCalls(pairing);
        const other = first.get(id)!;
        // Within one turn the twin may be the one that stays unanswered.
        const twins = other.turn === outcome.turn ? [outcome, other] : [outcome];
        const { at } = outcome.call;
        found({
          at,
          message: `${dotted(at)}: \`tool_use\` ids must be unique`,
          fix: `Append the call with the id the model gave it: ${id} is already used at ${other.call.at}.`,
          calls: [outcome],
          covers: placesOf(twins),
        });
      },
    };
  },
};

/** The first call with each id. */
function firstCalls({ turns }: Pairing): ReadonlyMap<string, CallOutcome> {
  const first = new Map<string, CallOutcome>();
  for (const { calls } of turns) {
    for (const outcome of calls) if (!first.has(outcome.call.id)) first.set(outcome.call.id, outcome);
  }
  return first;
}

const duplicateResult: Rule = {
  id: "anthropic/duplicate-result",
  severity: "error",
  source: "https://docs.anthropic.com/en/api/errors (wording as quoted in eight independent projects)",
  pairing: true,
  check({ pairing }, found) {
    for (const { calls } of pairing.broken) {
      for (const outcome of calls) {
        const [twice] = outcome.duplicates;
        if (!twice) continue;
        found({
          at: twice.at,
          message: `${dotted(twice.at)}: each tool_use must have a single result. Found multiple \`tool_result\` blocks with id: ${outcome.call.id}`,
          fix: `Keep one tool_result for ${outcome.call.id}: ${outcome.answer?.at ?? "another block"} answers it already.`,
          calls: [outcome],
          covers: outcome.duplicates.map((result) => result.at),
        });
      }
    }
  },
};

const resultIdRequired: Rule = {
  id: "anthropic/result-id-required",
  severity: "error",
  source: "https://docs.anthropic.com/en/api/messages (tool_use_id is required; wording as quoted in tests)",
  check({ pairing }, found) {
    const blamed = new Set<CallOutcome>();
    for (const { result, after } of pairing.orphans) {
      if (result.callId !== undefined) continue;
      // The call that this result was meant for stays open because of this same fault.
      const meant = after?.calls.find((outcome) => !outcome.answer && !outcome.late && !blamed.has(outcome));
      if (meant) blamed.add(meant);
      found({
        at: result.at,
        message: `${dotted(result.at)}.tool_result.tool_use_id: Field required`,
        fix: meant
          ? `Write tool_use_id: "${meant.call.id}" into ${result.at}.`
          : "Write the id of the call it answers as tool_use_id.",
        calls: meant ? [meant] : [],
        covers: meant ? placesOf([meant]) : [],
      });
    }
  },
};

const resultsNotLeading: Rule = {
  id: "anthropic/results-not-leading",
  severity: "error",
  source: "https://github.com/langchain-ai/langchain-aws/issues/451",
  pairing: true,
  check(context, found) {
    for (const { turn, open } of unanswered(context)) {
      const block = open.find((outcome) => outcome.late?.behind.sameMessage)?.late?.behind;
      if (!block) continue;
      found({
        at: block.at,
        message: unansweredText(turn, open),
        fix: `The order is wrong, ${block.at} stands before a result: put the tool_result blocks of ${block.message.at} first, and its other blocks after them.`,
        calls: open,
        covers: placesOf(open),
      });
    }
  },
};

const unansweredCall: Rule = {
  id: "anthropic/unanswered-call",
  severity: "error",
  source: "https://github.com/anthropics/claude-code/issues/5989",
  pairing: true,
  check(context, found) {
    for (const openTurn of unanswered(context)) {
      const { turn, open, misnamed } = openTurn;
      found({
        at: open[0]!.call.at,
        message: unansweredText(turn, open),
        fix: fixUnanswered(openTurn),
        calls: open,
        covers: [...placesOf(open), ...misnamed.map(({ at }) => at)],
      });
    }
  },
};

function fixUnanswered({ turn, open, answers: [sibling], misnamed: [misnamed] }: OpenTurn): string {
  const { call, late } = open.find((outcome) => outcome.late) ?? open[0]!;
  if (late) {
    return `Put the result of ${call.id} (${late.result.at}) into the message directly after ${turn.at}: ${late.behind.at} stands between.`;
  }
  if (misnamed) return `Write tool_use_id: "${call.id}" into ${misnamed.at}: it answers ${misnamed.callId || '""'}.`;
  const blocks = open
    .map((outcome) => `{ type: "tool_result", tool_use_id: "${outcome.call.id}", content: "…" }`)
    .join(", ");
  if (sibling) return `Add ${blocks} beside ${sibling.at}: all results of a turn belong in one message.`;
  return `Insert { role: "user", content: [${blocks}] } directly after ${turn.at}.`;
}

function unansweredText(turn: TranscriptMessage, open: readonly CallOutcome[]): string {
  const ids = open.map(({ call }) => call.id).join(", ");
  return `${dotted(turn.at)}: \`tool_use\` ids were found without \`tool_result\` blocks immediately after: ${ids}. Each \`tool_use\` block must have a corresponding \`tool_result\` block in the next message.`;
}

const orphanResult: Rule = {
  id: "anthropic/orphan-result",
  severity: "error",
  source: "https://github.com/anthropics/claude-code/issues/13460",
  pairing: true,
  check({ pairing }, found) {
    for (const { result } of pairing.orphans) {
      if (result.callId === undefined) continue;
      found({
        at: result.at,
        message: `${dotted(result.at)}: unexpected \`tool_use_id\` found in \`tool_result\` blocks: ${result.callId}. Each \`tool_result\` block must have a corresponding \`tool_use\` block in the previous message.`,
        fix: `Keep the assistant message that asked for ${result.callId || "it"} directly before the result, or drop both.`,
      });
    }
  },
};

const splitResults: Rule = {
  id: "anthropic/split-results",
  severity: "warn",
  source: "https://github.com/anthony-chaudhary/fak/issues/5797",
  visit(_context, found) {
    /** The first message of the run of results that is being read, and whether the run has been reported. */
    let first: TranscriptMessage | undefined;
    let reported = false;
    return {
      parts(parts, message) {
        if (!holdResults(parts, message)) first = undefined;
        else if (!first) {
          first = message;
          reported = false;
        } else if (!reported) {
          reported = true;
          found({
            at: message.at,
            message: `${dotted(message.at)}: the results of one turn stand in several user messages. The API merges them, and the model learns to stop calling tools in parallel.`,
            fix: `Move the tool_result blocks of ${message.at}, and of those after it, into ${first.at}.`,
          });
        }
      },
    };
  },
};

function holdResults(parts: readonly Part[], { role }: TranscriptMessage): boolean {
  return role === "user" && parts.some((part) => part.kind === "result");
}

const systemBetween: Rule = {
  id: "anthropic/system-between",
  severity: "warn",
  source:
    "https://docs.anthropic.com/en/api/messages (SystemMessageParam in the 1.14.0 types; the place between is not described)",
  visit(_context, found) {
    let before: readonly Part[] = [];
    let between: TranscriptMessage | undefined;
    return {
      parts(parts, message) {
        if (between && holdResults(parts, message)) {
          found({
            at: between.at,
            message: `${dotted(between.at)}: a system message stands between \`tool_use\` and \`tool_result\`; whether the API takes it there is not known.`,
            fix: `Move ${between.at} behind ${message.at}.`,
          });
        }
        const asked = message.role === "system" && before.some((part) => part.kind === "call");
        between = asked ? message : undefined;
        before = parts;
      },
    };
  },
};

const callIdFormat: Rule = {
  id: "anthropic/call-id-format",
  severity: "error",
  source: "https://github.com/screenpipe/screenpipe/pull/3252",
  visit: ({ pairing }, found) => ({
    call(outcome) {
      const { id } = outcome.call;
      if (CALL_ID.test(id)) return;
      // What answers a call that lost its id answers nothing: the same fault from its other side.
      const lost = id === "" ? pairing.broken.find(({ turn }) => turn === outcome.turn)?.strangers : undefined;
      const covers = [...placesOf([outcome]), ...(lost ?? []).map(({ at }) => at)];
      found({ ...badId(outcome.call, "tool_use", CALL_ID, id), calls: [outcome], covers });
    },
    parts(parts) {
      for (const part of parts) {
        if (part.kind !== "server-call" || !isRecord(part.wire) || part.wire.type !== "server_tool_use") continue;
        if (!SERVER_CALL_ID.test(part.id)) found(badId(part, "server_tool_use", SERVER_CALL_ID, part.id));
      }
    },
  }),
};

function badId({ at, wire }: Part, type: string, pattern: RegExp, id: string): Fault {
  const written = isRecord(wire) ? wire.id : undefined;
  const text =
    typeof written === "string"
      ? `String should match pattern '${pattern.source}'`
      : fieldText(written, "a valid string");
  return {
    at,
    message: `${dotted(at)}.${type}.id: ${text}`,
    fix: `Keep the id the API gave, or map ${id === "" ? "the empty id" : oneLine(id, 80)} to one of that pattern, in the call and in its result alike.`,
  };
}

const inputNotObject: Rule = {
  id: "anthropic/input-not-object",
  severity: "error",
  source: "https://github.com/anthropics/anthropic-sdk-typescript/issues/648",
  visit: (_context, found) => ({
    call(outcome) {
      const { wire } = outcome.call;
      const input = isRecord(wire) ? wire.input : undefined;
      if (isRecord(input)) return;
      const { at } = outcome.call;
      found({
        at,
        message: `${dotted(at)}.tool_use.input: ${fieldText(input, "a valid dictionary")}`,
        fix: `Append the call with its input as an object, {} where there is none: found ${oneLine(input, 80)}.`,
        calls: [outcome],
      });
    },
  }),
};

/** A rule about each result that answers a call. */
function resultRule(
  rule: Pick<Rule, "id" | "severity" | "source">,
  judge: (result: ResultPart) => Pick<Fault, "message" | "fix"> | undefined,
): Rule {
  return {
    ...rule,
    visit: (_context, found) => ({
      call(outcome) {
        const result = resultOf(outcome);
        const fault = result && judge(result);
        if (fault) found({ at: result.at, calls: [outcome], ...fault });
      },
    }),
  };
}

function isEmptyResult({ content, malformed }: ResultPart): boolean {
  return !malformed && (content === undefined || content.length === 0);
}

const emptyErrorResult = resultRule(
  {
    id: "anthropic/empty-error-result",
    severity: "error",
    source: "https://github.com/bytedance/trae-agent/issues/230",
  },
  (result) =>
    result.isError && isEmptyResult(result)
      ? {
          message: `${dotted(result.at)}.tool_result: content cannot be empty if \`is_error\` is true`,
          fix: 'Say what failed: content: "The tool failed." will do.',
        }
      : undefined,
);

const emptyResult = resultRule(
  {
    id: "anthropic/empty-result",
    severity: "warn",
    source: "https://docs.anthropic.com/en/api/messages (content is optional)",
  },
  (result) =>
    !result.isError && isEmptyResult(result)
      ? {
          message: `${dotted(result.at)}.tool_result: content is empty. The Messages API accepts it; behind Bedrock Converse it is refused.`,
          fix: 'Write something the model can read, such as "(no output)".',
        }
      : undefined,
);

// Not in the published tables: the SDK's type allows a string or a list of blocks, and the API validates against it.
const resultContentType = resultRule(
  {
    id: "anthropic/result-content-type",
    severity: "error",
    source: "https://docs.anthropic.com/en/api/messages (ToolResultBlockParam)",
  },
  (result) =>
    result.malformed
      ? {
          message: `${dotted(result.at)}.tool_result.content: Input should be a valid string or list`,
          fix: `Write the result as text: content: JSON.stringify(…), found ${oneLine(result.raw, 80)}.`,
        }
      : undefined,
);

const emptyText: Rule = {
  id: "anthropic/empty-text",
  severity: "error",
  source: "https://github.com/vercel/ai/issues/5576",
  visit: (_context, found) => ({
    parts(parts) {
      for (const part of parts) {
        if (part.kind !== "text" || /\S/.test(part.text)) continue;
        // A block without a text at all is named by block-shape.
        if (isRecord(part.wire) && typeof part.wire.text !== "string") continue;
        found({
          at: part.at,
          message:
            part.text === ""
              ? "messages: text content blocks must be non-empty"
              : "messages: text content blocks must contain non-whitespace text",
          fix: "Leave the text block out where there is nothing to say.",
        });
      }
    },
  }),
};

// Other roles are unknown here, and a tool message is named by result-role.
const SPEAKERS = new Set(["user", "assistant", "system"]);

const emptyContent: Rule = {
  id: "anthropic/empty-content",
  severity: "error",
  source: "https://github.com/microsoft/autogen/issues/6083",
  visit: ({ transcript }, found) => ({
    parts(parts, message) {
      if (parts.length > 0 || !SPEAKERS.has(message.role) || !isContent(message.wire)) return;
      if (message.role === "assistant" && message.at === lastMessage(transcript)?.at) return;
      found({
        at: message.at,
        message: `${dotted(message.at)}: all messages must have non-empty content except for the optional final assistant message`,
        fix: "Leave the message out, or say something in it.",
      });
    },
  }),
};

/** What is neither text nor a list is named by content-type. */
function isContent(wire: unknown): boolean {
  return isRecord(wire) && (typeof wire.content === "string" || Array.isArray(wire.content));
}

const thinkingFirst: Rule = {
  id: "anthropic/thinking-first",
  severity: "error",
  yields: true,
  source: "https://github.com/deepset-ai/haystack-core-integrations/issues/2146",
  check({ transcript, options, pairing }, found) {
    if (!options.thinking) return;
    // All messages of one tool loop are one turn to the API: its first block has to be thinking.
    const turns = sinceLastUser(transcript).filter(isTurn);
    const asking = turns.findLast((turn) => turn.parts.some((part) => part.kind === "call"));
    if (!asking || turns.some((turn) => turn.parts[0]?.kind === "reasoning")) return;
    const block = asking.parts[0]!;
    const type = isRecord(block.wire) && typeof block.wire.type === "string" ? block.wire.type : "text";
    found({
      at: block.at,
      message: `${dotted(asking.at)}.content.0.type: Expected \`thinking\` or \`redacted_thinking\`, but found \`${type}\`. When \`thinking\` is enabled, a final \`assistant\` message must start with a thinking block (preceeding the lastmost set of \`tool_use\` and \`tool_result\` blocks).`,
      fix: `Append the turn as the model spoke it: its thinking blocks, signature included, first in ${asking.at}.`,
      calls: pairing.turns.find(({ turn }) => turn === asking)?.calls ?? [],
    });
  },
};

const thinkingModified: Rule = {
  id: "anthropic/thinking-modified",
  severity: "error",
  source: "https://github.com/anthropics/claude-code/issues/63203",
  check({ transcript, options }, found) {
    if (options.thinking === false || !options.spoken?.length) return;
    const latest = transcript.messages.findLast(isTurn);
    // One model may say the same words in several conversations, each time after another thought.
    const same = latest ? options.spoken.filter((turn) => isSameTurn(turn, latest)) : [];
    const spoken = same.at(-1);
    if (!latest || !spoken || same.some((turn) => turn.reasoning === undefined)) return;
    const said = thoughtOf(spoken);
    const kept = latest.parts.filter((part) => part.kind === "reasoning");
    if (same.some((turn) => kept.some((part) => part.text === thoughtOf(turn).text))) return;
    // A turn that only speaks may go without its thoughts: the API drops them itself.
    if (kept.length === 0 && spoken.kind === "text") return;
    const at = kept[0]?.at ?? latest.parts[0]?.at ?? latest.at;
    found({
      at,
      message: `${dotted(kept[0]?.at ?? `${latest.at}.content[0]`)}: \`thinking\` or \`redacted_thinking\` blocks in the latest assistant message cannot be modified. These blocks must remain as they were in the original response.`,
      fix: `Append the thinking block as the model spoke it: ${oneLine(said.text, 80)}.`,
    });
  },
};

const thinkingSignature: Rule = {
  id: "anthropic/thinking-signature",
  severity: "error",
  source: "https://github.com/lbjlaq/Antigravity-Manager/issues/498",
  check({ transcript, options }, found) {
    const signatures = new Map<string, Set<string | undefined>>();
    for (const turn of options.spoken ?? []) {
      if (turn.reasoning === undefined) continue;
      const { text, signature } = thoughtOf(turn);
      signatures.set(text, (signatures.get(text) ?? new Set()).add(signature));
    }
    if (signatures.size === 0) return;
    eachPart(transcript.messages, (part) => {
      if (part.kind !== "reasoning" || !signatures.has(part.text)) return;
      // A thought that was spoken without a signature, or with this one, is as it was spoken.
      const spoken = signatures.get(part.text);
      if (!spoken || spoken.has(undefined) || spoken.has(part.signature)) return;
      found({
        at: part.at,
        message: `${dotted(part.at)}: Invalid \`signature\` in \`thinking\` block`,
        fix: "Append the block with the signature the model gave it, untouched.",
      });
    });
  },
};

function thoughtOf({ reasoning = "" }: AssistantTurn): { text: string; signature?: string } {
  return typeof reasoning === "string" ? { text: reasoning } : reasoning;
}

/** A turn in the messages is the spoken one when it asks for the same calls, or says the same words. */
function isSameTurn(spoken: AssistantTurn, message: TranscriptMessage): boolean {
  const calls = message.parts.filter((part) => part.kind === "call");
  if (spoken.kind === "text") return calls.length === 0 && textOf(message) === spoken.content;
  return calls.length === spoken.calls.length && calls.every((call, index) => call.id === spoken.calls[index]!.id);
}

const thinkingDisabledFinal: Rule = {
  id: "anthropic/thinking-disabled-final",
  severity: "error",
  source: "https://github.com/antinomyhq/forgecode/issues/1853",
  check({ transcript, options, endsRequest }, found) {
    if (options.thinking !== false || !endsRequest) return;
    const last = lastMessage(transcript);
    if (last?.role !== "assistant") return;
    const thought = last.parts.find((part) => part.kind === "reasoning");
    if (!thought) return;
    found({
      at: thought.at,
      message: "When thinking is disabled, an `assistant` message in the final position cannot contain `thinking`.",
      fix: `Drop the thinking blocks of ${last.at}, or leave thinking on.`,
    });
  },
};

const serverToolPair: Rule = {
  id: "anthropic/server-tool-pair",
  severity: "error",
  source: "https://github.com/anthropics/claude-code/issues/64383",
  visit(_context, found) {
    // A turn goes on in the next assistant message when it was paused, and behind the results of the tools that the
    // provider's code called; when the user speaks, the pair is parted.
    const asked = new Set<string>();
    return {
      parts(parts, message) {
        if (asked.size > 0 && isGenuineUserMessage(message)) asked.clear();
        for (const part of parts) {
          if (part.kind === "server-call") asked.add(part.id);
          if (part.kind !== "server-result" || asked.has(part.callId)) continue;
          const type = isRecord(part.wire) ? String(part.wire.type) : "server_tool_result";
          found({
            at: part.at,
            message: `unexpected \`tool_use_id\` found in \`${type}\` blocks: ${part.callId}. Each \`${type}\` block must have a corresponding \`server_tool_use\` block before it.`,
            fix: "Keep the server_tool_use block and its result together in the assistant message, as the API sent them.",
          });
        }
      },
    };
  },
};

const toolName: Rule = {
  id: "anthropic/tool-name",
  severity: "error",
  source: "https://github.com/github/copilot-cli/issues/1879",
  check({ tools }, found) {
    for (const { name, at } of tools ?? []) {
      if (TOOL_NAME.test(name)) continue;
      found({
        at,
        message: `tools.${indexIn(at)}.custom.name: String should match pattern '${TOOL_NAME.source}'`,
        fix: `Use letters, digits, underscores and dashes only, at most 128: found ${oneLine(name, 80)}. Map the name back when the model calls it.`,
      });
    }
  },
};

const endsOnAssistant: Rule = {
  id: "anthropic/ends-on-assistant",
  severity: "error",
  source: "https://docs.anthropic.com/en/api/messages (prefill; wording as quoted in tests)",
  check({ transcript, options, pairing, endsRequest }, found) {
    if (options.prefill !== false || !endsRequest) return;
    const last = lastMessage(transcript);
    if (last?.role !== "assistant") return;
    // Open calls at the end are named by unanswered-call: answering them mends this too.
    if (pairing.turns.at(-1)?.turn === last) return;
    found({
      at: last.at,
      message: "This model does not support assistant message prefill. The conversation must end with a user message.",
      fix: `End the request before ${last.at}, or go on with a user message.`,
    });
  },
};

const toolsRequired: Rule = {
  id: "anthropic/tools-required",
  severity: "warn",
  source: "https://docs.anthropic.com/en/api/messages (wording as quoted in one test file)",
  check({ tools, pairing }, found) {
    if (!tools || tools.length > 0) return;
    const first = pairing.turns[0]?.calls[0]?.call.at ?? pairing.orphans[0]?.result.at;
    if (first === undefined) return;
    found({
      at: first,
      message: "Requests which include `tool_use` or `tool_result` blocks must define tools.",
      fix: "Offer the tools again in every request of the conversation.",
    });
  },
};

export const rules: readonly Rule[] = [
  ...shapes,
  callRole,
  resultRole,
  callIdFormat,
  duplicateCallId,
  duplicateResult,
  resultIdRequired,
  resultsNotLeading,
  unansweredCall,
  orphanResult,
  splitResults,
  systemBetween,
  inputNotObject,
  resultContentType,
  emptyErrorResult,
  emptyResult,
  emptyText,
  emptyContent,
  thinkingModified,
  thinkingFirst,
  thinkingSignature,
  thinkingDisabledFinal,
  serverToolPair,
  toolName,
  endsOnAssistant,
  toolsRequired,
];
