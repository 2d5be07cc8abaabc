import type { RequestHandler } from "msw";
import { type Connection, sessionOf } from "./connections.js";
import type { Destination, Pattern } from "./patterns.js";

/** A request as its client described it, on its way to a socket or to MSW. */
export interface SeenRequest extends Destination {
  readonly method: string;
  readonly url: string;
  readonly stack: string;
  /** MSW had no handler, or the open connection it took is not allowed to it. */
  refused?: boolean;
  /** A connection was blocked that may have been its own. */
  blocked?: boolean;
  /** It got a response, so the blocked connection was not its own. */
  answered?: boolean;
  /** Its client is through with it: no connection is meant for it any more. */
  over?: boolean;
  /** It was written to a connection, so the blocked one was not its own. */
  letOut?: boolean;
}

/** A connection, datagram or name lookup that was blocked. */
export interface BlockedConnection extends Destination {
  readonly kind: "TCP" | "UDP" | "DNS";
  readonly stack: string;
}

/** What strayed: a request where the client speaks HTTP, else the connection. */
export type Evidence = (SeenRequest | BlockedConnection) & {
  /** When it was made, where that is not simply "during the test". */
  readonly phase?: Phase | undefined;
  /** What was still being prepared, by its call: somebody forgot an `await`. */
  readonly unprepared?: string | undefined;
  /** Who made it, where it was not the test's own thread. */
  readonly child?: "process" | "worker" | undefined;
};

export type Phase = "import" | "hook" | "late";

/**
 * What belongs to one attempt of a test, or to a file outside of its tests: what it may reach, who answers it, and what
 * strayed.
 */
export class Scope {
  /** The full name of the test; undefined for a file. */
  readonly test: string | undefined;
  phase: Phase | undefined;
  readonly allowed: Pattern[] = [];
  readonly dropped: Pattern[] = [];
  handlers: RequestHandler[] = [];
  /** Those that this scope may use. */
  readonly connections = new Set<Connection>();
  /** The calls of `network.use()` and the like that have not settled. */
  readonly preparing = new Set<{ readonly caller: string }>();
  /** Called for each stray as it happens. */
  onStray: (() => void) | undefined;
  /** Its end was judged: what strays from now on is late. */
  closed = false;
  /** It failed at its first stray and was left behind: what its code still tries is blocked, and no news. */
  abandoned = false;
  /** The file of a test; a file itself has none. */
  readonly file: Scope | undefined;
  /** For what is late: the scope that ended. */
  readonly after: Scope | undefined;
  /** What strayed from tests of this file, and from the file itself, after their end. */
  readonly late: Scope[] = [];
  /** Where the strays went that were taken: the test has failed for these places already. */
  #taken: Evidence[] = [];
  readonly #requests = new Set<SeenRequest>();
  #blocked: BlockedConnection[] = [];
  #adopted: Evidence[] = [];

  constructor(options: { test?: string | undefined; phase?: Phase; file?: Scope; after?: Scope }) {
    this.test = options.test;
    this.phase = options.phase;
    this.file = options.file;
    this.after = options.after;
  }

  see(request: SeenRequest): void {
    this.#requests.add(this.#dated(request));
  }

  block(connection: BlockedConnection): void {
    this.#blocked.push(this.#dated(connection));
    this.onStray?.();
  }

  lose(request: SeenRequest, how: "refused" | "blocked"): void {
    request[how] = true;
    this.onStray?.();
  }

  /** Takes what a child of this scope reported. */
  adopt(evidence: Evidence): void {
    this.#adopted.push(evidence);
    this.onStray?.();
  }

  /** Requests of this scope that a connection to this destination may be meant for. */
  pending(to: Destination): SeenRequest[] {
    return [...this.#requests].filter(
      (request) =>
        !request.answered && !request.refused && !request.over && !request.letOut && sameEndpoint(request, to),
    );
  }

  strays(): Evidence[] {
    const requests = [...this.#requests].filter(
      ({ answered, refused, blocked, letOut }) => !answered && (refused || (blocked && !letOut)),
    );
    const silent = this.#blocked.filter((to) => !requests.some((request) => sameEndpoint(request, to)));
    const strays = [...requests, ...silent, ...this.#adopted];
    // A client that goes on trying, as gRPC does, says nothing new.
    const known = this.after ? this.after.#taken : [];
    return strays.filter((stray) => !known.some((taken) => sameEndpoint(taken, stray)));
  }

  /** All that strayed, which is then forgotten. */
  takeStrays(): Evidence[] {
    const strays = this.strays();
    this.#taken.push(...strays);
    this.#requests.clear();
    this.#blocked = [];
    this.#adopted = [];
    return strays;
  }

  /** Lets this scope use a connection. */
  hold(connection: Connection): void {
    connection.holders.add(this);
    this.connections.add(connection);
  }

  /**
   * Leaves the connections to those that may use them: what goes over them is judged. HTTP/2 is written past JavaScript,
   * so its connections are closed, unless their client tells of each request.
   *
   * @returns Whether any was closed. Pools notice only when the `close` events are through.
   */
  disconnect(): boolean {
    const left = [...this.connections].filter(
      ({ holders, isJudged }) => !isJudged && [...holders].every((holder) => holder?.closed),
    );
    const sockets = left.flatMap(({ socket }) => (socket && sessionOf(socket) ? [socket] : []));
    for (const socket of sockets) socket.destroy();
    return sockets.length > 0;
  }

  #dated<T extends SeenRequest | BlockedConnection>(evidence: T): T {
    const [unprepared] = [...this.preparing, ...(this.file?.preparing ?? [])];
    return Object.assign(evidence, { phase: this.phase, unprepared: unprepared?.caller });
  }
}

function sameEndpoint(a: Destination, b: Destination): boolean {
  return a.host === b.host && (a.port === undefined || b.port === undefined || a.port === b.port);
}
