/**
 * A place in the developer's own value.
 *
 * Its path is spelled out only when asked for: a conversation of 100,000 messages has half a million places, and a
 * failure prints three.
 */
export class Place {
  declare protected readonly within: string | { readonly at: string };
  declare protected readonly key: string | number;

  /**
   * @param within - The path of what holds it, or the place itself.
   * @param key - An index, or the path from there with its dot: `.content`.
   */
  constructor(within: string | { readonly at: string }, key: string | number = "") {
    this.within = within;
    this.key = key;
  }

  /** `messages[2].content[0]` */
  get at(): string {
    const { within, key } = this;
    const base = typeof within === "string" ? within : within.at;
    return typeof key === "number" ? `${base}[${key}]` : base + key;
  }
}
