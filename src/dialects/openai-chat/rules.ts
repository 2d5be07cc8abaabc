import { cutText, isRecord, oneLine, readJson } from "../../json.js";
import {
  indexIn,
  type OfferedTool,
  type OpenTurn,
  placesOf,
  type Rule,
  type RuleContext,
  unanswered,
} from "../../rules/rule.js";
import type { CallOutcome } from "../../transcript/pairing.js";
import type { CallPart, ResultPart } from "../../transcript/types.js";
import { isLegacy, missingResultId, nounFor, shapes, shapesOfPairing } from "./shapes.js";

/** Chat Completions takes ids of at most this many characters. */
const MAX_ID = 40;
const MAX_TOOLS = 128;
const NAME = /^[a-zA-Z0-9_-]+$/;
const MAX_NAME = 64;

const duplicateId: Rule = {
  id: "openai-chat/duplicate-id",
  severity: "error",
  source: "https://github.com/BerriAI/litellm/issues/10083 (wording as quoted from DeepSeek)",
  pairing: true,
  check({ pairing }, found) {
    for (const { calls } of pairing.broken) {
      const seen = new Set<string>();
      for (const { call } of calls) {
        const { id } = call;
        if (seen.has(id) && id !== "") {
          const { at } = call;
          const twins = calls.filter(({ call }) => call.id === id);
          found({
            at,
            message: `Duplicate value for 'tool_call_id' of ${id} in message[${indexIn(at)}]`,
            fix: `Give each call of the turn the id the model gave it: ${id} is used by ${twins.length} calls.`,
            calls: twins,
            covers: [...placesOf(twins), ...twins.flatMap(({ duplicates }) => duplicates.map((result) => result.at))],
          });
          break;
        }
        seen.add(id);
      }
      for (const outcome of calls) {
        for (const result of outcome.duplicates) {
          found({
            at: result.at,
            message: `Duplicate value for 'tool_call_id' of ${outcome.call.id} in message[${indexIn(result.at)}]`,
            fix: `Append one tool message for ${outcome.call.id}: ${outcome.answer?.at ?? "another message"} answers it already.`,
            calls: [outcome],
          });
        }
      }
    }
  },
};

const UNANSWERED =
  "An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'. The following tool_call_ids did not have response messages:";

const notAdjacent: Rule = {
  id: "openai-chat/not-adjacent",
  severity: "error",
  source: "https://github.com/Yanyutin753/LambChat/issues/496",
  pairing: true,
  check(context, found) {
    for (const { turn, open, misnamed } of unansweredById(context)) {
      const late = open.find((outcome) => outcome.late)?.late;
      if (!late) continue;
      found({
        at: late.result.at,
        message: `${UNANSWERED} ${idsOf(open)}`,
        fix: `Put the tool ${open.length === 1 ? "message" : "messages"} for ${idsOf(open)} directly after ${turn.at}: ${late.behind.at} (role "${late.behind.message.role}") stands between.`,
        calls: open,
        covers: [...placesOf(open), ...misnamed.map(({ at }) => at)],
      });
    }
  },
};

const unansweredCall: Rule = {
  id: "openai-chat/unanswered-call",
  severity: "error",
  source: "https://github.com/BerriAI/litellm/issues/10083",
  pairing: true,
  check(context, found) {
    for (const openTurn of unansweredById(context)) {
      const { open, misnamed } = openTurn;
      found({
        at: open[0]!.call.at,
        message: `${UNANSWERED} ${idsOf(open)}`,
        fix: fixUnanswered(openTurn),
        calls: open,
        covers: [...placesOf(open), ...misnamed.map(({ at }) => at)],
      });
    }
  },
};

/** The API demands an answer by id; the retired function calling, which had no ids, knew no such demand. */
function unansweredById(context: RuleContext): OpenTurn[] {
  return unanswered(context).filter(({ open }) => !open.every(({ call }) => isLegacy(call)));
}

function idsOf(outcomes: readonly CallOutcome[]): string {
  return outcomes.map(({ call }) => call.id || "(no id)").join(", ");
}

