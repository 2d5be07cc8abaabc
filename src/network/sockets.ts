import type { Socket } from "node:net";
import { isRecord } from "../json.js";
import { binding } from "./binding.js";
import type { Guard } from "./guard.js";
import { once, wrapMethod } from "./loading.js";
import { guardLookups, type NameBinding, type NameRequest, rememberFound } from "./lookups.js";
import { node } from "./node.js";
import { type Destination, hostOf } from "./patterns.js";
import { refusal } from "./refusal.js";
import { guardEncryptedWrites, guardWrites } from "./writes.js";

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
    guardWrites(guard, handles.tcp, "http:");
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
  once("udp.socket", () => rememberDatagrams(guard));
  guardLookups(guard, binding<NameBinding>("cares_wrap"));
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
  const { prototype: base } = node.stream.Duplex;
  const holder = () => node.net.Socket.prototype;
  wrapMethod({ module: "net", name: "connect", holder, base }, (connect: (...args: unknown[]) => unknown) => {
    return function (this: Socket, ...args: unknown[]) {
      keepSocketPath(optionsOf(args)[0]);
      const to = target(args);
      if (!to) return connect.apply(this, args);
      guard.ports.set(this, to.port);
      // A mock of MSW 3 passes here too; its strays are told by MSW.
      if (!guard.blocks && !guard.usesMsw && node.net.isIP(to.host)) guard.admit(to, "TCP");
      return guard.called({ socket: this, ...to }, () => connect.apply(this, args));
    };
  });
}

/** Called when the first datagram socket is made: few tests have any, and the module would be loaded for each file. */
function rememberDatagrams(guard: Guard): void {
  const datagrams = node.dgram.Socket.prototype as unknown as Prototype;
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
  return { host: typeof host === "string" ? hostOf(host) : "localhost", port: Number(port) };
}

function guardTcp(guard: Guard, tcp: Prototype): void {
  let isFirst = true;
  for (const name of ["connect", "connect6"]) {
    const real = tcp[name]!;
    tcp[name] = function (...args) {
      const [, address, port] = args as [unknown, string, number];
      const latest = guard.calls.getStore();
      // A stale call is one whose socket connected long ago, and whose callback opened this one past `net`.
      const call = latest?.port === port ? latest : undefined;
      const host = call?.host ?? hostOf(address);
      const verdict = guard.admit({ host, port }, "TCP");
      if (verdict.kind !== "allow") return refusal(verdict);
      if (isFirst) guardEncryptedWrites(guard);
      isFirst = false;
      guard.connections.open(this, { host, port, socket: call?.socket }, verdict.by);
      return real.apply(this, args);
    };
  }
}

function guardUdp(guard: Guard, udp: Prototype): void {
  const connected = new WeakMap<object, Destination>();
  for (const name of ["connect", "connect6"]) {
    const real = udp[name]!;
    udp[name] = function (...args) {
      const [address, port] = args as [string, number];
      const to = { host: hostOf(address), port };
      const refused = refusal(guard.admit(to, "UDP"));
      if (!refused) connected.set(this, to);
      return refused || real.apply(this, args);
    };
  }
  for (const name of ["send", "send6"]) {
    const real = udp[name]!;
    udp[name] = function (...args) {
      const [, , , port, address] = args as [unknown, unknown, unknown, number, string];
      // A connected socket names no destination. It may have outlived the test that was allowed to connect it.
      const to = args.length >= 6 ? { host: hostOf(address), port } : connected.get(this);
      return (to && refusal(guard.admit(to, "UDP"))) || real.apply(this, args);
    };
  }
}

/** `dns.resolve*` and `Resolver` ask a name server by themselves. */
function guardQueries(guard: Guard, queries: Prototype): void {
  for (const name of Object.getOwnPropertyNames(queries).filter((name) => /^(query|getHostByAddr)/.test(name))) {
    const real = queries[name]!;
    queries[name] = function (...args) {
      const host = String(args[1]);
      const refused = refusal(guard.admit({ host: hostOf(host) }, "DNS"));
      if (!refused) rememberFound(guard, args[0] as NameRequest, host);
      return refused || real.apply(this, args);
    };
  }
}
