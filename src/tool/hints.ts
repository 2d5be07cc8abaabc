import { isRecord, oneLine } from "../json.js";
import type { ToolContext } from "./context.js";

/** By the error itself, so that nothing of the tool's own is changed for them. */
const hints = new WeakMap<object, string>();

/** What may be the reason that a tool threw this, for a report. */
export function hintFor(error: unknown): string | undefined {
  return typeof error === "object" && error !== null ? hints.get(error) : undefined;
}

/** A member of its context that a tool looked for and did not find. */
export interface MissingMember {
  readonly name: string;
  readonly ctx: ToolContext;
}

/**
 * Notes the members that a tool looks for on its context and does not find.
 *
 * They are undefined all the same, for a tool may ask whether they exist. It is the prototype that notes them, so that
 * keys, spreads and equality are those of a plain object.
 */
export function noteMissing(ctx: ToolContext, missing: MissingMember[]): ToolContext {
  return Object.setPrototypeOf(
    ctx,
    new Proxy(
      {},
      {
        get(target, key, receiver) {
          if (typeof key === "string" && !(key in target)) missing.push({ name: key, ctx });
          return Reflect.get(target, key, receiver);
        },
      },
    ),
  );
}

/** Keeps a hint for an error that a member missing from `ctx`, or the input of the run, explains. */
export function explain(error: unknown, missing: readonly MissingMember[], inputProblem: string | undefined): void {
  if (!isTypeError(error)) return;
  const { message } = error;
  const member = missing.findLast(({ name }) => message.includes(name)) ?? missing.at(-1);
  const isMember = member !== undefined && (message.includes(member.name) || /\bundefined\b/.test(message));
  const hint = isMember ? wordMissing(member) : inputProblem;
  if (hint !== undefined) hints.set(error, hint);
}

function isTypeError(error: unknown): error is TypeError {
  try {
    return error instanceof TypeError;
  } catch {
    // A tool may throw anything, a revoked proxy included.
    return false;
  }
}

function wordMissing({ name, ctx }: MissingMember): string {
  const { context } = ctx;
  if (isRecord(context) && name in context) return `ctx has no ${name}; its context has. Use ctx.context.${name}.`;
  return (
    `ctx has no ${name}: expected one of ${Object.keys(ctx).join(", ")}. What the host supplies is declared under ` +
    "capabilities; what the test passes as context is ctx.context."
  );
}

/** A run's input that its tool would have refused, in words. */
export function wordInputProblem(tool: string, input: unknown, issues: string): string {
  return (
    `The input of the run, ${oneLine(input)}, breaks the inputSchema of ${tool}: ${issues}. ` +
    "Pass what the schema would make of a model's arguments, or the arguments as rawInput."
  );
}
