import { invalidInput, ToolFailure } from "../failure.js";
import { readWire, wordParseError } from "../schema.js";
import {
  APPROVAL,
  askApproval,
  CALL_ID,
  foreignTool,
  nameOf,
  needsApproval,
  type ReadForeignTool,
  requireFunction,
} from "./foreign.js";

type Invoke = (runContext: object, input: string, details: object) => Promise<unknown>;

/** What the default error function tells the model, whatever was thrown. Older versions add the error. */
const DEFAULT_SENTENCE = "An error occurred while running the tool. Please try again.";

/** Tools of the OpenAI Agents SDK: `tool()`. They take the JSON text the model wrote. */
export const readOpenAiAgentsTool: ReadForeignTool = (tool, options) => {
  if (!(tool.type === "function" && "invoke" in tool && "parameters" in tool)) return undefined;
  const invoke = requireFunction(tool, "invoke", "OpenAI Agents") as Invoke;
  const name = nameOf(tool);
  const asked = tool.needsApproval;
  return foreignTool({
    name,
    suspends: APPROVAL,
    takesWire: true,
    takesText: true,
    async gate(input, ctx) {
      const wire = readWire(input);
      // What is no JSON has no one to ask about it: the tool itself refuses it.
      if (!wire.ok) return;
      const own = typeof asked !== "function" ? asked : () => asked({ context: ctx.context }, wire.value, CALL_ID);
      if (await needsApproval(wire.value, options, own)) await askApproval(ctx, wire.value);
    },
    async execute(input, ctx) {
      const text = typeof input === "string" ? input : JSON.stringify(input);
      const toolCall = { type: "function_call", callId: CALL_ID, name, arguments: text };
      try {
        return await seeThrough(() => invoke({ context: ctx.context }, text, { toolCall, signal: ctx.signal }));
      } catch (error) {
        throw isInvalidInput(error) ? invalidInput(name, wordRefusal(text, error.originalError)) : error;
      }
    },
  });
};

/**
 * Calls a tool and throws what it threw, even where its error function made a sentence of it. A sentence of an error
 * function of the tool's own is what it says on purpose: a failure.
 *
 * The default error function drops the error, and nothing else of the tool gives it away. But the SDK hands what the
 * tool does to `catch`, in the same breath in which it is called: that is where it is seen.
 */
async function seeThrough(call: () => Promise<unknown>): Promise<unknown> {
  let attempted: Promise<unknown> | undefined;
  const original = Promise.prototype.catch;
  let pending: Promise<unknown>;
  Promise.prototype.catch = function (this: Promise<unknown>, ...handlers) {
    attempted = this;
    return original.apply(this, handlers) as never;
  };
  try {
    pending = call();
  } finally {
    Promise.prototype.catch = original;
  }
  const hidden = attempted?.then(
    () => undefined,
    (error: unknown) => ({ error }),
  );
  const result = await pending;
  const thrown = await hidden;
  const isDefault = typeof result === "string" && result.startsWith(DEFAULT_SENTENCE);
  if (thrown) throw isDefault || isInvalidInput(thrown.error) ? thrown.error : new ToolFailure(String(result));
  return result;
}

/** Why the SDK refused an input. It keeps its reason to itself unless it may log what tools are called with. */
function wordRefusal(text: string, reason: unknown): string {
  const wire = readWire(text);
  if (!wire.ok) return wire.issues;
  if (reason !== undefined) return wordParseError(reason);
  return "it breaks the tool's parameters (OPENAI_AGENTS_DONT_LOG_TOOL_DATA=0 in the environment shows where)";
}

function isInvalidInput(error: unknown): error is Error & { readonly originalError: unknown } {
  return error instanceof Error && error.constructor.name === "InvalidToolInputError";
}
