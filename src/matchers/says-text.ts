/** Whether a text contains another, or matches a pattern. A sticky or global pattern is tried from the start. */
export function saysText(text: string, expected: string | RegExp): boolean {
  if (typeof expected === "string") return text.includes(expected);
  return new RegExp(expected.source, expected.flags.replace(/[gy]/g, "")).test(text);
}
