/**
 * Ends the body of a test now, with this error: its hooks and fixtures end as they should, unlike after a throw from
 * outside, and a retry is not disturbed by what the abandoned body still does.
 *
 * Vitest races the body against the `signal` of the test's context; nobody but Vitest holds its controller, so the
 * signal is made to say what an aborted one says. Should a Vitest not listen, the body runs on to its own end.
 *
 * @returns Undoes it: Vitest 4 gives the next attempt the same signal.
 */
export function failAtOnce(signal: AbortSignal, error: Error): () => void {
  Object.defineProperties(signal, {
    aborted: { configurable: true, value: true },
    reason: { configurable: true, value: error },
  });
  signal.dispatchEvent(new Event("abort"));
  return () => {
    Reflect.deleteProperty(signal, "aborted");
    Reflect.deleteProperty(signal, "reason");
  };
}
