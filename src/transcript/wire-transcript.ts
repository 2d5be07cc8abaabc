import type { Transcript, TranscriptMessage } from "./types.js";
import { type WireList, WireMessage } from "./wire.js";

/** Messages to go through without keeping them. */
export interface Messages {
  readonly length: number;
  /** A message to look at and let go. The same one while no other is looked at. */
  glimpse(index: number): TranscriptMessage;
  /** The message itself, as the transcript lists it. */
  hold(index: number): TranscriptMessage;
}

/**
 * A transcript of a list of wire messages, each read when it is looked at.
 *
 * To keep every message of a long conversation takes longer than to read them all three times. A message that someone
 * holds is one object to all who ask for it from then on.
 */
export class WireTranscript implements Transcript, Messages {
  // A property of its own, so that a copy with another dialect's name has the messages too. One getter for all, because
  // an object with a getter of its own is a shape of its own to the engine.
  static readonly #listed: PropertyDescriptor & ThisType<WireTranscript> = {
    enumerable: true,
    get() {
      return this.#holdAll();
    },
  };

  readonly dialect: string;
  declare readonly messages: readonly TranscriptMessage[];
  readonly #list: WireList;
  readonly #wires: readonly Record<string, unknown>[];
  /** The developer's list may have grown since. */
  readonly #length: number;
  /** Made when the first is held: mostly, none is. */
  #held: TranscriptMessage[] | undefined = undefined;
  #glimpsed: WireMessage | undefined = undefined;

  /**
   * @param wires - The developer's own list, which goes on: whoever keeps a transcript for later lists its messages first.
   *   A copy of a long list is new memory in one piece, and to fetch that can take a sixth of the time of reading it all.
   */
  constructor(dialect: string, list: WireList, wires: readonly Record<string, unknown>[]) {
    this.dialect = dialect;
    this.#list = list;
    this.#wires = wires;
    this.#length = wires.length;
    Object.defineProperty(this, "messages", WireTranscript.#listed);
  }

  get length(): number {
    return this.#length;
  }

  glimpse(index: number): TranscriptMessage {
    const held = this.#held?.[index];
    if (held) return held;
    if (this.#glimpsed?.index !== index) {
      this.#glimpsed = new WireMessage(this.#list, index, this.#wires[index]!);
    }
    return this.#glimpsed;
  }

  hold(index: number): TranscriptMessage {
    this.#held ??= new Array<TranscriptMessage>(this.length);
    return (this.#held[index] ??= this.glimpse(index));
  }

  #holdAll(): readonly TranscriptMessage[] {
    for (let index = 0; index < this.length; index++) this.hold(index);
    return this.#held ?? [];
  }
}

/** The messages of any transcript. */
export function messagesOf(transcript: Transcript): Messages {
  return transcript instanceof WireTranscript ? transcript : new ListedMessages(transcript.messages);
}

class ListedMessages implements Messages {
  readonly #list: readonly TranscriptMessage[];

  constructor(list: readonly TranscriptMessage[]) {
    this.#list = list;
  }

  get length(): number {
    return this.#list.length;
  }

  glimpse(index: number): TranscriptMessage {
    return this.#list[index]!;
  }

  hold(index: number): TranscriptMessage {
    return this.#list[index]!;
  }
}

/** The last message, without a list of the others. */
export function lastMessage(transcript: Transcript): TranscriptMessage | undefined {
  const messages = messagesOf(transcript);
  return messages.length === 0 ? undefined : messages.hold(messages.length - 1);
}
