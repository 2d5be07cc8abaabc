import { cutText, isRecord, oneLine } from "../../json.js";
import { type Fault, indexIn, placesOf, type Rule } from "../../rules/rule.js";

/*
 * What the API says about the shape of a message, before it looks at what answers what. The texts are OpenAI's; where a
 * backend that speaks this dialect is known to take more, the rule is a warning.
 *
 * A message without fault passes each visitor without a string or an object being made for it.
 */

/** The API's answers to malformed bodies, sent to it one by one: docs/conformance-matrix.md there, section 5.5.5. */
const MEASURED = "https://github.com/kangminlee-maker/local-OAuth-CLI-API-adapter (measured answers of the API)";

/** A call or result of the function calling of 2023, which had no ids. */
export function isLegacy({ wire }: { readonly wire: unknown }): boolean {
  return isRecord(wire) && (wire.role === "function" || ("arguments" in wire && !("function" in wire)));
}

/** What the API calls a value: `an integer`. */
export function nounFor(value: unknown): string {
  // JSON knows no undefined: in a list it is sent as null.
  if (value === null || value === undefined) return "null";
  if (Array.isArray(value)) return "an array";
  if (typeof value === "number") return Number.isInteger(value) ? "an integer" : "a decimal number";
  return typeof value === "object" ? "an object" : `a ${typeof value}`;
}

function missing(at: string): string {
  return `Missing required parameter: '${at}'.`;
}

function wrongType(at: string, expected: string, value: unknown): string {
  return `Invalid type for '${at}': expected ${expected}, but got ${nounFor(value)} instead.`;
}

/** The message about a required field that is absent or of another type. */
function fieldFault(at: string, expected: "a string" | "an object", value: unknown): Pick<Fault, "at" | "message"> {
  return { at, message: value === undefined ? missing(at) : wrongType(at, expected, value) };
}

const ROLES: ReadonlySet<unknown> = new Set(["system", "assistant", "user", "function", "tool", "developer"]);

const FIX_ROLE =
  'Write role: "assistant" for what the model said, "user" for what it is told, "tool" for the result of a call.';

const role: Rule = {
  id: "openai-chat/role",
  severity: "error",
  source: MEASURED,
  visit(_context, found) {
    const behind = resultsBehind();
    return {
      message(message) {
        const { wire } = message;
        if (!isRecord(wire) || typeof wire.role === "string") return behind.pass(message);
        const at = `${message.at}.role`;
        found({
          at,
          message:
            wire.role === undefined
              ? missing(at)
              : wrongType(at, "one of 'system', 'assistant', 'user', 'function', 'tool', or 'developer'", wire.role),
          fix: FIX_ROLE,
          covers: behind.open(),
        });
      },
    };
  },
};

// A warning, and so are unknown types of parts and calls: what this package does not know, a backend may.
const unknownRole: Rule = {
  id: "openai-chat/unknown-role",
  severity: "warn",
  source: MEASURED,
  visit: (_context, found) => ({
    message(message) {
      const { wire } = message;
      if (!isRecord(wire) || ROLES.has(wire.role) || typeof wire.role !== "string") return;
      found({
        at: `${message.at}.role`,
        message: `Invalid value: '${cutText(wire.role, 40)}'. Supported values are: 'system', 'assistant', 'user', 'function', 'tool', and 'developer'.`,
        fix: FIX_ROLE,
      });
    },
  }),
};

/**
 * The places of the tool messages behind a turn whose calls cannot be read: that they answer nothing is the same fault.
 * The list grows while the conversation is walked through, and is read when that is done.
 */
function resultsBehind() {
  let places: string[] | undefined;
  return {
    open: () => (places = []),
    pass(message: { readonly role: string; readonly at: string }): void {
      if (!places) return;
      if (message.role === "tool") places.push(message.at);
      else places = undefined;
    },
  };
}

