import type { CallOutcome, TurnOutcome } from "./pairing.js";
import type { CallPart, ResultPart, TranscriptMessage } from "./types.js";
import type { Messages } from "./wire-transcript.js";

const NONE: readonly never[] = [];

/** A turn while its results are being read, and for good where something about it is out of the ordinary. */
export class OpenTurn implements TurnOutcome {
  declare readonly index: number;
  declare calls: readonly Pending[];
  declare answers: readonly ResultPart[];
  declare strangers: readonly ResultPart[];
  /** The index of the first message behind it that parts it from all results to come. */
  declare closedBy: number | undefined;
  /** The first of the messages that the API reads as one turn with this. */
  declare readonly first: OpenTurn;
  declare private readonly messages: Messages;
  /** Two of its calls have one id, or one call has two results. */
  declare private repeats: boolean;
  /** A result is out of order, or answers nothing. */
  declare private strays: boolean;
  /** The first calls with each id, where there are too many to look through. */
  declare private byId: Map<string, Pending> | undefined;

  /** @param before - The turn with which this one goes on. */
  constructor(messages: Messages, index: number, before?: OpenTurn) {
    this.index = index;
    this.first = before?.first ?? this;
    this.calls = NONE;
    this.answers = NONE;
    this.strangers = NONE;
    this.closedBy = undefined;
    this.messages = messages;
    this.repeats = false;
    this.strays = false;
    this.byId = undefined;
  }

  get turn(): TranscriptMessage {
    return this.messages.hold(this.index);
  }

  get settled(): boolean {
    // Behind one that goes on with another stand the answers of both.
    return this.first === this && !this.repeats && !this.strays && this.answers.length === this.calls.length;
  }

  /** A call is unanswered, late or answered twice, or has the id of another. */
  get broken(): boolean {
    return this.repeats || this.answers.length < this.calls.length;
  }

  ask(call: CallPart): void {
    const pending = new Pending(call, this);
    const first = this.firstCall(call.id);
    this.calls = append(this.calls, pending);
    if (first) {
      first.twins = append(first.twins, pending);
      this.repeats = true;
    } else if (this.byId) this.byId.set(call.id, pending);
    else if (this.calls.length > MANY) this.byId = firstById(this.calls);
  }

  /** The first call with this id. */
  firstCall(id: string): Pending | undefined {
    if (this.byId) return this.byId.get(id);
    // A loop, because find() makes a function for each of many results.
    for (const pending of this.calls) if (pending.call.id === id) return pending;
    return undefined;
  }

  answer(pending: Pending, result: ResultPart): void {
    if (this.calls[this.answers.length] !== pending) this.strays = true;
    pending.answer = result;
    this.answers = append(this.answers, result);
  }

  repeat(first: Pending, result: ResultPart): void {
    first.duplicates = append(first.duplicates, result);
    this.repeats = true;
  }

  /** @param inPlace - It stands where an answer would count. */
  goAstray(result: ResultPart, inPlace: boolean): void {
    this.strays = true;
    if (inPlace) this.strangers = append(this.strangers, result);
  }
}

/** A call while results are being read. */
export class Pending implements CallOutcome {
  declare readonly call: CallPart;
  declare readonly turnOutcome: OpenTurn;
  declare answer: ResultPart | undefined;
  declare late: CallOutcome["late"];
  declare duplicates: readonly ResultPart[];
  /** Further calls of its turn with the same id. */
  declare twins: readonly Pending[];
  /** How many results with this id were placed. */
  declare placed: number;

  constructor(call: CallPart, turnOutcome: OpenTurn) {
    this.call = call;
    this.turnOutcome = turnOutcome;
    this.answer = undefined;
    this.late = undefined;
    this.duplicates = NONE;
    this.twins = NONE;
    this.placed = 0;
  }

  get turn(): TranscriptMessage {
    return this.turnOutcome.turn;
  }
}

/** A turn with more calls than this is not looked through for each result. */
const MANY = 8;

function firstById(calls: readonly Pending[]): Map<string, Pending> {
  const byId = new Map<string, Pending>();
  for (const pending of calls) if (!byId.has(pending.call.id)) byId.set(pending.call.id, pending);
  return byId;
}

/** Adds to a list that is shared while it is empty: nearly all of the many lists here hold one item or none. */
function append<Item>(list: readonly Item[], item: Item): readonly Item[] {
  if (list.length === 0) return [item];
  (list as Item[]).push(item);
  return list;
}
