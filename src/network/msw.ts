import { UsageError } from "../errors.js";
import type { Guard } from "./guard.js";
import type { MswSource, Source } from "./msw-source.js";

const KEY = Symbol.for("vitest-tool-loop/msw");

/**
 * Loads MSW and takes our place in it, once per copy of MSW.
 *
 * @throws {UsageError} when MSW cannot be loaded, or is older than the source it must share.
 */
export async function loadMsw(guard: Guard): Promise<MswSource> {
  const [msw, node] = await importMsw();
  const { MswSource } = await import("./msw-source.js");
  const source = node.defaultNetworkOptions?.sources[0] as unknown as (Source & { [KEY]?: MswSource }) | undefined;
  if (!source) {
    throw new UsageError("This MSW is too old: expected 2.13 or later. Run: npm install --save-dev msw@latest.");
  }
  const { setupServer } = node;
  return (source[KEY] ??= new MswSource(guard, { source, setupServer, getResponse: msw.getResponse }));
}

async function importMsw() {
  try {
    // By `import`: `require` gives a second copy, which would not share the user's source.
    return await Promise.all([import("msw"), import("msw/node")]);
  } catch (cause) {
    throw new UsageError(
      "MSW could not be loaded: handlers and served models need it. Run: npm install --save-dev msw.",
      { cause },
    );
  }
}

/** Where MSW 2 puts its interceptors when a server listens, and MSW 3 its own when it is loaded. */
const MSW_2 = Symbol.for("interceptor-source");
const MSW_3 = "__MSW_INTERCEPTORS_REGISTRY";

const marks = globalThis as { [MSW_2]?: Interceptors; [MSW_3]?: unknown };

interface Interceptors {
  on(type: string, listener: (...args: unknown[]) => unknown): unknown;
}

/**
 * Takes our place in an MSW that the user loaded: its policy may refuse a stray before the socket sees it.
 *
 * @returns Nothing where there is nothing to do, so that nobody waits for it.
 */
export function meetUsersMsw(guard: Guard): Promise<void> | undefined {
  if (guard.msw || (marks[MSW_2] === undefined && marks[MSW_3] === undefined)) return undefined;
  return loadMsw(guard).then(
    (msw) => {
      guard.msw = msw;
    },
    // An MSW too old to share its source, or its interceptors without it: the socket is still guarded.
    () => undefined,
  );
}

/** Lets no request through an MSW 2 that the user's server just switched on before we took our place in it. */
export function awaitUsersMsw(guard: Guard): void {
  if (MSW_2 in globalThis) return;
  Object.defineProperty(globalThis, MSW_2, {
    configurable: true,
    set(interceptors: Interceptors) {
      Object.defineProperty(globalThis, MSW_2, { configurable: true, writable: true, value: interceptors });
      const meeting = meetUsersMsw(guard);
      if (!meeting) return;
      const { on } = interceptors;
      interceptors.on = (type, listener) =>
        on.call(interceptors, type, async (...args) => {
          await meeting;
          return listener(...args);
        });
    },
  });
}
