import { findMessages } from "../conversation/index.js";
import { ArgumentError } from "../errors.js";
import { isPattern, isRecord } from "../json.js";
import { spokenBy } from "../transcript/spoken.js";
import { reveal } from "./leak/hidden.js";
import { knownSecrets, mask, plantedSecrets, type Secret } from "./leak/secrets.js";
import { visitTexts } from "./leak/texts.js";
import { hintFor, type MatcherResult, type MatcherReturn, type MatcherState } from "./matcher.js";
import { count, word } from "./wording.js";

export interface ToLeak {
  /**
   * Passes when one of the secrets stands anywhere in the conversation. Used with `.not`.
   *
   * Looks into everything: content, parts, arguments, results, names, reasoning, tools and their schemas, system text,
   * settings, unknown fields, keys, and what JSON texts hold. A scripted model counts with every request it was asked
   * with. The failure says where, and never prints a secret whole.
   *
   * @param secrets - What was planted: strings as they stand, or patterns. Without any: stack frames, absolute paths of
   *   this machine (working, home and temporary folder), and credentials in well-known formats.
   * @throws {UsageError} when the subject is neither a text nor holds messages, or a secret is empty.
   * @example
   * expect(model).not.toLeak();
   * expect(messages).not.toLeak(process.env.DB_PASSWORD!, /DE\d{20}/);
   */
  // Not `readonly`: Vitest's type of `.resolves` does not see through a readonly rest parameter.
  toLeak(...secrets: (string | RegExp)[]): MatcherReturn<this>;
}

const NAME = "toLeak";
/** How many leaks a failure lists. */
const SHOWN = 8;

interface Leak {
  readonly at: string;
  readonly label: string;
  readonly masked: string;
  readonly advice: string;
}

export function toLeak(this: MatcherState, received: unknown, ...given: readonly (string | RegExp)[]): MatcherResult {
  const secrets = given.map((secret, index) => requireSecret(reveal(secret), index));
  const { texts, leaks } = search(received, secrets.length > 0 ? plantedSecrets(secrets) : knownSecrets());
  const hint = hintFor(this, NAME, received, secrets.length > 0 ? "…secrets" : "");
  const planted = secrets.length === 1 ? "the secret" : `one of ${secrets.length} secrets`;
  const what = secrets.length > 0 ? planted : "a stack frame, a path of this machine or a credential";

  if (leaks.length > 0) {
    const claim = `Expected no leak, but found ${count(leaks.length, "leak")}.`;
    const advice = [...new Set(leaks.map((leak) => leak.advice))].join(" ");
    return { pass: true, message: () => word({ hint, claim, evidence: listLeaks(leaks), advice }) };
  }
  const claim = `Expected ${what} to stand somewhere in the conversation, but none of its ${count(texts, "text")} holds it.`;
  return { pass: false, message: () => word({ hint, claim }) };
}

/** @throws {ArgumentError} when there is nothing to look for. What was passed may be the secret itself: it is not printed. */
function requireSecret(secret: unknown, index: number): string | RegExp {
  if (isPattern(secret) || (typeof secret === "string" && secret !== "")) return secret;
  const found = secret === "" ? "an empty string" : secret === null ? "null" : typeof secret;
  throw new ArgumentError(
    `${NAME}() takes strings that are not empty, or patterns, found ${found} as argument ${index + 1}. ` +
      "A secret read from the environment may not be set there.",
  );
}

function search(subject: unknown, secrets: readonly Secret[]): { texts: number; leaks: readonly Leak[] } {
  const leaks: Leak[] = [];
  const known = new Set<string>();
  let texts = 0;
  const visit = ({ at, text }: { at: string; text: string }) => {
    texts++;
    let found = false;
    for (const { label, advice, find } of secrets) {
      const match = find(text);
      if (match === undefined) continue;
      found = true;
      // The same secret in a later place is the same leak, passed on.
      if (known.has(`${label} ${match}`)) continue;
      known.add(`${label} ${match}`);
      leaks.push({ at, label, masked: mask(match), advice });
    }
    return found;
  };
  const visited = new WeakSet();
  for (const { value, at } of placesOf(subject)) visitTexts(value, at, visit, visited);
  return { texts, leaks };
}

/** Where to look, the likeliest place first. */
function placesOf(subject: unknown): readonly { value: unknown; at: string }[] {
  if (typeof subject === "string") return [{ value: subject, at: "the text" }];
  const spoken = spokenBy(subject);
  if (spoken) {
    const requests = spoken.requests.map(({ turn: _turn, body, ...request }, index) => ({
      body: { value: body, at: `requests[${index}].body` },
      request: { value: request, at: `requests[${index}]` },
    }));
    return [...requests.map(({ request }) => request), ...requests.map(({ body }) => body)];
  }
  const isRecording = isRecord(subject) && Array.isArray(subject.chunks);
  if (!isRecording) findMessages(subject, `${NAME}()`);
  return [{ value: subject, at: Array.isArray(subject) ? "messages" : "" }];
}

function listLeaks(leaks: readonly Leak[]): string {
  const shown = leaks.slice(0, SHOWN);
  const width = Math.max(...shown.map(({ at }) => at.length));
  const lines = shown.map(({ at, label, masked }) => `  > ${at.padEnd(width)}  ${label}  ${masked}`);
  if (leaks.length > SHOWN) lines.push(`    … ${leaks.length - SHOWN} more …`);
  return lines.join("\n");
}
