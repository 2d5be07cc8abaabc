import { existsSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import { describe, expect, test } from "vitest";
import { type CheckOptions, checkConversation, type Violation } from "../../src/conversation.js";

/*
 * Conversations with a verdict, and real bugs from public trackers. They are not part of the repository: they lie beside
 * it, in ../shared, or where TOOL_LOOP_DATA says.
 */
const DATA = process.env.TOOL_LOOP_DATA ?? resolve(import.meta.dirname, "../../../shared");
const DIALECTS = ["openai-chat", "anthropic"];

interface Case {
  readonly id: string;
  readonly dialect: string;
  readonly messages: unknown[];
  readonly options: CheckOptions;
  readonly verdict: "accept" | "reject" | "warn";
  /** The rules that may name the fault; with "accept", the warnings that may be given. */
  readonly rules: readonly string[];
}

/** A line of conversations.jsonl. */
interface Judged {
  readonly id: string;
  readonly dialect: string;
  readonly messages: unknown[];
  readonly stage: "request" | "after-model";
  readonly options?: CheckOptions;
  readonly valid: boolean;
  readonly rule?: string;
  readonly mayAlso?: string[];
  readonly warns?: string[];
}

/** A line of bugs.jsonl, as far as it is one of messages or tools. */
interface Bug {
  readonly id: string;
  readonly repro: CheckOptions & {
    readonly type: string;
    readonly dialect: string;
    readonly messages?: unknown[];
    readonly expect: "reject" | "warn";
    readonly rules: string[];
  };
}

function linesOf<Line>(file: string): Line[] {
  const path = resolve(DATA, file);
  if (!existsSync(path)) return [];
  return readFileSync(path, "utf8")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
}

const conversations = linesOf<Judged>("conversations.jsonl").map(
  ({ id, dialect, messages, stage, options, valid, rule = "", mayAlso = [], warns = [] }): Case => ({
    id,
    dialect,
    messages,
    options: { stage, ...options },
    verdict: valid ? "accept" : "reject",
    rules: valid ? warns : [rule, ...mayAlso],
  }),
);

const bugs = linesOf<Bug>("bugs.jsonl")
  .filter(({ repro }) => repro.type === "messages" || repro.type === "tools")
  .map(({ id, repro: { dialect, messages = [], expect: verdict, rules, thinking, profile, tools } }): Case => {
    const given = { thinking, profile, tools };
    const options = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
    return { id, dialect, messages, options: { stage: "request", ...options }, verdict, rules };
  });

const cases = [...conversations, ...bugs].filter(({ dialect }) => DIALECTS.includes(dialect));

/** Where we name other rules than the data does, and why. */
const DISAGREEMENTS: Record<string, { readonly found: readonly string[]; readonly because: string }> = {
  B039: {
    found: ["error openai-chat/not-adjacent"],
    because:
      "A user message stands between call and result; the conversations of the same collection call that not-adjacent.",
  },
  B203: {
    found: ["error anthropic/thinking-first"],
    because:
      "That the thoughts were dropped shows only beside the response they came from; without it, that they are missing.",
  },
  B204: {
    found: [],
    because:
      "That a thought was edited cannot be seen without the response it came from; with it, thinking-modified is named.",
  },
  B206: {
    found: ["error anthropic/unanswered-call", "error anthropic/thinking-disabled-final"],
    because: "It holds two faults: the call at the end is unanswered as well.",
  },
  B219: {
    found: ["error openai-chat/tool-name", "warn openai-chat/tool-name-duplicate"],
    because:
      "The names are listed before they are sanitised, so one of them is refused as it stands; the collision is warned of.",
  },
};

function named({ severity, rule }: Violation): string {
  return `${severity} ${rule}`;
}

describe.skipIf(cases.length === 0)(`the collected conversations in ${DATA} (skipped where it is absent)`, () => {
  test.each(cases)("$id: $verdict $rules", ({ id, dialect, messages, options, verdict, rules }) => {
    const violations = checkConversation(messages, dialect, options);
    const disagreement = DISAGREEMENTS[id];
    if (disagreement) {
      expect(violations.map(named), disagreement.because).toEqual(disagreement.found);
      return;
    }
    if (verdict === "accept") {
      expect(violations.map(named)).toEqual(rules.map((rule) => `warn ${rule}`));
      return;
    }
    const severity = verdict === "reject" ? "error" : "warn";
    expect(violations).toEqual([expect.objectContaining({ severity, rule: expect.toBeOneOf(rules as string[]) })]);
  });

  test("every disagreement is about an entry that exists", () => {
    expect(cases.map(({ id }) => id)).toEqual(expect.arrayContaining(Object.keys(DISAGREEMENTS)));
  });

  test("what B203 and B204 did to the thoughts is named once the response is known", () => {
    const spoken = [
      { kind: "tool_calls", calls: [{ id: "toolu_h1", name: "kiln", arguments: "{}" }], reasoning: "as thought" },
    ];
    const judged = cases
      .filter(({ id }) => id === "B203" || id === "B204")
      .map(({ messages, options }) =>
        checkConversation(messages, "anthropic", { ...options, spoken: spoken as never }),
      );
    expect(judged.map((violations) => violations.map(named))).toEqual([
      ["error anthropic/thinking-modified"],
      ["error anthropic/thinking-modified"],
    ]);
  });
});
