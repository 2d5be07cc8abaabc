import type { CallPart, Part, ResultPart, Transcript, TranscriptMessage } from "./types.js";

/** What became of one call. */
export interface CallOutcome {
  readonly call: CallPart;
  /** The turn that asked. */
  readonly turn: TranscriptMessage;
  /** The result that answers it in the right place. */
  answer: ResultPart | undefined;
  /** A result with its id that stands where it no longer counts, and what stands in the way. */
  late: { readonly result: ResultPart; readonly behind: Obstacle } | undefined;
  /** Further results with its id, beyond the first. */
  readonly duplicates: ResultPart[];
}

/** What stands between a call and its result. */
export interface Obstacle {
  readonly at: string;
  readonly message: TranscriptMessage;
  /** It stands in the same message as the result, as a part before it. */
  readonly sameMessage: boolean;
}

export interface TurnOutcome {
  readonly turn: TranscriptMessage;
  /** In request order. */
  readonly calls: readonly CallOutcome[];
  /** The results in place, in the order they stand. */
  readonly answers: readonly ResultPart[];
  /** Results that stand where an answer would count, with an id nobody asked for. Each is an orphan too. */
  readonly strangers: readonly ResultPart[];
}

/** A result that answers no call. */
export interface Orphan {
  readonly result: ResultPart;
  readonly message: TranscriptMessage;
  /** The newest turn with calls before it. */
  readonly after: TurnOutcome | undefined;
}

/** Which result answers which call. */
export interface Pairing {
  /** One entry for each turn that asks for tools. */
  readonly turns: readonly TurnOutcome[];
  readonly orphans: readonly Orphan[];
}

/** What a dialect says about the place of results. */
export interface PairingOptions {
  /** Messages that may stand between a call and its result without parting them. */
  readonly mayStandBetween?: (message: TranscriptMessage) => boolean;
}

interface OpenTurn {
  readonly outcome: TurnOutcome & { readonly answers: ResultPart[]; readonly strangers: ResultPart[] };
  readonly byId: Map<string, CallOutcome[]>;
  obstacle: Obstacle | undefined;
}

/**
 * Pairs every call with its result in one pass.
 *
 * A result is in place when nothing but results stands between it and the turn that asked. A call's id counts from its
 * turn until the next turn that uses the same id, so an id that comes back later is a call of its own.
 */
export function pair(transcript: Transcript, options: PairingOptions = {}): Pairing {
  const turns: TurnOutcome[] = [];
  const orphans: Orphan[] = [];
  /** The newest outcomes by id, over all turns. */
  const newest = new Map<string, CallOutcome[]>();
  let open: OpenTurn | undefined;

  for (const message of transcript.messages) {
    const calls = callsIn(message);
    if (calls.length > 0) {
      open = openTurn(message, calls);
      turns.push(open.outcome);
      for (const [id, outcomes] of open.byId) newest.set(id, outcomes);
    }
    let before: Part | undefined;
    for (const part of message.parts) {
      if (part.kind === "result") place(part, message, before);
      else if (part.kind !== "call") before ??= part;
    }
    if (open && calls.length === 0 && !open.obstacle && (before || message.parts.length === 0)) {
      if (!options.mayStandBetween?.(message)) open.obstacle = { at: message.at, message, sameMessage: false };
    }
  }
  return { turns, orphans };

  function place(result: ResultPart, message: TranscriptMessage, before: Part | undefined): void {
    const outcomes = result.callId === undefined ? undefined : newest.get(result.callId);
    if (!outcomes) {
      orphans.push({ result, message, after: open?.outcome });
      if (open && !open.obstacle && !before) open.outcome.strangers.push(result);
      return;
    }
    const waiting = outcomes.find((outcome) => !outcome.answer && !outcome.late);
    if (!waiting) {
      outcomes[0]!.duplicates.push(result);
      return;
    }
    const obstacle = obstacleBefore(waiting, message, before);
    if (obstacle) {
      waiting.late = { result, behind: obstacle };
    } else {
      waiting.answer = result;
      open!.outcome.answers.push(result);
    }
  }

  function obstacleBefore(waiting: CallOutcome, message: TranscriptMessage, before?: Part): Obstacle | undefined {
    const newer = open!.outcome.turn;
    if (waiting.turn !== newer) return { at: newer.at, message: newer, sameMessage: false };
    if (open!.obstacle) return open!.obstacle;
    return before && { at: before.at, message, sameMessage: true };
  }
}

function openTurn(turn: TranscriptMessage, calls: readonly CallPart[]): OpenTurn {
  const byId = new Map<string, CallOutcome[]>();
  const outcomes = calls.map((call): CallOutcome => {
    const outcome: CallOutcome = { call, turn, answer: undefined, late: undefined, duplicates: [] };
    const sameId = byId.get(call.id);
    if (sameId) sameId.push(outcome);
    else byId.set(call.id, [outcome]);
    return outcome;
  });
  return { outcome: { turn, calls: outcomes, answers: [], strangers: [] }, byId, obstacle: undefined };
}

const NONE: readonly CallPart[] = [];

function callsIn(message: TranscriptMessage): readonly CallPart[] {
  let calls: CallPart[] | undefined;
  for (const part of message.parts) if (part.kind === "call") (calls ??= []).push(part);
  return calls ?? NONE;
}
