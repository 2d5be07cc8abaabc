/** Whether a text contains another, or matches a pattern. A sticky or global pattern is tried from the start. */
export function saysText(text: string, expected: string | RegExp): boolean {
  return typeof expected === "string" ? text.includes(expected) : stateless(expected).test(text);
}

/** A pattern that answers the same however often it is asked: `g` and `y` would remember where they stopped. */
export function stateless(pattern: RegExp): RegExp {
  return new RegExp(pattern.source, pattern.flags.replace(/[gy]/g, ""));
}
