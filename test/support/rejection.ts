/** The error a promise rejects with; fails when it does not. */
export async function rejectionOf(promise: PromiseLike<unknown>): Promise<Error> {
  try {
    await promise;
  } catch (error) {
    return error as Error;
  }
  throw new Error("expected a rejection, but the promise was fulfilled");
}

/** The error a function throws; fails when it does not. */
export function thrownBy(fn: () => unknown): Error {
  try {
    fn();
  } catch (error) {
    return error as Error;
  }
  throw new Error("expected a throw, but the function returned");
}
