import { binding } from "./binding.js";
import type { Connection } from "./connections.js";
import type { Guard, Line, Verdict } from "./guard.js";
import { type Destination, destinationOf, hostOf, requestUrl } from "./patterns.js";
import { printableUrl } from "./redact.js";
import { refusal, writeError } from "./refusal.js";

type Method = (this: object, ...args: unknown[]) => unknown;
type Prototype = Record<string, Method>;
type Chunk = string | Uint8Array;

/** All by which Node's streams hand their bytes to libuv, or to the encryption before it. */
const WRITES = [
  "writeBuffer",
  "writev",
  "writeAsciiString",
  "writeLatin1String",
  "writeUtf8String",
  "writeUcs2String",
] as const;

/**
 * Judges what is written to connections that were let out: requests by the line they begin with, all else by host and
 * port when another test than the one that opened the connection writes it.
 *
 * A connection is allowed by host and port. Its requests may still go to a path that is not, belong to a test that took
 * the connection from a pool, or ask a proxy for another host. Clients can be told wrong things about a request, mocks
 * and proxies stand between; what is written is what arrives.
 *
 * HTTP/2 is written past JavaScript: undici tells of each request, of others the host and port are all that is judged.
 */
export function guardWrites(guard: Guard, handle: Prototype, protocol: "http:" | "https:"): void {
  for (const name of WRITES) {
    const real = handle[name]!;
    handle[name] = function (...args) {
      const connection = guard.connections.of(this) ?? adopt(guard, this, chunksOf(name, args)[0]);
      if (!connection) return real.apply(this, args);
      if (connection.isRefused) return WRITTEN;
      const line = { connection, handle: this };
      for (const chunk of chunksOf(name, args)) {
        const { verdict, what } = judgeWrite(guard, line, protocol, chunk);
        if (verdict.kind !== "allow") return refuse(guard, line, verdict.kind, what);
      }
      return real.apply(this, args);
    };
  }
}

/** Called with the first connection: most test files have none, and few have an encrypted one. */
export function guardEncryptedWrites(guard: Guard): void {
  const tls = binding<{ TLSWrap: { prototype: Prototype } }>("tls_wrap")?.TLSWrap.prototype;
  if (tls) guardWrites(guard, tls, "https:");
}

/** `writev` gets a list: of buffers, or of texts each with its encoding. */
function chunksOf(name: (typeof WRITES)[number], [, data, areBuffers]: unknown[]): Chunk[] {
  if (name !== "writev") return [data as Chunk];
  return (data as Chunk[]).filter((_, index) => areBuffers === true || index % 2 === 0);
}

/** One that was opened before the guard was there, and waits in a pool. Servers write no requests. */
function adopt(guard: Guard, handle: Handle, chunk: Chunk | undefined): Connection | undefined {
  if (chunk === undefined || !REQUEST.test(headOf(chunk))) return undefined;
  const peer: { address?: string; port?: number } = {};
  for (let at: Handle | undefined = handle; at && peer.port === undefined; at = at._parent) at.getpeername?.(peer);
  if (peer.address === undefined || peer.port === undefined) return undefined;
  guard.connections.open(handle, { host: hostOf(peer.address), port: peer.port, socket: undefined }, undefined);
  return guard.connections.of(handle);
}

/** TLS lies over another one. */
interface Handle {
  readonly _parent?: Handle;
  getpeername?(out: object): void;
}

const REQUEST = /^(?:\r?\n)*(\S+) (\S+) HTTP\/1\.\d\r?\n/;

interface Judged {
  readonly verdict: Verdict;
  /** What was to be written, in short. */
  readonly what: string;
}

function judgeWrite(guard: Guard, line: Line, protocol: "http:" | "https:", chunk: Chunk): Judged {
  const { connection } = line;
  const { host, port } = connection.tunnel ?? connection;
  const what = `${host}:${port}`;
  const head = headOf(chunk);
  const [, method, target] = REQUEST.exec(head) ?? [];
  if (method === undefined || target === undefined) return { verdict: guard.judgeBytes(connection), what };
  guard.connections.pool(connection);
  if (method === "CONNECT" && URL.canParse(`http://${target}`)) return openTunnel(guard, connection, target);
  const url = requestUrl(protocol, { host, port }, target);
  if (!url) return { verdict: guard.judgeBytes(connection), what };
  const verdict = guard.judgeRequest(method, destinationOf(url), line);
  // What follows an upgrade is no request any more.
  connection.isJudged = !/\r\nupgrade:/i.test(head);
  return { verdict, what: printableUrl(url.href) };
}

/** Enough to know a request by, and its headers if there is one. */
function headOf(chunk: Chunk): string {
  if (typeof chunk === "string") return chunk.slice(0, HEAD);
  return Buffer.from(chunk.buffer, chunk.byteOffset, Math.min(chunk.byteLength, HEAD)).toString("latin1");
}

/** Node itself takes no more. */
const HEAD = 16_384;

/** What a handle returns that takes the bytes. */
const WRITTEN = 0;

/**
 * Refuses a request as a server does that hangs up on it: clients and mocks know how to bear that. A write that fails in
 * the moment of connecting they are told twice.
 */
function refuse(guard: Guard, { connection, handle }: Line, kind: "block" | "drop", what: string): number {
  const { socket } = connection;
  // TLS over a tunnel would be told nothing but that the tunnel closed.
  if (!socket || Reflect.get(socket, "_handle") !== handle) return refusal({ kind });
  connection.isRefused = true;
  guard.setImmediate(() => socket.destroy(writeError(kind, what)));
  return WRITTEN;
}

/** A proxy leads to one more place, which is judged as if it were connected. */
function openTunnel(guard: Guard, connection: Connection, target: string): Judged {
  const { host, port }: Destination = destinationOf(new URL(`http://${target}`));
  const verdict = guard.admit({ host, port }, "TCP");
  if (verdict.kind === "allow") connection.tunnel = { host, port };
  return { verdict, what: target };
}
