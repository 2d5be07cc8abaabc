import { OpenTurn } from "./open-turn.js";
import type { CallOutcome, TurnOutcome } from "./pairing.js";
import type { CallPart, ResultPart, TranscriptMessage } from "./types.js";
import type { Messages } from "./wire-transcript.js";

/**
 * A turn in which all is well: each call is answered once, in place and in request order.
 *
 * Nearly all turns are such, and what is kept of them is what a long conversation costs. So this one keeps where it
 * stands, and pairs its calls again, with less to look for, each time it is asked.
 */
export class SettledTurn implements TurnOutcome {
  declare private readonly messages: Messages;
  declare readonly index: number;

  constructor(messages: Messages, index: number) {
    this.messages = messages;
    this.index = index;
  }

  get turn(): TranscriptMessage {
    return this.messages.hold(this.index);
  }

  get calls(): readonly CallOutcome[] {
    const { messages, index: start } = this;
    const calls: SettledCall[] = [];
    let answered = 0;
    for (let index = start; index < messages.length; index++) {
      for (const part of messages.glimpse(index).parts) {
        if (part.kind === "call" && index === start) calls.push(new SettledCall(part, this));
        const next = calls[answered];
        if (part.kind !== "result" || !next || part.callId !== next.call.id) continue;
        next.answer = part;
        answered++;
      }
      if (answered === calls.length) break;
    }
    return calls;
  }

  get answers(): readonly ResultPart[] {
    return this.calls.flatMap(({ answer }) => answer ?? []);
  }

  get strangers(): readonly never[] {
    return NONE;
  }

  /** The same turn as it was, for a result that comes after all. */
  open(): OpenTurn {
    const open = new OpenTurn(this.messages, this.index);
    const { calls } = this;
    for (const { call } of calls) open.ask(call);
    for (const { call, answer } of calls) {
      const pending = open.firstCall(call.id)!;
      pending.placed = 1;
      if (answer) open.answer(pending, answer);
    }
    return open;
  }
}

class SettledCall implements CallOutcome {
  declare readonly call: CallPart;
  declare answer: ResultPart | undefined;
  declare private readonly turnOutcome: SettledTurn;

  constructor(call: CallPart, turnOutcome: SettledTurn) {
    this.call = call;
    this.answer = undefined;
    this.turnOutcome = turnOutcome;
  }

  get turn(): TranscriptMessage {
    return this.turnOutcome.turn;
  }

  get late(): undefined {
    return undefined;
  }

  get duplicates(): readonly never[] {
    return NONE;
  }
}

const NONE: readonly never[] = [];
