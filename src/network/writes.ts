import { binding } from "./binding.js";
import type { Connection } from "./connections.js";
import type { Guard, Verdict } from "./guard.js";
import { type Destination, destinationOf, requestUrl } from "./patterns.js";
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
 * Judges the requests of connections that were let out, by the line they begin with.
 *
 * A connection is allowed by host and port. Its requests may still go to a path that is not, belong to a test that took
 * the connection from a pool, or ask a proxy for another host. Clients can be told wrong things about a request, mocks
 * and proxies stand between; what is written is what arrives.
 *
 * HTTP/2 is written past JavaScript: undici tells of each request, of others the host and port are all that is judged.
 */
export function guardWrites(guard: Guard, handle: Prototype, protocol: "http" | "https"): void {
  for (const name of WRITES) {
    const real = handle[name]!;
    handle[name] = function (...args) {
      const connection = guard.connections.of(this);
      if (connection?.isRefused) return WRITTEN;
      for (const chunk of connection ? chunksOf(name, args) : []) {
        const judged = judgeWrite(guard, connection!, protocol, chunk);
        if (judged && judged.verdict.kind !== "allow") return refuse(guard, this, connection!, judged);
      }
      return real.apply(this, args);
    };
  }
}

/** Called with the first connection: most test files have none, and few have an encrypted one. */
export function guardEncryptedWrites(guard: Guard): void {
  const tls = binding<{ TLSWrap: { prototype: Prototype } }>("tls_wrap")?.TLSWrap.prototype;
  if (tls) guardWrites(guard, tls, "https");
}

/** `writev` gets a list: of buffers, or of texts each with its encoding. */
function chunksOf(name: (typeof WRITES)[number], [, data, areBuffers]: unknown[]): Chunk[] {
  if (name !== "writev") return [data as Chunk];
  return (data as Chunk[]).filter((_, index) => areBuffers === true || index % 2 === 0);
}

interface Judged {
  readonly verdict: Verdict;
  readonly url: string;
}

/** No verdict on what begins no request. */
function judgeWrite(guard: Guard, connection: Connection, protocol: string, chunk: Chunk): Judged | undefined {
  const head = headOf(chunk);
  const [, method, target] = /^(\S+) (\S+) HTTP\/1\.\d\r?\n/.exec(head) ?? [];
  if (method === undefined || target === undefined) return undefined;
  guard.connections.pool(connection);
  // What follows an upgrade is no request any more.
  connection.isJudged = method !== "CONNECT" && !/\r\nupgrade:/i.test(head);
  if (method === "CONNECT" && URL.canParse(`http://${target}`)) return openTunnel(guard, connection, target);
  const { host, port } = connection.tunnel ?? connection;
  const url = requestUrl(`${protocol}://${host.includes(":") ? `[${host}]` : host}:${port}`, target);
  return { verdict: guard.judgeRequest(method, destinationOf(url), connection), url: url.href };
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
function refuse(guard: Guard, handle: object, connection: Connection, { verdict, url }: Judged): number {
  const { socket } = connection;
  const kind = verdict.kind === "drop" ? "drop" : "block";
  // TLS over a tunnel would be told nothing but that the tunnel closed.
  if (!socket || Reflect.get(socket, "_handle") !== handle) return refusal(verdict);
  connection.isRefused = true;
  guard.setImmediate(() => socket.destroy(writeError(kind, url)));
  return WRITTEN;
}

/** A proxy leads to one more place, which is judged as if it were connected. */
function openTunnel(guard: Guard, connection: Connection, target: string): Judged {
  const { host, port }: Destination = destinationOf(new URL(`http://${target}`));
  const verdict = guard.admit({ host, port }, "TCP");
  if (verdict.kind === "allow") connection.tunnel = { host, port };
  return { verdict, url: `http://${target}` };
}
