/** One server-sent event that carries JSON. */
export function eventOf(data: unknown, name?: string): string {
  const event = name === undefined ? "" : `event: ${name}\n`;
  return `${event}data: ${JSON.stringify(data)}\n\n`;
}

/** A text in the pieces a stream brings it in, about a token each; none for an empty text. */
export function fragments(text: string): readonly string[] {
  return text.match(/\s*\S{1,5}|\s+$/gu) ?? [];
}
