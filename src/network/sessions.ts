import type { Socket } from "node:net";
import type { Session, StreamHeaders } from "./connections.js";
import type { Guard } from "./guard.js";
import { destinationOf, requestUrl } from "./patterns.js";
import { printableUrl } from "./redact.js";
import { writeError } from "./refusal.js";

const guarded = new WeakSet<Session>();

/**
 * Judges the requests of an HTTP/2 client when it asks for their streams: HTTP/2 is written past JavaScript. An aborted
 * stream is not written, and leaves the session to the others.
 */
export function guardSession(guard: Guard, session: Session, socket: Socket): void {
  if (guarded.has(session)) return;
  guarded.add(session);
  const request = session.request.bind(session);
  session.request = (headers, options) => {
    const error = judgeStream(guard, socket, headers);
    if (!error) return request(headers, options);
    const stream = request(headers, { ...options, signal: AbortSignal.abort() });
    const { emit } = stream;
    stream.emit = (event, ...args) => emit.call(stream, event, ...(event === "error" ? [error] : args));
    return stream;
  };
}

function judgeStream(guard: Guard, socket: Socket, headers: StreamHeaders): Error | undefined {
  const connection = guard.connections.of(socket);
  if (!connection) return undefined;
  connection.isJudged = true;
  const { ":method": method = "GET", ":path": path, ":authority": authority, ":protocol": protocol } = named(headers);
  const to = connection.tunnel ?? connection;
  const origin = "encrypted" in socket ? "https:" : "http:";
  // A tunnel through this server is one more place. A WebSocket begins as a GET, and is asked for as a tunnel.
  const isTunnel = method === "CONNECT" && protocol === undefined;
  const url = isTunnel
    ? requestUrl(origin, to, `${origin}//${String(authority)}/`)
    : requestUrl(origin, to, String(path));
  if (!url) return undefined;
  const shown = protocol === undefined ? String(method) : "GET";
  const verdict = guard.judgeRequest(shown, destinationOf(url), { connection, handle: socket });
  // The next stream of this session is another request.
  guard.carried.delete(socket);
  return verdict.kind === "allow" ? undefined : writeError(verdict.kind, printableUrl(url.href));
}

function named(headers: StreamHeaders): Readonly<Record<string, unknown>> {
  if (!Array.isArray(headers)) return headers as Readonly<Record<string, unknown>>;
  return Object.fromEntries(headers.flatMap((name, index) => (index % 2 === 0 ? [[name, headers[index + 1]]] : [])));
}
