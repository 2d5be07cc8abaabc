import type { RequestHandler } from "msw";
import type { SetupServer } from "msw/node";
import type { Guard } from "./guard.js";
import { destinationOf } from "./patterns.js";
import { swapFetch } from "./stable-fetch.js";

/** What this file needs to know of a request on its way through MSW, in both majors. */
interface Frame {
  readonly protocol: string;
  readonly data: { readonly request: Request };
  readonly events: { on(type: "request:unhandled", listener: () => void): void };
  passthrough(): unknown;
  respondWith(response: Response): unknown;
  errorWith(reason: unknown): unknown;
}

/** The one source of intercepted requests that every `setupServer()` of a copy of MSW shares. */
export interface Source {
  emitter: { listeners(type: string): readonly unknown[]; removeAllListeners(): void };
  queue(frame: Frame): Promise<void>;
  enable(...args: unknown[]): unknown;
  disable(): unknown;
}

export interface Msw {
  readonly source: Source;
  readonly setupServer: () => SetupServer;
  readonly getResponse: (handlers: RequestHandler[], request: Request) => Promise<Response | undefined>;
}

/**
 * Our place in MSW: between the interceptors and whichever server listens.
 *
 * All `setupServer()` share one source, the last `listen()` takes it over and any `close()` switches it off for
 * everybody. So a server of our own beside the user's cannot work by being another server: requests are met where they
 * enter the source, which neither notices.
 */
export class MswSource {
  readonly server: SetupServer;
  readonly #guard: Guard;
  readonly #msw: Msw;
  readonly #source: Source;
  readonly #real: Pick<Source, "queue" | "enable" | "disable">;
  /** Whose `listen()` was the last. */
  #listening: "nobody" | "ours" | "theirs";
  /** The interceptors are in place, and whether what they made of `fetch` is behind ours. */
  #applied: { readonly behindOurs: boolean } | undefined;
  /** It is us who call the server, not the user theirs. */
  #switching = false;

  constructor(guard: Guard, msw: Msw) {
    this.#guard = guard;
    this.#msw = msw;
    this.#source = msw.source;
    this.server = msw.setupServer();
    const { queue, enable, disable } = this.#source;
    this.#real = { queue, enable, disable };
    const inUse = hasListeners(this.#source);
    this.#applied = inUse ? { behindOurs: false } : undefined;
    this.#listening = inUse ? "theirs" : "nobody";
    this.#source.queue = (frame) => this.#meet(frame);
    this.#source.enable = (...args) => {
      if (!this.#switching) this.#listening = "theirs";
      return this.#apply(args);
    };
    this.#source.disable = () => {
      removeListeners(this.#source);
      // The user's `close()` ends their server, not ours.
      if (!this.#switching) this.#handBack();
    };
  }

  /**
   * Puts the global server in place, beside the user's own if there is one.
   *
   * @returns Whether requests are met from now on that were not before.
   */
  listen(): boolean {
    if (this.#applied?.behindOurs) return false;
    if (this.#listening === "theirs") this.#reapply();
    else this.#switchOn();
    return true;
  }

  /** Gives back what MSW replaced, unless the user's server still listens: another file may run in this thread. */
  dispose(): void {
    if (this.#listening !== "ours") return;
    this.#switch(() => this.#close());
    this.#listening = "nobody";
    this.#unapply();
  }

  #handBack(): void {
    this.#listening = "nobody";
    if (this.#guard.usesMsw) this.#switchOn();
    else this.#unapply();
  }

  #switchOn(): void {
    this.#switch(() => {
      this.#close();
      this.server.listen({ ...UNHANDLED });
    });
    this.#listening = "ours";
  }

  /** MSW does not tell a server that another one took over, so it may believe that it listens, or not. */
  #close(): void {
    try {
      this.server.close();
    } catch {
      // MSW 3 throws when the server is closed already.
    }
  }

  #switch(work: () => void): void {
    this.#switching = true;
    try {
      work();
    } finally {
      this.#switching = false;
    }
  }

