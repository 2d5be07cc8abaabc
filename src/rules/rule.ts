import type { CallOutcome, Pairing, TurnOutcome } from "../transcript/pairing.js";
import type { AssistantTurn } from "../transcript/turn.js";
import type { Part, ResultPart, Transcript, TranscriptMessage } from "../transcript/types.js";
import { messagesOf } from "../transcript/wire-transcript.js";
import { walk } from "./walk.js";

export type Severity = "error" | "warn";

/** One breach of what an API accepts. */
export interface Violation {
  /** `anthropic/orphan-result`: the dialect's name, then the rule's. */
  readonly rule: string;
  /** `error`: the API answers 4xx. `warn`: it accepts, and the conversation is harmed or depends on the backend. */
  readonly severity: Severity;
  /** Path in the developer's own value. */
  readonly at: string;
  /** What the API answers, in its own words where they are known. */
  readonly message: string;
  /** What to change. */
  readonly fix: string;
  /** Where the rule was read. */
  readonly source: string;
}

/** A violation with what matchers need to tie it to a call; {@link Violation} is what users get. */
export interface Finding extends Violation {
  /** The calls it is about, as outcomes of the pairing. */
  readonly calls: readonly CallOutcome[];
  /** It is about which result answers which call. */
  readonly pairing: boolean;
}

/** A tool as it was offered to the model, read from any of the shapes providers use. */
export interface OfferedTool {
  readonly name: string;
  readonly description?: string;
  readonly schema?: unknown;
  readonly at: string;
}

/** Facts outside the messages. A rule that needs one stays silent without it. */
export interface CheckOptions {
  /**
   * `"auto"` (default): a history that ends with the model's finished words is judged as it stands; one that ends with
   * unanswered calls is judged as a request. `"after-model"`: the last turn's calls may stay open. `"request"`: every rule.
   */
  readonly stage?: "auto" | "request" | "after-model";
  /** Warnings count too. */
  readonly strict?: boolean;
  /** A backend behind the dialect with rules of its own: `"deepseek-thinking"`. */
  readonly profile?: string;
  /** Whether extended thinking is on for the request. */
  readonly thinking?: boolean;
  readonly model?: string;
  readonly tokenizer?: string;
  readonly toolConfig?: boolean;
  /** Whether the model takes a conversation that ends with its own words. */
  readonly prefill?: boolean;
  /** The tools offered with the messages, in the provider's own shape. */
  readonly tools?: readonly unknown[];
  /** The turns as the model spoke them: what must come back unchanged is compared with these. */
  readonly spoken?: readonly AssistantTurn[];
}

export interface RuleContext {
  readonly transcript: Transcript;
  readonly pairing: Pairing;
  readonly options: CheckOptions;
  /** Undefined where the messages came without tools. */
  readonly tools: readonly OfferedTool[] | undefined;
  /** The turn whose calls may stay open, where there is one. */
  readonly mayStayOpen: TranscriptMessage | undefined;
  /** Rules about how a request must end apply. */
  readonly endsRequest: boolean;
  /** The places that earlier rules of the list have explained. */
  readonly explained: ReadonlySet<string>;
}

/** What a rule says about one fault. */
export interface Fault {
  readonly at: string;
  /** The API's own text. */
  readonly message: string;
  readonly fix: string;
  readonly calls?: readonly CallOutcome[];
  /**
   * Other places where this same fault shows: a later rule that yields and would name one of them stays silent. One
   * fault is one violation.
   */
  readonly covers?: readonly string[];
}

/**
 * What a rule sees of a conversation that is walked through once for all rules. What it is shown is made for this walk:
 * what is the same has the same `at`. That is spelled out each time it is read: a rule reads it of what is at fault only.
 */
export interface Visitor {
  message?(message: TranscriptMessage): void;
  /**
   * Each message with its parts, read once for all that ask.
   *
   * @param asked - The newest turn with calls, this message included.
   */
  parts?(parts: readonly Part[], message: TranscriptMessage, asked: TurnOutcome | undefined): void;
  /** The calls of each turn, when all their results are known. */
  calls?(calls: readonly CallOutcome[]): void;
  /** Each of them by itself. */
  call?(outcome: CallOutcome): void;
}

export type Found = (fault: Fault) => void;

