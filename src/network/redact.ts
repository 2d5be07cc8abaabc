import { cutText } from "../json.js";

/** Names of query parameters that hold a secret, as a part of a longer name too: `access_token`, `X-Amz-Credential`. */
const SECRET_NAME = /key|token|secret|signature|credential|passw|session|auth|cookie|jwt|bearer/i;

/** Those that are too short to be looked for inside of other words. */
const SECRET_WORD = /(^|[^a-z])(sig|pass|pwd|pin|t?otp|code|sas|sid|h?mac)([^a-z]|$)/i;

/** What is a secret by its look, wherever it stands: keys of known makers, JSON web tokens. */
const SECRET_VALUE =
  /\b(sk|pk|rk|gsk|xai|pat|ghp|gho|ghs|hf|glpat|xox[abpsr]|whsec)[-_][\w-]{12,}|AIza[\w-]{20,}|AKIA[A-Z0-9]{12,}|eyJ[\w-]{8,}\.[\w-]+\.[\w-]+|bot\d+:[\w-]{20,}/g;

/** What was drawn at random: no name of a resource is so long and mixes all three. Ids in hex are left. */
const RANDOM = /^(?=.*[a-z])(?=.*[A-Z])(?=.*\d.*\d)\w{20,}$/;

/** A URL as it may be printed: enough to know the request by, no secret in it, and not longer than a line or two. */
export function printableUrl(href: string): string {
  const url = new URL(href);
  const query = url.search.slice(1).split("&").map(printableParameter).join("&");
  return cutText(placeOf(url) + (query && `?${query}`));
}

/** A pattern for such requests, in `network.allow()` and in a handler: what must not be printed is any. */
export function patternFor(href: string): string {
  return placeOf(new URL(href)).replaceAll("…", "*");
}

/** Without user, password and fragment. */
function placeOf({ origin, pathname }: URL): string {
  return origin + pathname.split("/").map(printableSegment).join("/");
}

function printableSegment(segment: string): string {
  const text = decoded(segment).replace(SECRET_VALUE, "…");
  if (text.split(/[-.~:]/).some((part) => RANDOM.test(part))) return "…";
  return text.includes("…") ? text : segment;
}

/** Names tell requests apart; a value is shown only where it can hold no secret. */
function printableParameter(pair: string): string {
  const [name = "", ...rest] = pair.split("=");
  if (rest.length === 0) return isHarmless(name) ? name : "…";
  const value = rest.join("=");
  const shownName = name.length > 40 ? "…" : name.replace(SECRET_VALUE, "…");
  const isSecret = SECRET_NAME.test(decoded(name)) || SECRET_WORD.test(decoded(name));
  return `${shownName}=${value === "" || (!isSecret && isHarmless(value)) ? value : "…"}`;
}

/** A few plain words and numbers: `2`, `created_at`, `gpt-4o-mini`, `2026-11-30`. */
function isHarmless(value: string): boolean {
  const text = decoded(value);
  if (text.length > 24 || text.search(SECRET_VALUE) !== -1) return false;
  return text.split(/[-_.,:+ /]/).every((part) => /^([a-z]{0,16}|\d{1,8}|[a-z\d]{1,4})$/i.test(part));
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
