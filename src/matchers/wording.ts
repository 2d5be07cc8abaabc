import type { OpenConversation } from "../conversation/index.js";
import { cutText } from "../json.js";
import { formatAnswer, formatTranscript } from "../report/index.js";
import type { Violation } from "../rules/rule.js";

/** The parts of a failure message, in the order they are printed. */
export interface Wording {
  /** The matcher as called. */
  readonly hint: string;
  /** `Expected …, but …` */
  readonly claim: string;
  readonly conversation?: OpenConversation;
  /** Printed in place of the conversation: calls, requests, places. */
  readonly evidence?: string | undefined;
  /** Paths of the offending places in the conversation. */
  readonly mark?: readonly string[];
  /** What the provider would answer. */
  readonly violation?: Violation | undefined;
  /** What to change, where no violation says it, or better than it says it. */
  readonly advice?: string | undefined;
}

/** Puts a failure message together: the claim, the conversation with its marks, the provider's answer, the advice. */
export function word({ hint, claim, conversation, evidence, mark = [], violation, advice }: Wording): string {
  const sections = [hint, bounded(claim)];
  if (evidence !== undefined) sections.push(evidence);
  else if (conversation) sections.push(formatTranscript(conversation.transcript, { mark }));
  const ending = [
    ...(violation && conversation ? [formatAnswer(conversation.definition, violation)] : []),
    ...((advice ?? violation?.fix) ? [advice ?? violation!.fix] : []),
  ];
  if (ending.length > 0) sections.push(ending.map(bounded).join("\n"));
  return sections.join("\n\n");
}

/** Text that quotes from a conversation, at a length one can read: an id in it may be a megabyte long. */
export function bounded(text: string): string {
  return cutText(
    text.replace(/\S{300,}/g, (word) => cutText(word, 100)),
    4_000,
  );
}

/** `once`, `3 times`. */
export function times(amount: number): string {
  return amount === 1 ? "once" : count(amount, "time");
}

/** `1 turn`, `3 turns`. */
export function count(amount: number, noun: string): string {
  return `${amount.toLocaleString("en-US")} ${noun}${amount === 1 ? "" : "s"}`;
}
