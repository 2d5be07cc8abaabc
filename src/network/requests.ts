import type * as Http from "node:http";
import type { Socket } from "node:net";
import { sessionOf } from "./connections.js";
import type { Carried, Guard } from "./guard.js";
import { wrapMethod } from "./loading.js";
import { isNockRefusal } from "./nock.js";
import { node } from "./node.js";
import { destinationOf, hostOf, requestUrl } from "./patterns.js";
import { guardSession } from "./sessions.js";

/** Gives connections their words: what their clients say about the requests that they are opened for. */
export function guardRequests(guard: Guard): void {
  const { diagnostics } = node;
  const seen = new WeakMap<object, Carried>();

  const see = (key: object, method: string, url: URL | undefined) => {
    // What a proxy is asked to open is judged when it is asked.
    if (!seen.has(key) && method !== "CONNECT" && url) seen.set(key, guard.see(method, destinationOf(url)));
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
  const over = (key: object) => {
    const entry = seen.get(key);
    if (entry) entry.request.over = true;
  };
  const carry = (key: object, socket: Socket) => {
    const entry = seen.get(key);
    // TLS over a tunnel is known by its handle alone.
    for (const end of [socket, Reflect.get(socket, "_handle") as object | null]) {
      if (end && entry) guard.carried.set(end, entry);
      else if (end) guard.carried.delete(end);
    }
    return entry;
  };

  // undici, Node's own copy (global fetch, WebSocket) and those from npm.
  diagnostics.subscribe("undici:request:create", (message) => {
    const { request } = message as { request: { method: string; path: string; origin?: string | URL } };
    const { protocol, hostname, port } = new URL(String(request.origin ?? "http://localhost"));
    see(request, request.method, requestUrl(protocol, { host: hostOf(hostname), port: portOf(port) }, request.path));
  });
  diagnostics.subscribe("undici:request:headers", (message) => answered((message as { request: object }).request));
  diagnostics.subscribe("undici:request:error", (message) => {
    const { request, error } = message as { request: object; error: unknown };
    failed(request, error);
    over(request);
  });
  diagnostics.subscribe("undici:client:sendHeaders", (message) => {
    const { request, socket } = message as { request: object; socket: Socket };
    const entry = carry(request, socket);
    const session = sessionOf(socket);
    if (entry && session) guardSession(guard, session, socket);
  });

  // node:http, and all that is built on it. Node 20 has no channel that speaks before the connection does.
  const seeHttp = (request: Http.ClientRequest, port: unknown) => {
    if (seen.has(request)) return;
    request.once(node.events.errorMonitor, (error) => failed(request, error));
    request.once("close", () => over(request));
    const to = { host: hostOf(request.host), port: portOf(port) };
    see(request, request.method, requestUrl(request.protocol, to, request.path));
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
        seeHttp(this, guard.ports.get(socket) ?? /:(\d+)$/.exec(String(this.getHeader("host")))?.[1]);
        carry(this, socket);
      }
      onSocket.call(this, socket, ...rest);
    };
  });
  diagnostics.subscribe("http.client.response.finish", (message) => answered((message as { request: object }).request));
}

type Context = <R>(fn: () => R) => R;

interface Agent {
  addRequest(request: Http.ClientRequest, options: { readonly port?: unknown }, ...rest: unknown[]): void;
  createSocket(request: Http.ClientRequest, ...rest: unknown[]): void;
}
type OnSocket = (this: Http.ClientRequest, socket: Socket, ...rest: unknown[]) => void;

function portOf(port: unknown): number | undefined {
  return port === undefined || port === "" || Number.isNaN(Number(port)) ? undefined : Number(port);
}

/** The prototype that has this method: nock 14 puts a class of its own before Node's as soon as it is loaded. */
function holderOf<T extends object>(prototype: T, method: keyof T): T {
  return Object.hasOwn(prototype, method) ? prototype : holderOf(Object.getPrototypeOf(prototype), method);
}
