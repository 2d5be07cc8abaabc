import type { Socket } from "node:net";
import { isRecord } from "../json.js";
import type { Destination } from "./patterns.js";
import type { Scope } from "./scope.js";

/** A connection that was let out. */
export interface Connection extends Destination {
  readonly port: number;
  /** What was connected. A mock that lets a request pass stands before it with a socket of its own. */
  readonly socket: Socket | undefined;
  /** All that goes over it are requests, each of which is judged. */
  isJudged?: boolean;
  /** A request was refused: nothing more is written, until it is closed. */
  isRefused?: boolean;
  /** Where the proxy at its other end was asked to lead it. */
  tunnel?: Destination;
  /** All whose allows let out what went over it; undefined for the settings, which never end. */
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

  /** Remembers a connection, and who may use it. */
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

  /** Lets one more use a connection. */
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

/** An HTTP/2 client, as Node has it. */
export interface Session {
  request(headers: StreamHeaders, options?: object): { emit(event: string, ...args: unknown[]): boolean };
}

/** By name, or as a list of names and values. */
export type StreamHeaders = Readonly<Record<string, unknown>> | readonly unknown[];

/** The HTTP/2 client over a socket: Node and undici keep it there, each by a key of its own. */
export function sessionOf(socket: object): Session | undefined {
  const values = Reflect.ownKeys(socket).map((key) => Reflect.get(socket, key) as unknown);
  return values.find((value): value is Session => isRecord(value) && value.constructor?.name === "ClientHttp2Session");
}

function below(handle: Handle): object | undefined {
  return handle._parentWrap?.stream?._handle ?? handle._parent ?? handle._handle;
}
