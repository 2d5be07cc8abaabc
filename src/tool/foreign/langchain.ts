import type { ToolContext } from "../context.js";
import { invalidInput } from "../failure.js";
import { isSchema } from "../schema.js";
import type { Answered } from "../suspensions.js";
import { foreignTool, judgeInput, nameOf, type ReadForeignTool, requireFunction } from "./foreign.js";

/** Where `interrupt` of LangGraph looks for answers: the keys of its own runtime. */
interface Scratchpad {
  interruptCounter: number;
  readonly resume: unknown[];
}

/** Tools of LangChain: `tool()`, `StructuredTool`. `interrupt` of LangGraph works in them, named `interrupt`. */
export const readLangChainTool: ReadForeignTool = (tool) => {
  if (tool.lc_runnable !== true || !("schema" in tool)) return undefined;
  const invoke = requireFunction(tool, "invoke", "LangChain") as (input: unknown, config: object) => Promise<unknown>;
  const { schema } = tool;
  const name = nameOf(tool);
  return foreignTool({
    name,
    suspends: { interrupt: {} },
    takesWire: true,
    // A tool of a text wraps the text before its schema sees it.
    readInput: async (value) =>
      isSchema(schema) && typeof value !== "string" ? judgeInput(schema, value) : { ok: true, value },
    async execute(input, ctx, answered) {
      const scratchpad: Scratchpad = { interruptCounter: -1, resume: answered.map(({ parsed }) => parsed) };
      try {
        const output = await invoke(input, configFor(ctx, scratchpad));
        await replay(ctx, scratchpad, answered, undefined);
        return output;
      } catch (error) {
        if (isInvalidInput(error)) throw invalidInput(name, error.message);
        await replay(ctx, scratchpad, answered, error);
        throw error;
      }
    },
  });
};

function configFor(ctx: ToolContext, scratchpad: Scratchpad): object {
  return {
    signal: ctx.signal,
    context: ctx.context,
    configurable: {
      thread_id: ctx.threadId,
      __pregel_checkpointer: {},
      __pregel_scratchpad: scratchpad,
    },
  };
}

/** Asks here for what the tool asked for there. Its `interrupt` answers at once, so only the counter tells. */
async function replay(ctx: ToolContext, pad: Scratchpad, answered: readonly Answered[], error: unknown): Promise<void> {
  const asked = pad.interruptCounter + 1;
  for (let nth = 0; nth < Math.min(asked, answered.length); nth += 1) await ctx.suspend("interrupt");
  if (asked > answered.length) await ctx.suspend("interrupt", interruptValue(error));
}

/** What the interrupt was asked with; unknown when the tool caught it. */
function interruptValue(error: unknown): unknown {
  const { interrupts } = (error ?? {}) as { interrupts?: readonly { value?: unknown }[] };
  return interrupts?.[0]?.value;
}

function isInvalidInput(error: unknown): error is Error {
  return error instanceof Error && error.constructor.name === "ToolInputParsingException";
}