const contentType: Rule = {
  id: "openai-chat/content-type",
  severity: "error",
  source: "https://github.com/pydantic/pydantic-ai/issues/2653",
  visit: (_context, found) => ({
    message(message) {
      const { wire } = message;
      if (!isRecord(wire)) return;
      const { content } = wire;
      // What a message lacks is named by content-null, and what is wrong with a result by result-content-type.
      if (typeof content === "string" || content === undefined || content === null || Array.isArray(content)) return;
      if (message.role === "tool") return;
      const at = `${message.at}.content`;
      found({
        at,
        message: wrongType(at, "one of a string or array of objects", content),
        fix: `Write the content as text: ${JSON.stringify(oneLine(content, 80))}.`,
      });
    },
  }),
};

const emptyContent: Rule = {
  id: "openai-chat/empty-content",
  severity: "warn",
  source: "https://github.com/openai/openai-python/issues/1812",
  visit: (_context, found) => ({
    message(message) {
      const { wire } = message;
      if (!isRecord(wire) || !Array.isArray(wire.content) || wire.content.length > 0 || message.role === "tool") return;
      const at = `${message.at}.content`;
      found({
        at,
        message: `'${at}' is an empty array. OpenAI takes it, though its published schema wants at least one part.`,
        fix: 'Write content: "", or leave the message out.',
      });
    },
  }),
};

/** What a part of each type has to hold, under the name of its type. */
const PART_TYPES: Readonly<Record<string, "a string" | "an object">> = {
  text: "a string",
  image_url: "an object",
  input_audio: "an object",
  refusal: "a string",
  audio: "an object",
  file: "an object",
};

/** Parts of other APIs, which code that was ported takes along. */
const FOREIGN_PARTS =
  /^(tool_use|tool_result|thinking|redacted_thinking|image|document|input_text|output_text|input_image|input_file|tool-.*|toolCall.*)$/;

const partShape: Rule = {
  id: "openai-chat/part-shape",
  severity: "error",
  source: "https://github.com/langchain-ai/langgraphjs/issues/506",
  visit: (_context, found) => ({
    message(message) {
      const { wire } = message;
      if (!isRecord(wire) || !Array.isArray(wire.content)) return;
      const { content } = wire;
      for (let index = 0; index < content.length; index++) {
        if (isWhole(content[index]) || hasUnknownType(content[index])) continue;
        // The first is named, as the API does it: a list of a hundred rows is one mistake.
        return found(partFault(content[index], `${message.at}.content[${index}]`));
      }
    },
  }),
};

function isWhole(part: unknown): boolean {
  if (!isRecord(part) || typeof part.type !== "string" || !Object.hasOwn(PART_TYPES, part.type)) return false;
  const held = part[part.type];
  return PART_TYPES[part.type] === "a string" ? typeof held === "string" : isRecord(held);
}

/** DashScope, Moonshot, Zhipu, vLLM and Mistral speak this dialect with parts of their own, `video_url` among them. */
function hasUnknownType(part: unknown): boolean {
  return (
    isRecord(part) &&
    typeof part.type === "string" &&
    !Object.hasOwn(PART_TYPES, part.type) &&
    !FOREIGN_PARTS.test(part.type)
  );
}

function partFault(part: unknown, at: string): Fault {
  if (!isRecord(part)) {
    const text = typeof part === "string" ? cutText(part, 40) : oneLine(part, 40);
    const fix = `Write { type: "text", text: ${JSON.stringify(text)} }.`;
    return { at, message: wrongType(at, "an object", part), fix };
  }
  const { type } = part;
  if (typeof type !== "string") {
    const fix = `Give the part its type: { type: "text", text: … }. A tool that returns a list of objects needs JSON.stringify.`;
    return { ...fieldFault(`${at}.type`, "a string", type), fix };
  }
  const expected = Object.hasOwn(PART_TYPES, type) ? PART_TYPES[type] : undefined;
  if (expected === undefined) return unknownPartType(type, at);
  return {
    ...fieldFault(`${at}.${type}`, expected, part[type]),
    fix: `Write { type: "${type}", ${type}: ${expected} }.`,
  };
}

