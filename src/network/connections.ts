import type { Socket } from "node:net";
import type { Destination } from "./patterns.js";
import type { Scope } from "./scope.js";

/** A connection that was let out. */
export interface Connection extends Destination {
  readonly port: number;
  /** What was connected. A mock that lets a request pass stands before it with a socket of its own. */
  readonly socket: Socket | undefined;
  /** Where the proxy at its other end was asked to lead it. */
  tunnel?: Destination;
  /** Whose allow let out what it carries; nobody's where the settings do. */
  owner?: Scope | undefined;
}

/** What of Node's handles leads to the one below: TLS lies over TCP, or over a stream that is no handle at all. */
interface Handle {
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

  /** Remembers a connection, which is closed when the scope that owns it ends. */
  open(handle: object, connection: Connection, owner: Scope | undefined): void {
    for (const key of [handle, connection.socket]) if (key) this.#known.set(key, connection);
    this.own(connection, owner);
    connection.socket?.once("close", () => {
      this.#pooled.delete(connection);
      connection.owner?.connections.delete(connection);
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

  /** Gives a connection to the scope whose request it carries: the end of another one must not cut that off. */
  own(connection: Connection, owner: Scope | undefined): void {
    connection.owner?.connections.delete(connection);
    connection.owner = owner;
    owner?.connections.add(connection);
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
  return handle._parentWrap?.stream?._handle ?? handle._parent;
}
