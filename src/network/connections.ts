import type { Socket } from "node:net";
import type { Destination } from "./patterns.js";
import type { Scope } from "./scope.js";

/** A connection that was let out. */
export interface Connection extends Destination {
  readonly port: number;
  /** What was connected. A mock that lets a request pass stands before it with a socket of its own. */
  readonly socket: Socket | undefined;
  /** All that goes over it are requests, each of which is judged: it may wait in a pool for those of other tests. */
  isJudged?: boolean;
  /** A request was refused: nothing more is written, until it is closed. */
  isRefused?: boolean;
  /** Where the proxy at its other end was asked to lead it. */
  tunnel?: Destination;
  /** Whose allows let out what went over it; undefined for the settings, which never end. */
  readonly holders: Set<Scope | undefined>;
}

/** What leads below: a socket lies over its handle, TLS over another socket, or over a stream that has no handle. */
interface Handle {
  readonly _handle?: object;
  readonly _parent?: object;
  readonly _parentWrap?: { readonly stream?: { readonly _handle?: object } };
}

/**
 * The connections that were let out, by their handles.
 *
 * A client may hold another socket than the one that was connected: TLS over a tunnel, a mock that lets a request pass.
 * In the end all of them write to the same handle.
 */
export class Connections {
  readonly #known = new WeakMap<object, Connection>();
  /** Those that carry HTTP, and may wait in a pool for the next request. */
  readonly #pooled = new Set<Connection>();

  /** Remembers a connection, which is closed when the last scope that holds it ends. */
  open(handle: object, to: Pick<Connection, "host" | "port" | "socket">, holder: Scope | undefined): void {
    const connection: Connection = { ...to, holders: new Set() };
    for (const key of [handle, to.socket]) if (key) this.#known.set(key, connection);
    this.hold(connection, holder);
    to.socket?.once("close", () => {
      this.#pooled.delete(connection);
      for (const scope of connection.holders) scope?.connections.delete(connection);
    });
  }

  /** The connection that this handle or socket writes to, if it was let out. */
  of(handle: object): Connection | undefined {
    for (let at: object | undefined = handle; at; at = below(at)) {
      const connection = this.#known.get(at);
      if (connection) return connection;
    }
    return undefined;
  }

  /** Keeps a connection for those whose request it carries. */
  hold(connection: Connection, holder: Scope | undefined): void {
    if (holder) holder.hold(connection);
    else connection.holders.add(undefined);
  }

  /** Knows a connection for one that carries HTTP. */
  pool(connection: Connection): void {
    this.#pooled.add(connection);
  }

  /** @returns Whether there were any connections that carry HTTP. */
  closePooled(): boolean {
    const { size } = this.#pooled;
    for (const { socket } of this.#pooled) socket?.destroy();
    return size > 0;
  }
}

function below(handle: Handle): object | undefined {
  return handle._parentWrap?.stream?._handle ?? handle._parent ?? handle._handle;
}
