import { binding } from "./binding.js";
import type { Connection } from "./connections.js";
import type { Guard, Verdict } from "./guard.js";
import { type Destination, destinationOf, requestUrl } from "./patterns.js";
import { refusal } from "./refusal.js";

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
      for (const chunk of connection ? chunksOf(name, args) : []) {
        const verdict = judgeWrite(guard, connection!, protocol, chunk);
        if (verdict && verdict.kind !== "allow") return refusal(verdict);
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

/** No verdict on what begins no request. */
function judgeWrite(guard: Guard, connection: Connection, protocol: string, chunk: Chunk): Verdict | undefined {
  const [, method, target] = /^(\S+) (\S+) HTTP\/1\.\d\r?\n/.exec(firstLine(chunk)) ?? [];
  if (method === undefined || target === undefined) return undefined;
  guard.connections.pool(connection);
  if (method === "CONNECT" && URL.canParse(`http://${target}`)) return openTunnel(guard, connection, target);
  const { host, port } = connection.tunnel ?? connection;
  const url = requestUrl(`${protocol}://${host.includes(":") ? `[${host}]` : host}:${port}`, target);
  return guard.judgeRequest(method, destinationOf(url), connection);
}

function firstLine(chunk: Chunk): string {
  if (typeof chunk === "string") return chunk;
  const end = chunk.indexOf(10);
  return end < 0 ? "" : Buffer.from(chunk.buffer, chunk.byteOffset, end + 1).toString("latin1");
}

/** A proxy leads to one more place, which is judged as if it were connected. */
function openTunnel(guard: Guard, connection: Connection, target: string): Verdict {
  const { host, port }: Destination = destinationOf(new URL(`http://${target}`));
  const verdict = guard.admit({ host, port }, "TCP");
  if (verdict.kind === "allow") connection.tunnel = { host, port };
  return verdict;
}
