import dgram from "node:dgram";
import dns from "node:dns";
import { syncBuiltinESMExports } from "node:module";
import net from "node:net";
import { hostname } from "node:os";
import { getSystemErrorMap } from "node:util";
import { isRecord } from "../json.js";
import { binding } from "./binding.js";
import type { Guard, Verdict } from "./guard.js";
import { type Destination, isLoopback } from "./patterns.js";

type Method = (this: object, ...args: unknown[]) => unknown;
type Prototype = Record<string, Method>;

/**
 * Puts the guard under every client of this thread.
 *
 * TCP and UDP are refused at the handle, where libuv takes over: HTTP, TLS, HTTP/2, WebSockets and drivers all end
 * there, and what a mock answers never gets there. Names are refused at the lookup, because on a machine without
 * network a stray dies there.
 *
 * Where Node keeps its handles to itself (`--permission` does), connections are reported and not blocked.
 */
export function guardSockets(guard: Guard): void {
  const handles = handlePrototypes();
  if (handles) {
    guardTcp(guard, handles.tcp);
    guardUdp(guard, handles.udp);
    guardQueries(guard, handles.queries);
  } else {
    guard.blocks = false;
    console.warn(
      "[vitest-tool-loop] The network guard cannot block connections: expected process.binding() to give the sockets, " +
        "found it refused. Strays still fail their tests, but they get out. Run the tests without --permission.",
    );
  }
  rememberCalls(guard);
  guardLookups(guard);
  syncBuiltinESMExports();
}

/** libuv's error number, which differs between systems. */
function errno(code: string): number {
  for (const [number, [name]] of getSystemErrorMap()) if (name === code) return number;
  return -1;
}

const REFUSED = { block: "EACCES", drop: "ECONNREFUSED" } as const;

function refusal(verdict: Verdict): number {
  return verdict.kind === "allow" ? 0 : errno(REFUSED[verdict.kind]);
}

function handlePrototypes(): { tcp: Prototype; udp: Prototype; queries: Prototype } | undefined {
  const prototype = (module: string, name: string) =>
    binding<Record<string, { prototype: Prototype }>>(module)?.[name]?.prototype;
  const tcp = prototype("tcp_wrap", "TCP");
  const udp = prototype("udp_wrap", "UDP");
  const queries = prototype("cares_wrap", "ChannelWrap");
  return tcp && udp && queries && { tcp, udp, queries };
}

/** Remembers who asked for a connection, by name: the handle is told an address, ticks later. */
function rememberCalls(guard: Guard): void {
  const connect = net.Socket.prototype.connect as (...args: unknown[]) => net.Socket;
  net.Socket.prototype.connect = function (this: net.Socket, ...args: unknown[]) {
    keepSocketPath(optionsOf(args)[0]);
    const to = target(args);
    if (!to) return connect.apply(this, args);
    // A mock of MSW 3 passes here too; its strays are told by MSW.
    if (!guard.blocks && !guard.usesMsw && net.isIP(to.host)) guard.admit(to, "TCP");
    return guard.called({ socket: this, ...to }, () => connect.apply(this, args));
  } as typeof net.Socket.prototype.connect;
  const datagrams = dgram.Socket.prototype as unknown as Prototype;
  for (const name of ["connect", "send"]) {
    const real = datagrams[name]!;
    datagrams[name] = function (...args) {
      return guard.called({}, () => real.apply(this, args));
    };
  }
}

/** `net.connect` passes its own arguments on as one array. */
function optionsOf(args: unknown[]): unknown[] {
  return Array.isArray(args[0]) ? args[0] : args;
}

/** MSW 2 loses the path of a Unix socket where the request brings an agent of its own: it would go out by TCP. */
function keepSocketPath(options: unknown): void {
  if (isRecord(options) && options.socketPath && !options.path) options.path = options.socketPath;
}

/** Where `connect(options | port, host?)` goes; undefined for a Unix socket. */
function target(args: unknown[]): { host: string; port: number } | undefined {
  const [first, second] = optionsOf(args);
  const { path, port, host } = isRecord(first) ? first : { path: undefined, port: first, host: second };
  if (path || port === undefined || Number.isNaN(Number(port))) return undefined;
  return { host: typeof host === "string" ? host : "localhost", port: Number(port) };
}

