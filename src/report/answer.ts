import type { DialectDefinition } from "../dialects/dialect.js";
import type { Violation } from "../rules/rule.js";

/** What a provider's API says to a violation: its own words, after its name. */
export function formatAnswer({ title, name }: DialectDefinition, { rule, severity, message }: Violation): string {
  const named = title ?? name;
  const api = named[0]!.toUpperCase() + named.slice(1);
  return severity === "error"
    ? `${api} would answer 400: ${message} (${rule})`
    : `${api} accepts it, but: ${message} (${rule})`;
}
