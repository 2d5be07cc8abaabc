import { EarlierTurns } from "./earlier-turns.js";
import type { OpenTurn, Pending } from "./open-turn.js";
import { Turns } from "./turns.js";
import type { CallPart, Part, ResultPart, Transcript, TranscriptMessage } from "./types.js";
import { messagesOf } from "./wire-transcript.js";

/** What became of one call. One call may be read twice: its place tells that it is the same. */
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
  /** Where they stand: the index of each one's message. */
  readonly asking: readonly number[];
  /** One of them by its number from 0, without a list of them all. */
  turnAt(number: number): TurnOutcome;
  /** Those in which not every call is answered once, in place and in request order, or behind which a result went astray. */
  readonly unsettled: readonly TurnOutcome[];
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

/**
 * Pairs every call with its result in one pass.
 *
 * A result is in place when nothing but results stands between it and the turn that asked. A call's id counts from its
 * turn until the next turn that uses the same id, so an id that comes back later is a call of its own.
 */
export function pair(transcript: Transcript, options: PairingOptions = {}): Pairing {
  const messages = messagesOf(transcript);
  const turns = new Turns(messages);
  const earlier = new EarlierTurns(turns);
  const orphans: Orphan[] = [];
  let open: OpenTurn | undefined;

  for (let index = 0; index < messages.length; index++) {
    const message = messages.glimpse(index);
    const { parts } = message;
    let asks = false;
    /** The first part of the message that is neither a call nor a result. */
    let before: Part | undefined;
    for (const part of parts) {
      if (part.kind === "call") {
        if (!asks) open = turns.begin(index, options.continues && continued(message, index));
        asks = true;
        open!.ask(part);
      } else if (part.kind === "result") {
        place(part, index, before);
      } else {
        before ??= part;
      }
    }
    if (open && !asks && (before || parts.length === 0) && !options.mayStandBetween?.(message)) {
      open.closedBy ??= index;
    }
  }
  turns.settle();
  const { unsettled } = turns;
  return {
    get turns() {
      return turns.list();
    },
    asking: turns.indexes,
    turnAt: (number) => turns.at(number),
    unsettled,
    broken: unsettled.filter(({ broken }) => broken),
    orphans,
  };

  /** The turn with which the message at `index` goes on. */
  function continued(message: TranscriptMessage, index: number): OpenTurn | undefined {
    if (open?.index !== index - 1) return undefined;
    return options.continues?.(message, messages.glimpse(open.index)) ? open : undefined;
  }

  function place(result: ResultPart, index: number, before: Part | undefined): void {
    const id = result.callId;
    const first = id === undefined ? undefined : (open?.firstCall(id) ?? earlier.findCall(id));
    if (!first) {
      orphans.push({ result, message: messages.hold(index), after: open });
      open?.goAstray(result, open.closedBy === undefined && !before);
      return;
    }
    const waiting = first.placed === 0 ? first : first.twins[first.placed - 1];
    first.placed++;
    const behind = waiting && obstacleBefore(waiting, index, before);
    if (!waiting) first.turnOutcome.repeat(first, result);
    else if (behind) waiting.late = { result, behind };
    else waiting.turnOutcome.answer(waiting, result);
  }

  function obstacleBefore(waiting: Pending, index: number, before: Part | undefined): Obstacle | undefined {
    const parting = waiting.turnOutcome.first === open!.first ? open!.closedBy : open!.index;
    if (parting !== undefined) {
      const message = messages.hold(parting);
      return { at: message.at, message, sameMessage: false };
    }
    return before && { at: before.at, message: messages.hold(index), sameMessage: true };
  }
}