function unknownPartType(type: string, at: string): Fault {
  return {
    at: `${at}.type`,
    message: `Invalid value: '${cutText(type, 40)}'. Supported values are: 'text', 'image_url', 'input_audio', 'refusal', 'audio', and 'file'.`,
    fix: 'Convert the part where it enters the messages: { type: "text", text: … } takes any text.',
  };
}

const partType: Rule = {
  id: "openai-chat/part-type",
  severity: "warn",
  source: "https://github.com/QwenLM/qwen-code/issues/1888",
  visit: (_context, found) => ({
    message(message) {
      const { wire } = message;
      if (!isRecord(wire) || !Array.isArray(wire.content)) return;
      const { content } = wire;
      for (let index = 0; index < content.length; index++) {
        if (!hasUnknownType(content[index])) continue;
        const fault = unknownPartType(content[index].type, `${message.at}.content[${index}]`);
        return found({ ...fault, message: `${fault.message} (OpenAI's answer; other backends know more.)` });
      }
    },
  }),
};

const imageRole: Rule = {
  id: "openai-chat/image-role",
  severity: "error",
  source: "https://github.com/openai/openai-node/issues/1030",
  visit: (_context, found) => ({
    message(message) {
      const { wire } = message;
      if (!isRecord(wire) || !Array.isArray(wire.content) || wire.role === "user") return;
      // An image in a result is named by result-content-type.
      if (message.role === "tool" || !ROLES.has(wire.role)) return;
      const index = wire.content.findIndex((part) => isRecord(part) && part.type === "image_url");
      if (index < 0) return;
      const { at } = message;
      found({
        at: `${at}.content[${index}]`,
        message: `Invalid '${at}'. Image URLs are only allowed for messages with role 'user', but this message with role '${message.role}' contains an image URL.`,
        fix: "Send the image in a user message.",
      });
    },
  }),
};

const callShape: Rule = {
  id: "openai-chat/call-shape",
  severity: "error",
  source: "https://github.com/langchain-ai/langchain-azure/issues/35",
  visit(_context, found) {
    const behind = resultsBehind();
    return {
      message(message) {
        behind.pass(message);
        const { wire } = message;
        if (!isRecord(wire) || wire.role !== "assistant") return;
        const { tool_calls: calls } = wire;
        if (calls === undefined || calls === null) return;
        if (!Array.isArray(calls)) {
          const fix = "Write tool_calls as a list, also where the turn has one call.";
          const place = `${message.at}.tool_calls`;
          found({ at: place, message: wrongType(place, "an array of objects", calls), fix, covers: behind.open() });
          return;
        }
        for (let index = 0; index < calls.length; index++) {
          if (isWholeCall(calls[index]) || hasUnknownCallType(calls[index])) continue;
          const place = `${message.at}.tool_calls[${index}]`;
          const isRead = isRecord(calls[index]) && (isRecord(calls[index].function) || isRecord(calls[index].custom));
          found({ ...callFault(calls[index], place), covers: isRead ? [] : behind.open() });
        }
      },
    };
  },
};

/** What is wrong with the arguments themselves is named by args-type. */
function isWholeCall(call: unknown): boolean {
  if (!isRecord(call)) return false;
  if (call.type === "function") {
    const { function: held } = call;
    return isRecord(held) && typeof held.name === "string" && held.arguments !== undefined;
  }
  return (
    call.type === "custom" &&
    isRecord(call.custom) &&
    typeof call.custom.name === "string" &&
    typeof call.custom.input === "string"
  );
}

