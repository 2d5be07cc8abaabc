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
  readonly duplicates: readonly ResultPart[];
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
  /** Those of them in which something is out of order: a call unanswered, late, answered twice, or with another's id. */
  readonly broken: readonly TurnOutcome[];
  readonly orphans: readonly Orphan[];
}

/** What a dialect says about the place of results. */
export interface PairingOptions {
  /** Messages that may stand between a call and its result without parting them. */
  readonly mayStandBetween?: (message: TranscriptMessage) => boolean;
  /**
   * Whether a message that asks goes on with the turn of the one directly before it, which asks too. What answers the one
   * may then stand behind the other. Default: each message is a turn of its own.
   */
  readonly continues?: (message: TranscriptMessage, before: TranscriptMessage) => boolean;
}

/** A call while results are being read. */
interface Pending extends CallOutcome {
  readonly turnOutcome: OpenTurn;
  duplicates: readonly ResultPart[];
  /** Further calls of its turn with the same id. */
  twins: readonly Pending[];
  /** How many results with this id were placed. */
  placed: number;
}

/** A turn while its results are being read. */
interface OpenTurn extends TurnOutcome {
  calls: readonly Pending[];
  answers: readonly ResultPart[];
  strangers: readonly ResultPart[];
  /** The first calls with each id, where the turn has too many to look through. */
  byId: Map<string, Pending> | undefined;
  /** Two of its calls have one id, or one call has two results. */
  repeats: boolean;
  /** The first message behind it that parts it from all results to come. */
  closedBy: TranscriptMessage | undefined;
  /** The first of the messages that the API reads as one turn with this; undefined where it is the first. */
  begin: OpenTurn | undefined;
}

/**
 * Pairs every call with its result in one pass.
 *
 * A result is in place when nothing but results stands between it and the turn that asked. A call's id counts from its
 * turn until the next turn that uses the same id, so an id that comes back later is a call of its own.
 */
export function pair(transcript: Transcript, options: PairingOptions = {}): Pairing {
  const turns: OpenTurn[] = [];
  const orphans: Orphan[] = [];
  const earlier = new EarlierCalls(turns);
  let open: OpenTurn | undefined;
  let previous: TranscriptMessage | undefined;

  for (const message of transcript.messages) {
    const { parts } = message;
    let asks = false;
    /** The first part of the message that is neither a call nor a result. */
    let before: Part | undefined;
    for (const part of parts) {
      if (part.kind === "call") {
        if (!asks) {
          const goesOn = open !== undefined && open.turn === previous && options.continues?.(message, previous);
          turns.push((open = openTurn(message, goesOn ? open : undefined)));
        }
        asks = true;
        ask(part, open!);
      } else if (part.kind === "result") {
        place(part, message, before);
      } else {
        before ??= part;
      }
    }
    if (open && !asks && !open.closedBy && (before || parts.length === 0) && !options.mayStandBetween?.(message)) {
      open.closedBy = message;
    }
    previous = message;
  }
  const broken = turns.filter(({ calls, answers, repeats }) => repeats || answers.length < calls.length);
  return { turns, broken, orphans };

  function ask(call: CallPart, asking: OpenTurn): void {
    const { turn } = asking;
    const pending: Pending = {
      call,
      turn,
      turnOutcome: asking,
      answer: undefined,
      late: undefined,
      duplicates: NONE,
      twins: NONE,
      placed: 0,
    };
    const first = firstCall(asking, call.id);
    asking.calls = append(asking.calls, pending);
    if (first) {
      first.twins = append(first.twins, pending);
      asking.repeats = true;
    } else if (asking.byId) asking.byId.set(call.id, pending);
    else if (asking.calls.length > MANY) asking.byId = firstById(asking.calls);
  }

  function place(result: ResultPart, message: TranscriptMessage, before: Part | undefined): void {
    const id = result.callId;
    const first = id === undefined || !open ? undefined : (firstCall(open, id) ?? earlier.find(id));
    if (!first) {
      orphans.push({ result, message, after: open });
      if (open && !open.closedBy && !before) open.strangers = append(open.strangers, result);
      return;
    }
    const waiting = first.placed === 0 ? first : first.twins[first.placed - 1];
    first.placed++;
    if (!waiting) {
      first.duplicates = append(first.duplicates, result);
      first.turnOutcome.repeats = true;
      return;
    }
    const behind = obstacleBefore(waiting, message, before);
    if (behind) {
      waiting.late = { result, behind };
    } else {
      waiting.answer = result;
      const { turnOutcome } = waiting;
      turnOutcome.answers = append(turnOutcome.answers, result);
    }
  }

  function obstacleBefore(waiting: Pending, message: TranscriptMessage, before?: Part): Obstacle | undefined {
    const parting = beginOf(waiting.turnOutcome) === beginOf(open!) ? open!.closedBy : open!.turn;
    if (parting) return { at: parting.at, message: parting, sameMessage: false };
    return before && { at: before.at, message, sameMessage: true };
  }
}

function openTurn(turn: TranscriptMessage, before: OpenTurn | undefined): OpenTurn {
  const begin = before && beginOf(before);
  return {
    turn,
    calls: NONE,
    answers: NONE,
    strangers: NONE,
    byId: undefined,
    repeats: false,
    closedBy: undefined,
    begin,
  };
}

function beginOf(turn: OpenTurn): OpenTurn {
  return turn.begin ?? turn;
}

/** A turn with more calls than this is not looked through for each result. */
const MANY = 8;

/** The first call of a turn with this id. */
function firstCall({ byId, calls }: OpenTurn, id: string): Pending | undefined {
  return byId ? byId.get(id) : calls.find(({ call }) => call.id === id);
}

function firstById(calls: readonly Pending[]): Map<string, Pending> {
  const byId = new Map<string, Pending>();
  for (const pending of calls) if (!byId.has(pending.call.id)) byId.set(pending.call.id, pending);
  return byId;
}

/**
 * The calls of the turns before the open one, by id: of an id that several turns use, the newest. Results nearly always
 * answer the open turn, so they are indexed only when one does not, and only those that are new.
 */
class EarlierCalls {
  readonly #turns: readonly OpenTurn[];
  readonly #byId = new Map<string, Pending>();
  #indexed = 0;

  constructor(turns: readonly OpenTurn[]) {
    this.#turns = turns;
  }

  find(id: string): Pending | undefined {
    for (; this.#indexed < this.#turns.length - 1; this.#indexed++) {
      for (const [each, pending] of firstById(this.#turns[this.#indexed]!.calls)) this.#byId.set(each, pending);
    }
    return this.#byId.get(id);
  }
}

const NONE: readonly never[] = [];

/** Adds to a list that is shared while it is empty: nearly all of the many lists here hold one item or none. */
function append<Item>(list: readonly Item[], item: Item): readonly Item[] {
  if (list.length === 0) return [item];
  (list as Item[]).push(item);
  return list;
}
