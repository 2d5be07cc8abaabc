import type * as Http from "node:http";
import type { Socket } from "node:net";
import { isRecord } from "../json.js";
import type { Carried, Guard } from "./guard.js";
import { wrapMethod } from "./loading.js";
import { isNockRefusal } from "./nock.js";
import { node } from "./node.js";
import { destinationOf, requestUrl } from "./patterns.js";
import { writeError } from "./refusal.js";

/** Gives connections their words: what their clients say about the requests that they are opened for. */
export function guardRequests(guard: Guard): void {
  const { diagnostics } = node;
  const seen = new WeakMap<object, Carried>();

  const see = (key: object, method: string, origin: string, target: string) => {
    // What a proxy is asked to open is judged when it is asked.
    if (seen.has(key) || method === "CONNECT" || !URL.canParse(origin)) return;
    seen.set(key, guard.see(method, destinationOf(requestUrl(origin, target))));
  };
  const answered = (key: object) => {
    const entry = seen.get(key);
    // A connection that was only reported answers too.
    if (entry && guard.blocks) entry.request.answered = true;
  };
  const failed = (key: object, error: unknown) => {
    const entry = seen.get(key);
    if (!entry || !isNockRefusal(error)) return;
    if (guard.judge(entry.request, entry.scope).kind === "block") guard.refuseSeen(entry);
  };
  const carry = (key: object, socket: Socket) => {
    const entry = seen.get(key);
    if (!entry) guard.carried.delete(socket);
    else {
      guard.carried.set(socket, entry);
      // The end of the test that had this connection before must not close it now.
      const connection = guard.connections.of(socket);
      if (connection) guard.connections.hold(connection, entry.scope);
    }
    return entry;
  };

  // undici, Node's own copy (global fetch, WebSocket) and those from npm.
  diagnostics.subscribe("undici:request:create", (message) => {
    const { request } = message as { request: { method: string; path: string; origin?: string | URL } };
    see(request, request.method, originOf(request.origin), request.path);
  });
  diagnostics.subscribe("undici:request:headers", (message) => answered((message as { request: object }).request));
  diagnostics.subscribe("undici:request:error", (message) => {
    const { request, error } = message as { request: object; error: unknown };
    failed(request, error);
  });
  diagnostics.subscribe("undici:client:sendHeaders", (message) => {
    const { request, socket } = message as { request: object; socket: Socket & { readonly alpnProtocol?: unknown } };
    const entry = carry(request, socket);
    if (entry && socket.alpnProtocol === "h2") guardStream(guard, entry, socket);
  });

  // node:http, and all that is built on it. Node 20 has no channel that speaks before the connection does.
  const seeHttp = (request: Http.ClientRequest, port: unknown) => {
    if (seen.has(request)) return;
    request.once(node.events.errorMonitor, (error) => failed(request, error));
    const host = request.host.includes(":") ? `[${request.host}]` : request.host;
    see(request, request.method, `${request.protocol}//${host}:${String(port ?? "")}`, request.path);
  };
  const { prototype: base } = node.events.EventEmitter;
  const contexts = new WeakMap<object, Context>();
  const agents = () => node.http.Agent.prototype as unknown as Agent;
  wrapMethod({ module: "_http_agent", name: "addRequest", holder: agents, base }, (addRequest: Agent["addRequest"]) => {
    return function (this: Agent, request, options, ...rest) {
      seeHttp(request, options.port);
      contexts.set(request, node.asyncHooks.AsyncLocalStorage.snapshot());
      addRequest.call(this, request, options, ...rest);
    };
  });
  wrapMethod(
    { module: "_http_agent", name: "createSocket", holder: agents, base },
    (createSocket: Agent["createSocket"]) => {
      return function (this: Agent, request, ...rest) {
        // One that waited in the queue gets its connection when another test is through with its own.
        const run: Context = contexts.get(request) ?? ((fn) => fn());
        return run(() => createSocket.call(this, request, ...rest));
      };
    },
  );
  const clients = () => holderOf(node.http.ClientRequest.prototype, "onSocket");
  wrapMethod({ module: "_http_client", name: "onSocket", holder: clients, base }, (onSocket: OnSocket) => {
    return function (socket, ...rest) {
      if (socket) {
        // Without an agent, as in `ws`, this is the first that is heard of the request.
        seeHttp(this, guard.ports.get(socket) ?? portOf(this.getHeader("host")));
        carry(this, socket);
      }
      onSocket.call(this, socket, ...rest);
    };
  });
  diagnostics.subscribe("http.client.response.finish", (message) => answered((message as { request: object }).request));
}

/**
 * HTTP/2 is written past JavaScript: what a client tells of a request is all there is. It tells right before it asks the
 * session for a stream; an aborted one is not written, and leaves the session to the others.
 */
function guardStream(guard: Guard, { request }: Carried, socket: Socket): void {
  const connection = guard.connections.of(socket);
  if (!connection) return;
  connection.isJudged = true;
  const verdict = guard.judgeRequest(request.method, request, connection);
  if (verdict.kind === "allow") return;
  const error = writeError(verdict.kind, request.url);
  const session = sessionOf(socket);
  if (!session) return void socket.destroy(error);
  session.request = (headers, options) => {
    Reflect.deleteProperty(session, "request");
    const stream = session.request(headers, { ...options, signal: AbortSignal.abort() });
    const { emit } = stream;
    stream.emit = (event: string, ...args: unknown[]) =>
      emit.call(stream, event, ...(event === "error" ? [error] : args));
    return stream;
  };
}

/** Node knows the session of a socket by a symbol of its own. */
function sessionOf(socket: object): Session | undefined {
  const values = Object.getOwnPropertySymbols(socket).map((key) => Reflect.get(socket, key) as unknown);
  return values.find((value): value is Session => isRecord(value) && value.constructor?.name === "ClientHttp2Session");
}

type Context = <R>(fn: () => R) => R;

interface Agent {
  addRequest(request: Http.ClientRequest, options: { readonly port?: unknown }, ...rest: unknown[]): void;
  createSocket(request: Http.ClientRequest, ...rest: unknown[]): void;
}
interface Session {
  request(headers: unknown, options?: object): { emit(event: string, ...args: unknown[]): boolean };
}
type OnSocket = (this: Http.ClientRequest, socket: Socket, ...rest: unknown[]) => void;

function originOf(origin: string | URL | undefined): string {
  return origin === undefined || !URL.canParse(origin) ? "" : new URL(origin).origin;
}

/** What a `Host` header says, if it does. */
function portOf(header: unknown): string {
  return /:(\d+)$/.exec(String(header))?.[1] ?? "";
}

/** The prototype that has this method: nock 14 puts a class of its own before Node's as soon as it is loaded. */
function holderOf<T extends object>(prototype: T, method: keyof T): T {
  return Object.hasOwn(prototype, method) ? prototype : holderOf(Object.getPrototypeOf(prototype), method);
}
