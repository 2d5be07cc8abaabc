import type * as Http from "node:http";
import type { Socket } from "node:net";
import type { Guard } from "./guard.js";
import { wrapMethod } from "./loading.js";
import { isNockRefusal } from "./nock.js";
import { node } from "./node.js";
import { printableUrl } from "./redact.js";
import type { Scope, SeenRequest } from "./scope.js";

/**
 * Gives connections their words, and judges the requests of connections that are let out.
 *
 * A connection is allowed by host and port. Its requests may still go to a path that is not, or belong to a test that
 * took it from a pool: they are stopped before their first byte is written.
 */
export function guardRequests(guard: Guard): void {
  const { diagnostics } = node;
  const seen = new WeakMap<object, { readonly request: SeenRequest; readonly scope: Scope }>();

  const see = (key: object, method: string, url: string, base: string) => {
    if (seen.has(key) || !URL.canParse(url, base)) return;
    seen.set(key, guard.see(method, new URL(url, base)));
  };
  const answered = (key: object) => {
    const entry = seen.get(key);
    // A connection that was only reported answers too.
    if (entry && guard.blocks) entry.request.answered = true;
  };
  const failed = (key: object, error: unknown) => {
    const entry = seen.get(key);
    if (!entry || !isNockRefusal(error)) return;
    if (guard.judge(entry.request, entry.scope).kind === "block") entry.scope.refuse(entry.request);
  };
  const stopStray = (key: object, socket: Socket) => {
    const entry = seen.get(key);
    if (!entry) return;
    if (!guard.opened.has(socket)) {
      // Its connection is let out by host and port, perhaps for a request beside it: judged before it is written. A mock
      // connects too, and is not let out.
      if (socket.connecting)
        socket.prependOnceListener("connect", () => guard.opened.has(socket) && stopStray(key, socket));
      return;
    }
    if (!guard.pooled.has(socket)) {
      guard.pooled.add(socket);
      socket.once("close", () => guard.pooled.delete(socket));
    }
    const verdict = guard.judge(entry.request, entry.scope);
    if (verdict.kind === "allow") return;
    if (verdict.kind === "block") entry.scope.refuse(entry.request);
    const error = new Error(`write EACCES ${printableUrl(entry.request.url)}`);
    socket.destroy(Object.assign(error, { code: "EACCES", syscall: "write" }));
  };

  // undici, Node's own copy (global fetch, WebSocket) and those from npm.
  diagnostics.subscribe("undici:request:create", (message) => {
    const { request } = message as { request: { method: string; path: string; origin?: string | URL } };
    see(request, request.method, request.path, String(request.origin ?? ""));
  });
  diagnostics.subscribe("undici:request:headers", (message) => answered((message as { request: object }).request));
  diagnostics.subscribe("undici:request:error", (message) => {
    const { request, error } = message as { request: object; error: unknown };
    failed(request, error);
  });
  diagnostics.subscribe("undici:client:sendHeaders", (message) => {
    const { request, socket } = message as { request: object; socket: Socket };
    stopStray(request, socket);
  });

  // node:http, and all that is built on it. Node 20 has no channel that speaks before the connection does.
  const seeHttp = (request: Http.ClientRequest) => {
    if (seen.has(request)) return;
    request.once(node.events.errorMonitor, (error) => failed(request, error));
    const host = request.getHeader("host") ?? request.host;
    see(request, request.method, request.path, `${request.protocol}//${String(host)}`);
  };
  const { prototype: base } = node.events.EventEmitter;
  const agents = () => node.http.Agent.prototype as unknown as { addRequest: AddRequest };
  wrapMethod({ module: "_http_agent", name: "addRequest", holder: agents, base }, (addRequest: AddRequest) => {
    return function (request, ...rest) {
      seeHttp(request);
      addRequest.call(this, request, ...rest);
    };
  });
  const clients = () => holderOf(node.http.ClientRequest.prototype, "onSocket");
  wrapMethod({ module: "_http_client", name: "onSocket", holder: clients, base }, (onSocket: OnSocket) => {
    return function (socket, ...rest) {
      // Without an agent, as in `ws`, this is the first that is heard of the request.
      seeHttp(this);
      if (socket) stopStray(this, socket);
      onSocket.call(this, socket, ...rest);
    };
  });
  diagnostics.subscribe("http.client.response.finish", (message) => answered((message as { request: object }).request));
}

type AddRequest = (this: unknown, request: Http.ClientRequest, ...rest: unknown[]) => void;
type OnSocket = (this: Http.ClientRequest, socket: Socket, ...rest: unknown[]) => void;

/** The prototype that has this method: nock 14 puts a class of its own before Node's as soon as it is loaded. */
function holderOf<T extends object>(prototype: T, method: keyof T): T {
  return Object.hasOwn(prototype, method) ? prototype : holderOf(Object.getPrototypeOf(prototype), method);
}