/**
 * A rule looks at each message or call as it is visited, or at the whole conversation at once, when the rules before it
 * in the list have spoken.
 */
export interface Rule {
  readonly id: string;
  readonly severity: Severity;
  /** Address of the issue, guide or type in which it was read. */
  readonly source: string;
  /** It is about which result answers which call. */
  readonly pairing?: boolean;
  /** Silent where an earlier rule of the list already explains what it would name. Default: as `pairing`. */
  readonly yields?: boolean;
  visit?(context: RuleContext, found: Found): Visitor;
  check?(context: RuleContext, found: Found): void;
}

/**
 * Runs a dialect's rules over a transcript, in the order of the list: the most telling rule comes first.
 *
 * @returns The findings in the order of the rules.
 */
export function applyRules(rules: readonly Rule[], facts: Omit<RuleContext, "explained">): Finding[] {
  const findings: Finding[] = [];
  const explained = new Set<string>();
  const context: RuleContext = { ...facts, explained };
  const visited = rules.map(({ visit }) => {
    const faults: Fault[] = [];
    return { faults, visitor: visit?.(context, (fault) => void faults.push(fault)) };
  });
  walk(
    facts,
    visited.flatMap(({ visitor }) => visitor ?? []),
  );

  rules.forEach(({ id: rule, severity, source, pairing = false, yields = pairing, check }, index) => {
    const say: Found = ({ at, message, fix, calls = [], covers = [] }) => {
      if (yields && explained.has(at)) return;
      explained.add(at);
      for (const place of covers) explained.add(place);
      findings.push({ rule, severity, at, message, fix, source, calls, pairing });
    };
    visited[index]!.faults.forEach(say);
    check?.(context, say);
  });
  return findings;
}

/** How far a conversation has come, and so which rules apply to its end. */
export function stageOf(
  transcript: Transcript,
  pairing: Pairing,
  stage: CheckOptions["stage"] = "auto",
): Pick<RuleContext, "mayStayOpen" | "endsRequest"> {
  const messages = messagesOf(transcript);
  const last = messages.length - 1;
  if (stage === "request" || last < 0 || messages.glimpse(last).role !== "assistant") {
    return { mayStayOpen: undefined, endsRequest: true };
  }
  const asks = pairing.asking.at(-1) === last;
  if (stage === "after-model") return { mayStayOpen: asks ? messages.hold(last) : undefined, endsRequest: false };
  return { mayStayOpen: undefined, endsRequest: asks };
}

/** A turn with calls that are not answered in place. */
export interface OpenTurn {
  readonly turn: TranscriptMessage;
  readonly open: readonly CallOutcome[];
  /** The results that answer its other calls. */
  readonly answers: readonly ResultPart[];
  /** Results in place with an id nobody asked for, as far as open calls wait for one: the same fault from its other side. */
  readonly misnamed: readonly ResultPart[];
}

/** The turns that are not answered, may not stay open, and are not explained by an earlier rule. */
export function unanswered({ pairing, mayStayOpen, explained }: RuleContext): OpenTurn[] {
  const found: OpenTurn[] = [];
  for (const outcome of pairing.broken) {
    if (outcome.turn === mayStayOpen || outcome.answers.length === outcome.calls.length) continue;
    const open = outcome.calls.filter(({ answer, call }) => !answer && !explained.has(call.at));
    if (open.length === 0) continue;
    const neverAnswered = open.filter(({ late }) => !late).length;
    const misnamed = outcome.strangers.filter(({ at }) => !explained.has(at)).slice(0, neverAnswered);
    found.push({ turn: outcome.turn, open, answers: outcome.answers, misnamed });
  }
  return found;
}

/** Whether a finding is about a call. */
export function isAbout({ calls }: Finding, { call }: CallOutcome): boolean {
  return calls.some((outcome) => outcome.call.at === call.at);
}

/** The places in which an unanswered or misplaced answer shows: the calls, and the results that came too late. */
export function placesOf(outcomes: readonly CallOutcome[]): string[] {
  return outcomes.flatMap(({ call, late }) => (late ? [call.at, late.result.at] : [call.at]));
}

/** The index of a message in its path: 3 for `messages[3].content[1]`. */
export function indexIn(at: string): number {
  return Number(/\[(\d+)\]/.exec(at)?.[1]);
}
