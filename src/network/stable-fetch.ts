import { destinationOf, type Guard } from "./guard.js";

const KEY = Symbol.for("vitest-tool-loop/fetch");

function isDropped(guard: Guard, input: RequestInfo | URL): boolean {
  const href = typeof input === "object" && "url" in input ? input.url : String(input);
  return URL.canParse(href) && guard.judge(destinationOf(new URL(href))).kind === "drop";
}

type StableFetch = typeof fetch & { [KEY]?: { target: typeof fetch } };

/**
 * Replaces `fetch` by one that stays the same while what is behind it changes.
 *
 * A client made at module level keeps the `fetch` it found. MSW 2 mocks by replacing it, and is loaded later: through
 * this one the client is mocked too. It also sees the line that called, which is gone when the connection is made.
 */
export function installStableFetch(guard: Guard): void {
  const target = globalThis.fetch;
  if (typeof target !== "function" || KEY in target) return;
  const behind = { target };
  const stable: StableFetch = async function fetch(...args) {
    if (isDropped(guard, args[0])) return new Response(null, { status: 204 });
    return guard.called({}, () => behind.target(...args));
  };
  stable[KEY] = behind;
  globalThis.fetch = stable;
}