function fixUnanswered({ turn, open, answers: siblings, misnamed: [misnamed] }: OpenTurn): string {
  const nameless = open.find(({ call }) => call.id === "");
  if (nameless) return `Keep the id the model gave the call: ${nameless.call.at} has none, so nothing can answer it.`;
  if (misnamed) {
    const found = misnamed.callId === undefined ? "has no tool_call_id" : `answers ${misnamed.callId || '""'}`;
    return `Write tool_call_id: "${open[0]!.call.id}" into ${misnamed.at}: it ${found}.`;
  }
  const answers = open.map(({ call }) => `{ role: "tool", tool_call_id: "${call.id}", content: "…" }`);
  const order = siblings.length > 0 ? ", in any order with its other results" : "";
  return `Insert ${answers.join(" and ")} directly after ${turn.at}${order}.`;
}

const orphanResult: Rule = {
  id: "openai-chat/orphan-result",
  severity: "error",
  source: "https://github.com/miurla/morphic/issues/136",
  pairing: true,
  check({ pairing }, found) {
    for (const { result } of pairing.orphans) {
      if (isLegacy(result)) continue;
      found({
        at: result.at,
        message:
          result.callId === undefined
            ? missingResultId(result.at)
            : `Invalid parameter: messages with role 'tool' must be a response to a preceeding message with 'tool_calls'. (messages.[${indexIn(result.at)}].role)`,
        fix:
          result.callId === undefined
            ? `Give ${result.at} the tool_call_id of the call it answers.`
            : `Keep the assistant message that asked for ${result.callId || '""'} directly before ${result.at}, or drop both.`,
      });
    }
  },
};

/** A rule about each call by itself. */
function callRule(
  id: string,
  source: string,
  judge: (call: CallPart) => { message: string; fix: string } | undefined,
  severity: Rule["severity"] = "error",
): Rule {
  return {
    id: `openai-chat/${id}`,
    severity,
    source,
    visit: (_context, found) => ({
      call(outcome) {
        const fault = judge(outcome.call);
        if (fault) found({ at: outcome.call.at, calls: [outcome], ...fault });
      },
    }),
  };
}

const callIdLength = callRule("call-id-length", "https://github.com/vercel/ai/issues/8132", (call) =>
  call.id.length > MAX_ID
    ? {
        message: `Invalid '${call.at}.id': string too long. Expected a string with maximum length ${MAX_ID}, but got a string with length ${call.id.length} instead.`,
        fix: `Shorten the id to ${MAX_ID} characters in the call and in its result.`,
      }
    : undefined,
);

const callName = callRule("call-name", "https://github.com/continuedev/continue/issues/11645", (call) =>
  call.name === "" && nameIn(call.wire) === ""
    ? {
        message: `Invalid '${nameAt(call)}': empty string. Expected a string with minimum length 1, but got an empty string instead.`,
        fix: "Append the call with the name the model gave it; where it gave none, leave the whole turn out.",
      }
    : undefined,
);

const callNamePattern = callRule("tool-name", "https://github.com/openai/codex/issues/8174", (call) =>
  call.name !== "" && !NAME.test(call.name) ? namePattern(nameAt(call)) : undefined,
);

function nameAt(call: CallPart): string {
  return isLegacy(call) ? `${call.at}.name` : `${call.at}.${call.custom ? "custom" : "function"}.name`;
}

function namePattern(at: string): { message: string; fix: string } {
  return {
    message: `Invalid '${at}': string does not match pattern. Expected a string that matches the pattern '^[a-zA-Z0-9_-]+$'.`,
    fix: "Use letters, digits, underscores and dashes only; map the name back when the model calls it.",
  };
}

const argsType = callRule("args-type", "https://platform.openai.com/docs/api-reference/chat/create", (call) => {
  const args = argumentsOf(call.wire);
  return args === undefined || typeof args === "string"
    ? undefined
    : {
        message: `Invalid type for '${call.at}.function.arguments': expected a string, but got ${nounFor(args)} instead.`,
        fix: `Append the arguments as the model wrote them, as text: ${cutText(JSON.stringify(oneLine(args)), 80)}.`,
      };
});

const argsJson = callRule(
  "args-json",
  "https://github.com/JetBrains/koog/pull/2070",
  (call) => {
    const args = argumentsOf(call.wire);
    if (call.custom || typeof args !== "string") return undefined;
    const reading = readJson(args);
    if (reading.ok) return undefined;
    const message = `The "function.arguments" parameter of ${call.at} must be in JSON format. (OpenAI accepts it; DashScope, Ollama and vLLM refuse.)`;
    if (args.trim() === "") return { message, fix: 'Append "{}" where the model sent no arguments.' };
    return {
      message,
      fix: `Answer the call with an error result; for backends that refuse the text, send "{}" in its place. It stops being JSON at offset ${reading.offset}: ${oneLine(args.slice(Math.max(0, reading.offset - 20)), 40)}.`,
    };
  },
  "warn",
);

