import { isRecord } from "../json.js";
import type { Guard, Verdict } from "./guard.js";
import { isLoaded } from "./loading.js";
import { node } from "./node.js";
import { type Destination, hostOf, isLoopback } from "./patterns.js";
import { errno, REFUSED, refusal } from "./refusal.js";

/** What Node's lookups are built on. */
export type NameBinding = Record<Syscall, (request: NameRequest, ...args: unknown[]) => number>;

/** Node's own, made for one lookup. */
export interface NameRequest {
  oncomplete(error: unknown, found?: unknown, ...rest: unknown[]): void;
}

type Syscall = "getaddrinfo" | "getnameinfo";

/** Gives no verdict on what stays on this machine. */
type Judge = (guard: Guard, subject: string) => Verdict | undefined;

/** A function of `dns` and `dns.promises`, what it asks the system for, and who judges it. */
const LOOKUPS: readonly (readonly ["lookup" | "lookupService", Syscall, Judge])[] = [
  ["lookup", "getaddrinfo", judgeName],
  ["lookupService", "getnameinfo", judgeAddress],
];

/**
 * Guards `dns.lookup` and `dns.lookupService`, by name and promised.
 *
 * @param binding - Nothing where Node keeps it to itself: then the functions are replaced.
 */
export function guardLookups(guard: Guard, binding: NameBinding | undefined): void {
  // `dns.promises` keeps what it found in the binding when it was loaded.
  const isInTime = !isLoaded("internal/dns/promises");
  for (const [name, syscall, judge] of LOOKUPS) {
    const judged = (subject: unknown) => (typeof subject === "string" ? judge(guard, subject) : undefined);
    if (binding) guardBinding(guard, binding, syscall, judged);
    else guardCallback(guard, name, syscall, judged);
    if (!binding || !isInTime) guardPromise(guard, name, syscall, judged);
  }
  if (!binding || !isInTime) node.module.syncBuiltinESMExports();
}

/** Remembers what a name leads to, once it is known. A connection by name is judged by its name. */
export function rememberFound(guard: Guard, request: NameRequest, name: string): void {
  if (guard.calls.getStore()?.host === hostOf(name)) return;
  const { oncomplete } = request;
  request.oncomplete = function (error, found, ...rest) {
    guard.names.remember(name, found);
    oncomplete.call(this, error, found, ...rest);
  };
}

function judgeName(guard: Guard, name: string): Verdict | undefined {
  if (name === "" || node.net.isIP(name)) return undefined;
  const host = hostOf(name);
  const call = guard.calls.getStore();
  const to: Destination = call?.host === host ? { host, port: call.port } : { host };
  // Without a connection nothing leaves this machine for its own names; `listen("localhost")` looks them up.
  if (to.port === undefined && (isLoopback(host) || host === hostOf(node.os.hostname()))) return undefined;
  return guard.admit(to, to.port === undefined ? "DNS" : "TCP");
}

/** A name server is asked for the name of an address, too. */
function judgeAddress(guard: Guard, address: string): Verdict | undefined {
  return !node.net.isIP(address) || isLoopback(address) ? undefined : guard.admit({ host: hostOf(address) }, "DNS");
}

type Judged = (subject: unknown) => Verdict | undefined;

function guardBinding(guard: Guard, binding: NameBinding, syscall: Syscall, judged: Judged): void {
  const real = binding[syscall];
  binding[syscall] = function (request, ...args) {
    const verdict = judged(args[0]);
    if (verdict === undefined || verdict.kind === "allow") {
      if (syscall === "getaddrinfo") rememberFound(guard, request, String(args[0]));
      return real.call(this, request, ...args);
    }
    // Told later, as the system tells it, and by no function of ours: the error's stack is one of Node alone.
    guard.nextTick(request.oncomplete.bind(request), refusal(verdict));
    return 0;
  };
}

type Callback = (error: Error) => void;

function guardCallback(guard: Guard, name: "lookup" | "lookupService", syscall: Syscall, judged: Judged): void {
  const { dns } = node;
  const real = dns[name] as unknown as (...args: unknown[]) => void;
  const guarded = function (this: unknown, ...args: unknown[]) {
    const error = refusedLookup(syscall, args[0], judged);
    if (error === undefined) return real.apply(this, args);
    guard.nextTick(args.at(-1) as Callback, error);
  };
  // `util.promisify(dns.lookup)` reads what Node hung on it.
  Object.assign(dns, { [name]: Object.defineProperties(guarded, Object.getOwnPropertyDescriptors(real)) });
}

function guardPromise(guard: Guard, name: "lookup" | "lookupService", syscall: Syscall, judged: Judged): void {
  const { promises } = node.dns;
  const real = promises[name] as unknown as (...args: unknown[]) => Promise<unknown>;
  const guarded = async function (this: unknown, ...args: unknown[]) {
    const error = refusedLookup(syscall, args[0], judged);
    if (error !== undefined) throw error;
    const found = await real.apply(this, args);
    if (name === "lookup") guard.names.remember(String(args[0]), [found].flat().map(addressOf));
    return found;
  };
  Object.assign(promises, { [name]: guarded });
}

function addressOf(found: unknown): unknown {
  return isRecord(found) ? found.address : undefined;
}

function refusedLookup(syscall: Syscall, subject: unknown, judged: Judged): Error | undefined {
  const verdict = judged(subject);
  if (verdict === undefined || verdict.kind === "allow") return undefined;
  return lookupError(syscall, REFUSED[verdict.kind], subject as string);
}

function lookupError(syscall: string, code: string, hostname: string): Error {
  const error = new Error(`${syscall} ${code} ${hostname}`);
  // As Node's own has none: ours would show the guard's code to somebody who looks for theirs.
  error.stack = `Error: ${error.message}`;
  return Object.assign(error, { errno: errno(code), code, syscall, hostname });
}
