import type { RequestHandler } from "msw";
import type { SetupServer } from "msw/node";
import { UsageError } from "../errors.js";
import { isRecord, oneLine } from "../json.js";
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
  const handlers = await preparing(scope, caller, async () => {
    await globalServer(guard);
    return make();
  });
  scope.handlers.unshift(...handlers);
  return () => {
    scope.handlers = scope.handlers.filter((handler) => !handlers.includes(handler));
  };
}

/**
 * By shape: a handler of another copy of MSW, or of the other major, works.
 *
 * @throws {UsageError} for what is no request handler.
 */
export function checkHandlers(handlers: readonly unknown[]): void {
  const index = handlers.findIndex((handler) => !isHandler(handler));
  if (index === -1) return;
  const handler = handlers[index];
  const [found, advice] = Array.isArray(handler)
    ? ["a list", "Spread it: await network.use(...handlers)"]
    : isRecord(handler) && handler.kind === "websocket"
      ? ["one for WebSockets", "Give it to the server: (await network.msw()).use(handler)"]
      : [
          oneLine(handler),
          'Write await network.use(http.get("https://api.example.com/users", () => HttpResponse.json([])))',
        ];
  throw new UsageError(
    `network.use() takes MSW request handlers: expected what http.get(…) returns, found ${found}, at argument ${index + 1}. ${advice}.`,
  );
}

function isHandler(handler: unknown): boolean {
  return isRecord(handler) && typeof handler.run === "function" && isRecord(handler.info);
}

/** A request made meanwhile is a stray because somebody forgot an `await`, and its sentence says so. */
async function preparing<T>(scope: Scope, caller: string, work: () => Promise<T>): Promise<T> {
  const call = { caller };
  scope.preparing.add(call);
  try {
    return await work();
  } finally {
    scope.preparing.delete(call);
  }
}