const argsDoubleEncoded = callRule(
  "args-double-encoded",
  "https://github.com/openclaw/openclaw/pull/96717",
  (call) => {
    const args = argumentsOf(call.wire);
    if (call.custom || typeof args !== "string" || !args.trimStart().startsWith('"')) return undefined;
    const reading = readJson(args);
    return reading.ok && typeof reading.value === "string"
      ? {
          message: `${call.at}.function.arguments is JSON inside JSON: parsed once, it is still a string.`,
          fix: "Append the arguments as the model wrote them; do not stringify them again.",
        }
      : undefined;
  },
  "warn",
);

function nameIn(wire: unknown): unknown {
  if (!isRecord(wire)) return undefined;
  return isRecord(wire.function) ? wire.function.name : isRecord(wire.custom) ? wire.custom.name : wire.name;
}

function argumentsOf(wire: unknown): unknown {
  if (!isRecord(wire)) return undefined;
  return isRecord(wire.function) ? wire.function.arguments : wire.arguments;
}

const resultContentType: Rule = {
  id: "openai-chat/result-content-type",
  severity: "error",
  source: "https://github.com/SAP/ai-sdk-js/pull/2188",
  visit: (_context, found) => ({
    call(outcome) {
      const result = outcome.answer ?? outcome.late?.result;
      // Most results are text; the retired function messages may hold null.
      if (!result || typeof result.raw === "string" || isLegacy(result)) return;
      const fault = misfitOf(result);
      if (fault) found({ at: result.at, calls: [outcome], ...fault });
    },
  }),
};

function misfitOf({ at, raw, content }: ResultPart): { message: string; fix: string } | undefined {
  if (!Array.isArray(content) || content.length === 0) {
    const found = raw === undefined ? "nothing" : Array.isArray(raw) ? "an empty array" : nounFor(raw);
    const text = isRecord(raw) || typeof raw === "number" || typeof raw === "boolean" ? oneLine(raw, 60) : "";
    return {
      message: `Invalid type for '${at}.content': expected a string, but got ${found} instead.`,
      fix: `Write the result as text: content: ${JSON.stringify(text)}.`,
    };
  }
  const misfit = content.find(({ kind }) => kind !== "text" && kind !== "unknown");
  return (
    misfit && {
      message: `Invalid value for '${misfit.at}': tool messages take text parts only, found ${misfit.kind}.`,
      fix: `Keep the text in ${at}, and send the ${misfit.kind} in a user message after the results.`,
    }
  );
}

const emptyToolCalls: Rule = {
  id: "openai-chat/empty-tool-calls",
  severity: "error",
  source: "https://github.com/openai/openai-node/pull/1341",
  visit: (_context, found) => ({
    message(message) {
      const { role, wire } = message;
      if (role !== "assistant" || !isRecord(wire) || !Array.isArray(wire.tool_calls) || wire.tool_calls.length > 0)
        return;
      const { at } = message;
      found({
        at: `${at}.tool_calls`,
        message: `Invalid '${at}.tool_calls': empty array. Expected an array with minimum length 1, but got an empty array instead.`,
        fix: "Leave tool_calls out when the turn has no calls.",
      });
    },
  }),
};

const SPEAKERS = new Set(["system", "developer", "user", "assistant"]);

const contentNull: Rule = {
  id: "openai-chat/content-null",
  severity: "error",
  source: "https://github.com/langchain4j/langchain4j/issues/1105",
  visit: (_context, found) => ({
    message(message) {
      const { wire } = message;
      if (!isRecord(wire) || (wire.content ?? undefined) !== undefined || !SPEAKERS.has(message.role)) return;
      // The API itself returns these with null content.
      if (message.role === "assistant" && (wire.tool_calls || wire.function_call || wire.refusal || wire.audio)) return;
      const { at } = message;
      found({
        at: `${at}.content`,
        // What is missing is null to this API.
        message: `Invalid value for 'content': expected a string, got null. (messages.[${indexIn(at)}].content)`,
        fix: 'Write "" where there is nothing to say; null is for assistant turns with calls.',
      });
    },
  }),
};

