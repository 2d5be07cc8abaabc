import type { Refusal } from "../dialects/dialect.js";
import { type Fault, hang } from "../script/index.js";
import type { AssistantTurn } from "../transcript/turn.js";
import { type Body, send, sendBroken, sendGarbled } from "./body.js";

/** How an endpoint answers: what a fault needs to be put in wire shape. */
export interface Answerer {
  /** The turn in wire shape, whole or as a stream: as the request wants it. */
  write(turn: AssistantTurn): Body;
  refuse(refusal: Refusal, headers?: Readonly<Record<string, string>>): Response;
}

/**
 * A fault of the provider, in wire shape.
 *
 * @param turn - The turn the fault spoils, where it has one.
 * @returns The response. It rejects, with the signal's reason, only for a provider that never answers.
 */
export async function answerFault(
  fault: Fault,
  turn: AssistantTurn | undefined,
  { write, refuse }: Answerer,
  signal: AbortSignal,
): Promise<Response> {
  const spoiled = turn ?? { kind: "text", content: "" };
  switch (fault.kind) {
    case "rateLimited":
      return refuse(
        { reason: "rate-limited" },
        fault.retryAfterSeconds === undefined ? {} : { "retry-after": String(fault.retryAfterSeconds) },
      );
    case "overloaded":
      return refuse({ reason: "overloaded" });
    case "serverError":
      return refuse({ reason: "server-error" });
    case "hangs":
      return hang(signal);
    case "refusal":
      return send(write({ kind: "text", content: fault.text, finish: "refusal" }));
    case "cutByLength":
      return send(write(cutShort(spoiled)));
    case "cutStream":
      return sendBroken(write(spoiled), fault.afterChunks);
    case "malformedChunk":
      return sendGarbled(write(spoiled));
  }
}

/** A turn that reached the output limit: its last call, or its words, stop in the middle. */
function cutShort(turn: AssistantTurn): AssistantTurn {
  if (turn.kind === "text") return { ...turn, content: half(turn.content), finish: "length" };
  const calls = turn.calls.map((call, index) =>
    index === turn.calls.length - 1 ? { ...call, arguments: half(call.arguments) } : call,
  );
  return { ...turn, calls, finish: "length" };
}

function half(text: string): string {
  return text.slice(0, Math.ceil(text.length / 2));
}