  #apply(args: unknown[]): unknown {
    // Applied twice, the interceptors would deliver every request twice.
    if (this.#applied) return undefined;
    this.#applied = { behindOurs: true };
    const result = swapFetch(() => this.#real.enable.apply(this.#source, args));
    // `import { request } from "node:http"` holds what was exported before MSW came.
    globalThis.process.getBuiltinModule("node:module").syncBuiltinESMExports();
    return result;
  }

  #unapply(): void {
    const disable = () => this.#real.disable.call(this.#source);
    if (this.#applied?.behindOurs) swapFetch(disable);
    else disable();
    this.#applied = undefined;
  }

  /** A client of module level holds our `fetch`; the user's server was put around it, where the client cannot see it. */
  #reapply(): void {
    const { emitter } = this.#source;
    this.#source.emitter = new (emitter.constructor as new () => Source["emitter"])();
    this.#unapply();
    this.#source.emitter = emitter;
    this.#apply([]);
  }

  async #meet(frame: Frame): Promise<void> {
    if (frame.protocol !== "http") return this.#real.queue.call(this.#source, frame);
    const { request } = frame.data;
    // `data:`, `blob:`: no handler for "*" is meant for them. MSW 2 brings them here, MSW 3 does not.
    if (!request.url.startsWith("http")) return void frame.passthrough();
    const call = this.#guard.calls.getStore();
    const respondWith = frame.respondWith.bind(frame);
    frame.respondWith = (response) => {
      if (call) call.mocked = true;
      return respondWith(response);
    };
    const handlers = this.#handlers();
    const bypasses = request.headers.get("accept")?.includes("msw/passthrough");
    if (handlers.length > 0 && !bypasses) {
      try {
        const response = await this.#msw.getResponse(handlers, request.clone());
        if (response) return void (asksToPass(response) ? frame.passthrough() : frame.respondWith(response));
      } catch (error) {
        return void frame.errorWith(error);
      }
    }
    this.#judgeUnhandled(frame);
    return this.#real.queue.call(this.#source, frame);
  }

  /** The test's own handlers before the file's; those of the global server only where it does not listen itself. */
  #handlers(): RequestHandler[] {
    const scope = this.#guard.here();
    const file = scope === this.#guard.file ? [] : this.#guard.file.handlers;
    const server = this.#listening === "theirs" ? (this.server.listHandlers() as RequestHandler[]) : [];
    return [...scope.handlers, ...file, ...server];
  }

  /**
   * Under any policy, the guard judges at the socket what no handler answers: only there is it known what stays on this
   * machine, as a Unix socket does. Where it cannot block sockets, the policy refuses, and it is judged here.
   */
  #judgeUnhandled(frame: Frame): void {
    const { request } = frame.data;
    const url = new URL(request.url);
    const scope = this.#guard.here();
    const stack = this.#guard.stack();
    const errorWith = frame.errorWith.bind(frame);
    let unhandled = false;
    frame.events.on("request:unhandled", () => {
      unhandled = true;
    });
    frame.errorWith = (reason) => {
      if (!unhandled) return errorWith(reason);
      if (this.#guard.blocks || this.#guard.judge(destinationOf(url), scope).kind === "allow")
        return frame.passthrough();
      this.#guard.refuse(request.method, url, stack, scope);
      return reason === REFUSAL ? frame.respondWith(Response.error()) : errorWith(reason);
    };
  }
}

const REFUSAL = new Error("No handler answers this request.");

/** A callback, because the word `"error"` prints a page per request, and lets asset paths pass. Each major reads one. */
const UNHANDLED = {
  onUnhandledRequest() {
    throw REFUSAL;
  },
  onUnhandledFrame() {
    throw REFUSAL;
  },
};

/** MSW's `passthrough()` is a response that says so. */
function asksToPass(response: Response): boolean {
  return response.headers.get("x-msw-intention") === "passthrough";
}

/** What MSW does before another server listens: the interceptors stay. */
function removeListeners({ emitter }: Source): void {
  emitter.removeAllListeners();
}

function hasListeners({ emitter }: Source): boolean {
  return emitter.listeners("frame").length > 0;
}