const reasoningContent: Rule = {
  id: "openai-chat/reasoning-content",
  severity: "error",
  source: "https://github.com/AgentiLoop/Agent/issues/22",
  check({ pairing, options }, found) {
    if (options.profile !== "deepseek-thinking") return;
    for (const { turn, calls } of pairing.turns) {
      if (isRecord(turn.wire) && typeof turn.wire.reasoning_content === "string") continue;
      found({
        at: turn.at,
        message: "The `reasoning_content` in the thinking mode must be passed back to the API.",
        fix: `Append the turn as the model spoke it: with its reasoning_content beside tool_calls.`,
        calls,
      });
    }
  },
};

const toolName: Rule = {
  id: "openai-chat/tool-name",
  severity: "error",
  source: "https://github.com/openai/codex/issues/8174",
  check({ tools }, found) {
    for (const { name, at } of tools ?? []) {
      if (!NAME.test(name)) found({ at, ...namePattern(`${at}.function.name`) });
    }
  },
};

const toolNameLength: Rule = {
  id: "openai-chat/tool-name",
  severity: "warn",
  source:
    "https://platform.openai.com/docs/api-reference/chat/create (64 characters; not read in an answer of the API)",
  check({ tools }, found) {
    for (const { name, at } of tools ?? []) {
      if (name.length <= MAX_NAME) continue;
      found({
        at,
        message: `Invalid '${at}.function.name': string too long. Expected a string with maximum length ${MAX_NAME}, but got a string with length ${name.length} instead.`,
        fix: `Shorten the name to ${MAX_NAME} characters.`,
      });
    }
  },
};

const toolNameDuplicate: Rule = {
  id: "openai-chat/tool-name-duplicate",
  severity: "error",
  source: "https://platform.openai.com/docs/api-reference/chat/create",
  check({ tools }, found) {
    const first = new Map<string, string>();
    for (const { name, at } of tools ?? []) {
      const other = first.get(name);
      if (other === undefined) first.set(name, at);
      else if (name !== "") {
        found({
          at,
          message: `Tool names must be unique: '${name}' is offered twice.`,
          fix: `Rename ${at} or ${other}.`,
        });
      }
    }
  },
};

// Sanitised names may meet: then a call cannot be told from its neighbour's.
const toolNameCollision: Rule = {
  id: "openai-chat/tool-name-duplicate",
  severity: "warn",
  source: "https://github.com/NVIDIA/NeMo-Agent-Toolkit/pull/1215",
  check({ tools }, found) {
    const first = new Map<string, OfferedTool>();
    for (const tool of tools ?? []) {
      const sanitised = tool.name.replace(/[^a-zA-Z0-9_-]/g, "_");
      const other = first.get(sanitised);
      if (other === undefined) first.set(sanitised, tool);
      else if (other.name !== tool.name) {
        found({
          at: tool.at,
          message: `'${tool.name}' and '${other.name}' are one name once characters the API refuses are replaced: '${sanitised}'.`,
          fix: `Rename ${tool.at} or ${other.at}, so that a call names one of them.`,
        });
      }
    }
  },
};

const toolCount: Rule = {
  id: "openai-chat/tool-count",
  severity: "warn",
  source: "https://platform.openai.com/docs/api-reference/chat/create (128 tools; not read in an answer of the API)",
  check({ tools }, found) {
    if (!tools || tools.length <= MAX_TOOLS) return;
    found({
      at: "tools",
      message: `Invalid 'tools': array too long. Expected an array with maximum length ${MAX_TOOLS}, but got an array with length ${tools.length} instead.`,
      fix: `Offer at most ${MAX_TOOLS} tools in one request.`,
    });
  },
};

export const rules: readonly Rule[] = [
  ...shapes,
  duplicateId,
  notAdjacent,
  unansweredCall,
  orphanResult,
  ...shapesOfPairing,
  callIdLength,
  callName,
  callNamePattern,
  argsType,
  argsDoubleEncoded,
  argsJson,
  resultContentType,
  emptyToolCalls,
  contentNull,
  reasoningContent,
  toolName,
  toolNameLength,
  toolNameDuplicate,
  toolNameCollision,
  toolCount,
];
