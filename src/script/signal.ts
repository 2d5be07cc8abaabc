/** Waits for `work`, but no longer than until the signal aborts: then it rejects with the signal's reason. */
export function orAborted<T>(signal: AbortSignal | undefined, work: Promise<T>): Promise<T> {
  if (signal === undefined) return work;
  return new Promise<T>((resolve, reject) => {
    const abort = () => reject(signal.reason);
    if (signal.aborted) abort();
    signal.addEventListener("abort", abort, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener("abort", abort));
  });
}

/** Never answers; only an abort ends it. */
export function hang(signal: AbortSignal | undefined): Promise<never> {
  return orAborted(signal, new Promise<never>(() => {}));
}

export function isSignal(value: unknown): value is AbortSignal {
  // By shape: a DOM environment brings an AbortSignal of its own.
  return (
    typeof value === "object" &&
    value !== null &&
    "aborted" in value &&
    "addEventListener" in value &&
    "reason" in value
  );
}