function callFault(call: unknown, at: string): Fault {
  if (!isRecord(call)) {
    const fix = 'Append the call as the model made it: { id, type: "function", function: { name, arguments } }.';
    return { at, message: wrongType(at, "an object", call), fix };
  }
  const type = call.type === "custom" || (call.type === undefined && isRecord(call.custom)) ? "custom" : "function";
  if (call.type !== undefined && call.type !== type) return callTypeFault(call.type, `${at}.type`);
  const held = call[type];
  const input = type === "custom" ? "input" : "arguments";
  if (!isRecord(held)) {
    const fix = `Wrap name and ${input}: { id, type: "${type}", ${type}: { name, ${input} } }.`;
    return { ...fieldFault(`${at}.${type}`, "an object", held), fix };
  }
  if (call.type === undefined) {
    return {
      at: `${at}.type`,
      message: missing(`${at}.type`),
      fix: `Write type: "${type}" beside the id of the call.`,
    };
  }
  if (typeof held.name !== "string") {
    const fix = "Append the call with the name the model gave it.";
    return { ...fieldFault(`${at}.${type}.name`, "a string", held.name), fix };
  }
  const fix = 'Append the arguments as the model wrote them, as text: "{}" where it sent none.';
  return { ...fieldFault(`${at}.${type}.${input}`, "a string", held[input]), fix };
}

function hasUnknownCallType(call: unknown): boolean {
  return isRecord(call) && typeof call.type === "string" && call.type !== "function" && call.type !== "custom";
}

function callTypeFault(type: unknown, at: string): Fault {
  const message =
    typeof type === "string"
      ? `Invalid value: '${cutText(type, 40)}'. Supported values are: 'function', 'allowed_tools', and 'custom'.`
      : wrongType(at, "one of 'function', 'allowed_tools', or 'custom'", type);
  return { at, message, fix: 'Append the call as the model made it: its type is "function" or "custom".' };
}

const callType: Rule = {
  id: "openai-chat/call-type",
  severity: "warn",
  source: MEASURED,
  visit: (_context, found) => ({
    message(message) {
      const { wire } = message;
      if (!isRecord(wire) || wire.role !== "assistant" || !Array.isArray(wire.tool_calls)) return;
      const index = wire.tool_calls.findIndex(hasUnknownCallType);
      if (index >= 0) found(callTypeFault(wire.tool_calls[index].type, `${message.at}.tool_calls[${index}].type`));
    },
  }),
};

const callId: Rule = {
  id: "openai-chat/call-id",
  severity: "error",
  // A call without an id that nothing answers is named by unanswered-call.
  yields: true,
  source:
    "https://platform.openai.com/docs/api-reference/chat/create (id is required; wording as of other empty strings)",
  visit: (_context, found) => ({
    call(outcome) {
      const { call, answer } = outcome;
      if (call.id !== "" || isLegacy(call)) return;
      const at = `${call.at}.id`;
      const { id } = call.wire as { readonly id?: unknown };
      found({
        at: call.at,
        message:
          id === ""
            ? `Invalid '${at}': empty string. Expected a string with minimum length 1, but got an empty string instead.`
            : fieldFault(at, "a string", id).message,
        fix: `Keep the id the model gave the call, and write it as tool_call_id into ${answer ? answer.at : "its result"}; where it gave none, make one up for both.`,
        calls: [outcome],
        covers: placesOf([outcome]),
      });
    },
  }),
};

/** The API's text about a tool message that says not which call it answers. */
export function missingResultId(at: string): string {
  return `Missing parameter 'tool_call_id': messages with role 'tool' must have a 'tool_call_id'. (messages.[${indexIn(at)}].tool_call_id)`;
}

/** They come before the rules about pairing: what is no call cannot be answered. */
export const shapes: readonly Rule[] = [
  role,
  callShape,
  contentType,
  partShape,
  imageRole,
  unknownRole,
  callType,
  partType,
  emptyContent,
];

/** It comes behind the rules about pairing, and yields to them. */
export const shapesOfPairing: readonly Rule[] = [callId];
