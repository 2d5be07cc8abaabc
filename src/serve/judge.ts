import { findingsIn, openConversation } from "../conversation/index.js";
import type { DialectDefinition, WireRequest } from "../dialects/dialect.js";
import { RefusedRequestError, ToolLoopError } from "../errors.js";
import { formatAnswer, formatTranscript } from "../report/index.js";
import type { Violation } from "../rules/rule.js";
import type { ScriptedModel } from "../script/index.js";

/** A request that is refused: what its API says to it, and what the test is told. */
export interface Judgement {
  readonly violation?: Violation;
  readonly error: ToolLoopError;
}

/** Judges a request as its provider's API would. Undefined when the API takes it. */
export function judge(request: WireRequest, dialect: DialectDefinition, model: ScriptedModel): Judgement | undefined {
  try {
    const conversation = openConversation(request.messages, "The request", dialect.name);
    const asked = { ...conversation, tools: request.tools ?? [] };
    const violation = findingsIn(asked, {
      stage: "request",
      spoken: model.turns,
      ...(request.model === undefined ? {} : { model: request.model }),
      ...(thinksAlways(request, model) ? { thinking: true } : {}),
    }).find(({ severity }) => severity === "error");
    if (violation === undefined) return undefined;
    const { rule, at, fix } = violation;
    const error = new RefusedRequestError({
      api: dialect.title ?? dialect.name,
      request: model.requests.length + 1,
      rule,
      at,
      fix,
      conversation: formatTranscript(conversation.transcript, { mark: [at] }),
      answer: formatAnswer(dialect, violation),
    });
    return { violation, error };
  } catch (error) {
    // Messages that cannot be read at all: the sentence says which, and why.
    if (error instanceof ToolLoopError) return { error };
    throw error;
  }
}

/** A script that leaves out the thoughts a real model would have had must not be held against the loop. */
function thinksAlways({ thinking }: WireRequest, { turns }: ScriptedModel): boolean {
  return thinking === true && turns.every((turn) => turn.reasoning !== undefined);
}
