import { cutText, isRecord, oneLine } from "../../json.js";
import { type Fault, indexIn, type Rule } from "../../rules/rule.js";
import type { Part, TranscriptMessage } from "../../transcript/types.js";
import { FOREIGN_BLOCKS } from "./detect.js";

/*
 * What the API says about the shape of a message, before it looks at what answers what. A message without fault passes
 * each visitor without a string or an object being made for it.
 */

/** The API's answers to malformed bodies, sent to it one by one: docs/conformance-matrix.md there, section 5.5.7. */
const MEASURED = "https://github.com/kangminlee-maker/local-OAuth-CLI-API-adapter (measured answers of the API)";

/** `messages[1].content[0]` as the API writes it: `messages.1.content.0`. */
export function dotted(at: string): string {
  return at
    .replace(/^.*?(?=\[)/, "messages")
    .replaceAll("[", ".")
    .replaceAll("]", "");
}

/** The message about a required field that is absent or of another type: `Field required`. */
export function fieldText(value: unknown, expected: string): string {
  return value === undefined ? "Field required" : `Input should be ${expected}`;
}

/** `tool` is none of the API's, and named by result-role: it is the trap of code ported from Chat Completions. */
const ROLES: ReadonlySet<string> = new Set(["user", "assistant", "system", "tool"]);

const FIX_ROLE =
  'Write role: "assistant" for what the model said, "user" for what it is told and for tool_result blocks.';

/** Whether a message has a role of this API, or the one that another rule names. What has not is named by `role` alone. */
export function hasKnownRole({ role }: { readonly role: string }): boolean {
  return ROLES.has(role);
}

function roleOf({ wire }: TranscriptMessage): unknown {
  return isRecord(wire) ? wire.role : undefined;
}

const role: Rule = {
  id: "anthropic/role",
  severity: "error",
  source: MEASURED,
  visit: (_context, found) => ({
    message(message) {
      if (hasKnownRole(message)) return;
      const value = roleOf(message);
      if (typeof value === "string") return;
      const at = `${message.at}.role`;
      found({ at, message: `${dotted(at)}: ${fieldText(value, "a valid string")}`, fix: FIX_ROLE });
    },
  }),
};

// Warnings, and so are unknown types of blocks: what this package does not know yet, the API may.
const unknownRole: Rule = {
  id: "anthropic/unknown-role",
  severity: "warn",
  source: MEASURED,
  visit: (_context, found) => ({
    message(message) {
      if (hasKnownRole(message)) return;
      const value = roleOf(message);
      if (typeof value !== "string") return;
      found({
        at: `${message.at}.role`,
        message: `messages: Unexpected role "${cutText(value, 40)}". Allowed roles are "user" or "assistant"`,
        fix: FIX_ROLE,
      });
    },
  }),
};

const systemFirst: Rule = {
  id: "anthropic/system-first",
  // A warning: its own types let a system message into the list, and say nothing of where.
  severity: "warn",
  source: MEASURED,
  visit: (_context, found) => ({
    message(message) {
      if (message.role !== "system" || indexIn(message.at) !== 0 || message.parts.length === 0) return;
      found({
        at: message.at,
        message: "messages.0: use the top-level 'system' parameter for the initial system prompt",
        fix: `Send the text of ${message.at} as system, beside messages.`,
      });
    },
  }),
};

const contentType: Rule = {
  id: "anthropic/content-type",
  severity: "error",
  source: MEASURED,
  visit: (_context, found) => ({
    message(message) {
      const { wire } = message;
      if (!isRecord(wire) || typeof wire.content === "string" || Array.isArray(wire.content)) return;
      if (message.role === "tool" || !hasKnownRole(message)) return;
      const { at } = message;
      found({
        at: `${at}.content`,
        message: `${dotted(at)}.content: ${fieldText(wire.content, "a valid array")}`,
        fix:
          wire.content === undefined || wire.content === null
            ? "Leave the message out, or say something in it."
            : `Write the content as text or as blocks, found ${oneLine(wire.content, 80)}.`,
      });
    },
  }),
};

const blockShape: Rule = {
  id: "anthropic/block-shape",
  severity: "error",
  source: `${MEASURED}; https://github.com/lidge-jun/opencodex/issues/420; https://github.com/TanStack/ai/issues/532; https://github.com/anthropics/claude-code/issues/66760`,
  visit: (_context, found) => ({
    parts: (parts, message) => hasBlocks(message) && judge(parts, faultOf, found),
  }),
};

/** What has none is text, or named by content-type. */
function hasBlocks({ wire }: TranscriptMessage): boolean {
  return isRecord(wire) && Array.isArray(wire.content);
}

/** Judges each block, those in tool results too. */
function judge(
  parts: readonly Part[],
  faultOf: (part: Part) => Fault | undefined,
  found: (fault: Fault) => void,
): void {
  for (const part of parts) {
    const fault = faultOf(part);
    if (fault) found(fault);
    if (part.kind !== "result" || typeof part.content !== "object") continue;
    // The first is named: a result that lists a hundred rows is one mistake.
    const first = part.content.find((inner) => faultOf(inner));
    if (first) found(faultOf(first)!);
  }
}

function faultOf(part: Part): Fault | undefined {
  const { kind, wire } = part;
  // Text may be the content itself; nothing is wrong with its shape then.
  if (kind === "text") {
    return !isRecord(wire) || typeof wire.text === "string"
      ? undefined
      : blockFault(
          part,
          "text",
          "text",
          "a valid string",
          "Write the text as a string, and leave the block out where there is nothing to say.",
        );
  }
  if (kind === "call") {
    if (part.name !== "") return undefined;
    const name = isRecord(wire) ? wire.name : undefined;
    return {
      at: `${part.at}.name`,
      message: `${dotted(part.at)}.tool_use.name: ${name === "" ? "String should have at least 1 character" : fieldText(name, "a valid string")}`,
      fix: "Append the call with the name the model gave it; where it gave none, leave the whole turn out.",
    };
  }
  if (kind === "image" || kind === "document") {
    return isRecord(wire) && isRecord(wire.source)
      ? undefined
      : blockFault(part, kind, "source", "an object", `Write source: { type: "base64", media_type, data }.`);
  }
  return kind === "unknown" ? unreadFault(part) : undefined;
}

function blockFault({ at, wire }: Part, type: string, key: string, expected: string, fix: string): Fault {
  const value = isRecord(wire) ? wire[key] : undefined;
  return { at: `${at}.${key}`, message: `${dotted(at)}.${type}.${key}: ${fieldText(value, expected)}`, fix };
}

/** What is no block at all, has no type, or has one of another API. */
function unreadFault({ at, wire }: Part): Fault | undefined {
  if (!isRecord(wire)) {
    const text = typeof wire === "string" ? cutText(wire, 40) : oneLine(wire, 40);
    const fix = `Write { type: "text", text: ${JSON.stringify(text)} }.`;
    return { at, message: `${dotted(at)}: Input should be an object`, fix };
  }
  const { type } = wire;
  if (typeof type !== "string") {
    const fix = 'Give the block its type: { type: "text", text: … }.';
    return { at: `${at}.type`, message: `${dotted(at)}.type: ${fieldText(type, "a valid string")}`, fix };
  }
  if (!FOREIGN_BLOCKS.test(type)) return undefined;
  return {
    at: `${at}.type`,
    message: unknownTag(at, type),
    fix: "It is a part of another API: convert it where it enters the messages.",
  };
}

function unknownTag(at: string, type: string): string {
  return `${dotted(at)}: Input tag '${type}' found using 'type' does not match any of the expected tags: 'document', 'image', 'redacted_thinking', 'search_result', 'server_tool_use', 'text', 'thinking', 'tool_result', 'tool_use', …`;
}

/** Read in the types of @anthropic-ai/sdk 1.14.0 and in the API's own list; other than those the reader knows. */
const KNOWN_BLOCKS: ReadonlySet<string> = new Set([
  "search_result",
  "container_upload",
  "connector_text",
  "mid_conv_system",
  "compaction",
  "fallback",
  "tool_addition",
  "tool_removal",
  "tool_reference",
  "mcp_tool_listing",
  "browser_state",
]);

// A warning: server tools and betas bring new blocks several times a year, and what the API itself sent has to go back.
// Refusing a block because this package is older than the API would be worse than to let a misspelt one pass.
const blockType: Rule = {
  id: "anthropic/block-type",
  severity: "warn",
  source: "https://github.com/anthropics/claude-code/issues/66760",
  visit: (_context, found) => ({
    parts: (parts, message) => hasBlocks(message) && judge(parts, unknownBlock, found),
  }),
};

function unknownBlock(part: Part): Fault | undefined {
  if (part.kind !== "unknown" || KNOWN_BLOCKS.has(part.type) || FOREIGN_BLOCKS.test(part.type)) return undefined;
  const { at, wire, type } = part;
  if (!isRecord(wire) || wire.type !== type) return undefined;
  return {
    at: `${at}.type`,
    message: unknownTag(at, type),
    fix: "Check the spelling of the type. Where the API knows the block and this package does not, nothing is to be done.",
  };
}

// The calls of neighbouring messages are one turn to the API, as its reference says and as user messages show: the
// combined turn asks for all of them, and the next message answers them. Words behind a call are another matter, see
// `continues` in index.ts.
const splitTurn: Rule = {
  id: "anthropic/split-turn",
  severity: "warn",
  source: "https://docs.anthropic.com/en/api/messages (consecutive turns are combined into a single turn)",
  visit(_context, found) {
    let before: TranscriptMessage | undefined;
    let asked = false;
    return {
      parts(parts, message) {
        const asks = parts.some(({ kind }) => kind === "call");
        if (asked && asks && before && continuesTurn(message, before)) {
          found({
            at: message.at,
            message: `${dotted(message.at)}: the calls of one turn stand in several assistant messages. The API combines them; Bedrock Converse, and proxies that translate, do not.`,
            fix: `Append the turn as the model spoke it: its blocks in one message, ${before.at}.`,
          });
        }
        before = message;
        asked = asks;
      },
    };
  },
};

/** Whether a message goes on with the calls of the one directly before it. */
export function continuesTurn(message: TranscriptMessage, before: TranscriptMessage): boolean {
  return message.role === "assistant" && before.role === "assistant" && message.parts[0]?.kind === "call";
}

/** They come before the rules about pairing: what is no call cannot be answered. */
export const shapes: readonly Rule[] = [role, contentType, blockShape, unknownRole, systemFirst, blockType, splitTurn];