function guardTcp(guard: Guard, tcp: Prototype): void {
  for (const name of ["connect", "connect6"]) {
    const real = tcp[name]!;
    tcp[name] = function (...args) {
      const [, address, port] = args as [unknown, string, number];
      const call = guard.calls.getStore();
      // A stale call is one whose socket connected long ago, and whose callback opened this one past `net`.
      const host = call?.port === port ? (call.host ?? address) : address;
      const verdict = guard.admit({ host, port }, "TCP");
      if (verdict.kind !== "allow") return refusal(verdict);
      if (call?.socket) guard.track(call.socket, verdict.by);
      return real.apply(this, args);
    };
  }
}

function guardUdp(guard: Guard, udp: Prototype): void {
  for (const name of ["connect", "connect6"]) {
    const real = udp[name]!;
    udp[name] = function (...args) {
      const [host, port] = args as [string, number];
      return refusal(guard.admit({ host, port }, "UDP")) || real.apply(this, args);
    };
  }
  for (const name of ["send", "send6"]) {
    const real = udp[name]!;
    udp[name] = function (...args) {
      // A connected socket names no destination: its `connect` was judged.
      const [, , , port, host] = args as [unknown, unknown, unknown, number, string];
      const refused = args.length >= 6 ? refusal(guard.admit({ host, port }, "UDP")) : 0;
      return refused || real.apply(this, args);
    };
  }
}

function guardLookups(guard: Guard): void {
  guardLookup("lookup", "getaddrinfo", (host) => {
    if (net.isIP(host)) return undefined;
    const call = guard.calls.getStore();
    const to: Destination = call?.host === host ? { host, port: call.port } : { host };
    // Without a connection nothing leaves this machine for its own names; `listen("localhost")` looks them up.
    if (to.port === undefined && (isLoopback(host) || host === hostname())) return undefined;
    return guard.admit(to, to.port === undefined ? "DNS" : "TCP");
  });
  // The name of an address: a name server is asked for it, too.
  guardLookup("lookupService", "getnameinfo", (address) =>
    !net.isIP(address) || isLoopback(address) ? undefined : guard.admit({ host: address }, "DNS"),
  );
}

type Callback = (error: Error) => void;

/** @param judge - Gives no verdict on what stays on this machine. */
function guardLookup(
  name: "lookup" | "lookupService",
  syscall: string,
  judge: (subject: string) => Verdict | undefined,
): void {
  const refused = (subject: unknown): Error | undefined => {
    const verdict = typeof subject === "string" ? judge(subject) : undefined;
    if (verdict === undefined || verdict.kind === "allow") return undefined;
    return lookupError(syscall, REFUSED[verdict.kind], subject as string);
  };
  const lookup = dns[name] as unknown as (...args: unknown[]) => void;
  const guarded = function (this: unknown, ...args: unknown[]) {
    const error = refused(args[0]);
    if (error === undefined) return lookup.apply(this, args);
    process.nextTick(args.at(-1) as Callback, error);
  };
  const lookupPromise = dns.promises[name] as unknown as (...args: unknown[]) => Promise<unknown>;
  const guardedPromise = async function (this: unknown, ...args: unknown[]) {
    const error = refused(args[0]);
    if (error !== undefined) throw error;
    return lookupPromise.apply(this, args);
  };
  // `util.promisify(dns.lookup)` reads what Node hung on it.
  Object.assign(dns, { [name]: Object.defineProperties(guarded, Object.getOwnPropertyDescriptors(lookup)) });
  Object.assign(dns.promises, { [name]: guardedPromise });
}

function lookupError(syscall: string, code: string, hostname: string): Error {
  const error = new Error(`${syscall} ${code} ${hostname}`);
  // As Node's own has none: ours would show the guard's code to somebody who looks for theirs.
  error.stack = `Error: ${error.message}`;
  return Object.assign(error, { errno: errno(code), code, syscall, hostname });
}

/** `dns.resolve*` and `Resolver` ask a name server by themselves. */
function guardQueries(guard: Guard, queries: Prototype): void {
  for (const name of Object.getOwnPropertyNames(queries).filter((name) => /^(query|getHostByAddr)/.test(name))) {
    const real = queries[name]!;
    queries[name] = function (...args) {
      return refusal(guard.admit({ host: String(args[1]) }, "DNS")) || real.apply(this, args);
    };
  }
}
