import { cutText } from "../json.js";

/** Names of query parameters that hold a secret. */
const SECRET_NAME = /key|token|secret|signature|credential|password|passwd|^(sig|auth|code|jwt|sas|pwd)$/i;

/** What is a secret by its look, wherever it stands: keys of known makers, JSON web tokens. */
const SECRET_VALUE =
  /\b(sk|pk|rk|gsk|xai|pat|ghp|gho|ghs|hf|glpat|xox[abpsr]|whsec)[-_][\w-]{12,}|AIza[\w-]{20,}|AKIA[A-Z0-9]{12,}|eyJ[\w-]{8,}\.[\w-]+\.[\w-]+|bot\d+:[\w-]{20,}/g;

/** A URL as it may be printed: without user, password, fragment and secrets, and not longer than a line or two. */
export function printableUrl(href: string): string {
  const url = new URL(href);
  const query = url.search
    .slice(1)
    .split("&")
    .map((pair) => {
      const name = pair.split("=", 1)[0]!;
      return pair.length > name.length + 1 && SECRET_NAME.test(name) ? `${name}=…` : pair;
    })
    .join("&");
  const text = url.origin + url.pathname + (query && `?${query}`);
  return cutText(text.replace(SECRET_VALUE, "…"));
}
