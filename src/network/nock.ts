import module from "node:module";
import type { Guard } from "./guard.js";

/** What nock 14 and before tell of a request that no interceptor matched. */
interface Unmatched {
  readonly proto: string;
  readonly host: string;
  readonly path: string;
  readonly method: string;
}

interface Nock {
  readonly emitter: { on(type: "no match", listener: (...args: unknown[]) => void): void };
}

const met = new WeakSet<Nock>();

/**
 * Hears of the requests that nock refuses before the socket sees them.
 *
 * nock 14 and before replace the clients, so nobody else can tell; nobody loads it here, it is looked up. nock 15 fails
 * the connection instead, which {@link isNockRefusal} recognises.
 */
export function meetNock(guard: Guard): void {
  // Of the `createRequire` that is imported: in VM pools it is Vitest's own, and has a cache for each file.
  const { cache } = module.createRequire(import.meta.url);
  const file = Object.keys(cache).find((path) => /[\\/]node_modules[\\/]nock[\\/]index\.js$/.test(path));
  const nock = file && (cache[file]!.exports as Nock);
  if (!nock || met.has(nock)) return;
  met.add(nock);
  nock.emitter.on("no match", (...args) => {
    const { proto, host, path, method } = args[args.length > 1 ? 1 : 0] as Unmatched;
    const url = new URL(path, `${proto}://${host}`);
    const scope = guard.here();
    const stack = guard.stack();
    guard.setImmediate(() => {
      // nock tells of what it lets pass too. That has met the guard at the socket by now, and counts once.
      const isKnown = scope.strays().some((stray) => stray.url === url.href);
      const isBlocked = guard.judge({ host: url.hostname, url: url.href }, scope).kind === "block";
      if (isBlocked && !isKnown) guard.refuse(method, url, stack, guard.openScope(scope));
    });
  });
}

/** Whether a request failed because nock 15 has no interceptor for it and may not let it pass. */
export function isNockRefusal(error: unknown): boolean {
  return error instanceof Error && error.name === "NetConnectNotAllowedError";
}
