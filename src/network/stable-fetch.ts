import { isRecord } from "../json.js";
import type { Guard } from "./guard.js";
import { destinationOf } from "./patterns.js";
import { strayErrors } from "./strays.js";

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
      const call = guard.calls.getStore();
      await before();
      try {
        const response = await behind.target(...args);
        // MSW 3 answers at the socket: there the response is as real as any.
        return call?.mocked && behind.target !== target ? cancellable(response) : response;
      } catch (error) {
        throw explained(error, guard);
      }
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

/**
 * MSW 2 gives its listeners the other half of the body, which nobody reads: a client that cancels its own half, as SDKs
 * do before they try again, would wait for ever.
 */
function cancellable(response: Response): Response {
  if (response.body === null) return response;
  const reader = response.body.getReader();
  const body = new ReadableStream({
    // As the platform's own, which can be read into a buffer of the reader's.
    type: "bytes",
    async pull(controller) {
      const { done, value } = await reader.read();
      if (!done && value.byteLength > 0) return controller.enqueue(value);
      if (!done) return this.pull!(controller);
      controller.close();
      controller.byobRequest?.respond(0);
    },
    cancel(reason) {
      void reader.cancel(reason);
    },
  });
  return from(response, new Response(body, response));
}

/** What a constructed response, and each copy of it, says of where it came from. */
function from({ url, redirected }: Response, response: Response): Response {
  const { clone } = response;
  return Object.defineProperties(response, {
    url: { value: url },
    redirected: { value: redirected },
    clone: { value: () => from({ url, redirected } as Response, clone.call(response)) },
  });
}

/** When an import ends with this error no hook of ours runs any more: the error itself must say what happened. */
function explained(error: unknown, guard: Guard): unknown {
  const scope = guard.here();
  if (scope.phase !== "import") return error;
  const [stray] = strayErrors(scope, scope.strays().slice(-1), guard.blocks);
  return stray ? Object.assign(stray, { cause: error }) : error;
}

function isDropped(guard: Guard, input: unknown): boolean {
  const url = urlOf(input);
  return url?.protocol.startsWith("http") === true && guard.judge(destinationOf(url)).kind === "drop";
}

/** Of what is no URL the platform itself says so. */
function urlOf(input: unknown): URL | undefined {
  try {
    return new URL(isRecord(input) && typeof input.url === "string" ? input.url : String(input));
  } catch {
    return undefined;
  }
}
