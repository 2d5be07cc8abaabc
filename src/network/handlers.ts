import type { RequestHandler } from "msw";
import type { SetupServer } from "msw/node";
import type { Guard } from "./guard.js";
import { requireGuard } from "./installed.js";
import { loadMsw } from "./msw.js";
import type { Scope } from "./scope.js";

/** The global MSW server, loaded and listening. */
export async function globalServer(guard: Guard): Promise<SetupServer> {
  guard.usesMsw = true;
  guard.msw = await loadMsw(guard);
  if (guard.msw.listen()) await guard.closePooled();
  return guard.msw.server;
}

/**
 * Puts handlers before all others, for the current test, or for the file outside of tests.
 *
 * @param make - Gives the handlers; called when MSW is loaded.
 * @returns Takes them away again, before their scope ends.
 * @throws {UsageError} without the setup line, and when MSW cannot be loaded.
 */
export async function useHandlers(make: () => Promise<readonly RequestHandler[]>, caller: string): Promise<() => void> {
  const guard = requireGuard(caller);
  const scope = guard.here();
  const handlers = await preparing(scope, async () => {
    await globalServer(guard);
    return make();
  });
  scope.handlers.unshift(...handlers);
  return () => {
    scope.handlers = scope.handlers.filter((handler) => !handlers.includes(handler));
  };
}

/** A request made meanwhile is a stray because somebody forgot an `await`, and its sentence says so. */
async function preparing<T>(scope: Scope, work: () => Promise<T>): Promise<T> {
  scope.preparing += 1;
  try {
    return await work();
  } finally {
    scope.preparing -= 1;
  }
}
