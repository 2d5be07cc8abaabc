/** A symbol, because what hides a secret and what looks for it may be loaded from two files. */
const REVEAL: unique symbol = Symbol.for("vitest-tool-loop/reveal") as never;

/**
 * A secret that is not printed. Vitest prints the arguments of an asymmetric matcher where it does not match, so
 * `expect.not.toLeak(secret)` would put the secret into the report.
 */
class HiddenSecret {
  readonly #secret: unknown;

  constructor(secret: unknown) {
    this.#secret = secret;
  }

  [REVEAL](): unknown {
    return this.#secret;
  }

  /** What is printed instead. */
  toJSON(): string {
    return "(a secret, not shown)";
  }
}

/** The secret as it was passed. */
export function reveal(secret: unknown): unknown {
  const show = (secret as { [REVEAL]?: unknown } | null | undefined)?.[REVEAL];
  return typeof show === "function" ? show.call(secret) : secret;
}

/** Where Vitest keeps the asymmetric matchers that the `expect` of each test is made with. */
const FOR_EACH_TEST = Symbol.for("asymmetric-matchers-object");

/** Has the asymmetric forms of a matcher, once `expect` has them, hide the arguments they are given. */
export function hideArguments(expect: { readonly not: object }, matcher: string): void {
  const { [FOR_EACH_TEST]: forEachTest = {} } = globalThis as { [FOR_EACH_TEST]?: object };
  for (const holder of [expect, expect.not, forEachTest] as Record<string, unknown>[]) {
    const make = holder[matcher];
    if (typeof make !== "function") continue;
    const value = (...secrets: readonly unknown[]): unknown =>
      make(...secrets.map((secret) => new HiddenSecret(reveal(secret))));
    Object.defineProperty(holder, matcher, { configurable: true, enumerable: true, writable: true, value });
  }
}
