import type { Guard } from "./guard.js";
import { destinationOf } from "./patterns.js";

const KEY = Symbol.for("vitest-tool-loop/fetch");

interface Behind {
  readonly stable: typeof fetch;
  /** What is called: Node's own, the DOM environment's, or MSW's. */
  target: typeof fetch;
}

const shared = globalThis as { [KEY]?: Behind };

/**
 * Replaces `fetch` by one that stays the same while what is behind it changes.
 *
 * A client made at module level keeps the `fetch` it found. MSW 2 mocks by replacing it, and is loaded later: through
 * this one the client is mocked too. It also sees the line that called, which is gone when the connection is made.
 *
 * @param before - What must be done before the request goes on.
 */
export function installStableFetch(guard: Guard, before: () => Promise<void> | undefined): void {
  const target = globalThis.fetch;
  if (typeof target !== "function" || target === shared[KEY]?.stable) return;
  const stable: typeof fetch = async function fetch(...args) {
    if (isDropped(guard, args[0])) return new Response(null, { status: 204 });
    return guard.called({}, async () => {
      await before();
      return behind.target(...args);
    });
  };
  const behind: Behind = { stable, target };
  shared[KEY] = behind;
  globalThis.fetch = stable;
}

/** Runs what replaces or restores `fetch`, and keeps its work behind ours. */
export function swapFetch<R>(replace: () => R): R {
  const behind = shared[KEY];
  if (!behind) return replace();
  const outer = globalThis.fetch;
  globalThis.fetch = behind.target;
  try {
    return replace();
  } finally {
    behind.target = globalThis.fetch;
    globalThis.fetch = outer;
  }
}

function isDropped(guard: Guard, input: RequestInfo | URL): boolean {
  const href = typeof input === "object" && "url" in input ? input.url : String(input);
  return URL.canParse(href) && guard.judge(destinationOf(new URL(href))).kind === "drop";
}
