import type { Socket } from "node:net";
import { currentTest, type RunningTest } from "../running-test.js";
import type { NetworkSettings } from "../settings.js";
import type { Children } from "./children.js";
import { type Connection, Connections } from "./connections.js";
import type { MswSource } from "./msw-source.js";
import { Names } from "./names.js";
import { node } from "./node.js";
import { type Destination, destinationOf, isLoopback, Pattern, type PatternSource } from "./patterns.js";
import { type BlockedConnection, Scope, type SeenRequest } from "./scope.js";
import { captureStack, userFrame } from "./site.js";

/** The call that led to a connection: many clients open theirs ticks later, when its line has left the stack. */
export interface Call {
  readonly stack: string;
  readonly socket?: Socket;
  readonly host?: string;
  readonly port?: number | undefined;
  /** undici made it: its own copy in Node, or one from npm. */
  readonly byUndici: boolean;
  /** MSW answered it. */
  mocked?: boolean;
}

/** What a request is written to. */
export interface Line {
  readonly connection: Connection;
  readonly handle: object;
}

/** A request, and the scope that made it. */
export interface Carried {
  readonly request: SeenRequest;
  readonly scope: Scope;
}

export type Verdict = { readonly kind: "allow"; readonly by: Scope | undefined } | { readonly kind: "drop" | "block" };

/** Decides what may leave this thread, and remembers what tried to. */
export class Guard {
  readonly calls = new node.asyncHooks.AsyncLocalStorage<Call>();
  /** Taken before anybody can fake them. */
  readonly setImmediate = globalThis.setImmediate;
  readonly nextTick = process.nextTick;
  /** What was let out: the requests that go over it are judged one by one. */
  readonly connections = new Connections();
  /** The port that a socket was told to connect to. */
  readonly ports = new WeakMap<Socket, number>();
  /** The request that a socket or handle carries now, as its client described it. */
  readonly carried = new WeakMap<object, Carried>();
  /** What the names led to that were looked up. */
  readonly names = new Names();
  /** Whether connections can be blocked, not only reported. */
  blocks = true;
  /** Processes and threads that this thread started. */
  children: Children | undefined;
  /** Our place in MSW, once either side has loaded it. */
  msw: MswSource | undefined;
  /** Whether this file asked for the global MSW server. */
  usesMsw = false;
  /** Where servers of this package listen on loopback. */
  readonly ownPorts = new Set<number>();
  settings: NetworkSettings = {};
  /** The file that is running, outside of its tests. */
  file = new Scope({ phase: "import" });
  /** What the file fails with when it ends, because no test that runs could be failed for it. */
  readonly fileFailures: Error[] = [];
  /** Called for each stray of a file that has ended. */
  onOrphan: ((scope: Scope) => void) | undefined;
  #allowed: Pattern[] = [];
  #dropped: Pattern[] = [];
  #tests = new WeakMap<RunningTest, Scope>();
  /** Those of the tests that run now. */
  readonly #running = new Set<Scope>();
  #lateScopes = new WeakMap<Scope, Scope>();

  startFile(settings: NetworkSettings): void {
    this.settings = settings;
    // Found again where the next file shares this copy of MSW; in VM pools it has its own.
    this.msw = undefined;
    this.usesMsw = false;
    this.#allowed = patternsIn(settings, "allow");
    this.#dropped = patternsIn(settings, "drop");
    this.file = new Scope({ phase: "import" });
  }

  startTest(test: RunningTest): Scope {
    const scope = new Scope({ test: test.name, file: this.file });
    this.#tests.set(test, scope);
    this.#running.add(scope);
    return scope;
  }

  /** The scope to which what happens now belongs. */
  here(): Scope {
    const test = currentTest();
    return this.openScope((test && this.#tests.get(test)) ?? this.file);
  }

  /** Fails the test that is running, else the file, even if its code swallows the error it gets. */
  fail(error: Error): void {
    const test = currentTest();
    const isRunning = test && this.#tests.get(test)?.closed === false;
    const failures = isRunning ? test.failures : this.fileFailures;
    // A loop that goes on asking says nothing new.
    if (failures.every(({ message }) => message !== error.message)) failures.push(error);
  }

  /** The scope itself, or after its end the one that takes what is late. */
  openScope(scope: Scope): Scope {
    return scope.closed && !scope.abandoned ? this.#lateScope(scope) : scope;
  }

  /** All that counts in a scope, in the order in which it is asked. */
  patternsOf(scope: Scope): { readonly allow: PatternSource[]; readonly drop: PatternSource[] } {
    const allow = new Set([...scope.allowed, ...this.file.allowed, ...this.#allowed]);
    const drop = new Set([...scope.dropped, ...this.file.dropped, ...this.#dropped]);
    const own = [...this.ownPorts].map((port) => `localhost:${port}`);
    return { allow: [...[...allow].map(({ source }) => source), ...own], drop: [...drop].map(({ source }) => source) };
  }

  /** Ends a scope, after it was judged. */
  async end(scope: Scope): Promise<void> {
    scope.closed = true;
    this.#running.delete(scope);
    if (scope.disconnect()) await this.settle();
  }

  /** Lets what is under way reach the guard. */
  async settle(): Promise<void> {
    for (let turn = 0; turn < 2; turn++) await new Promise<void>((done) => void this.setImmediate(done));
    this.children?.collect();
  }

  /** Runs `fn` so that the connections it leads to are known by the line that called it. */
  called<R>(call: Partial<Call>, fn: () => R): R {
    const present = captureStack();
    return this.calls.run({ stack: this.#telling(present), byUndici: UNDICI.test(present), ...call }, fn);
  }

  /** The stack that holds the user's line: the present one, else that of the call that led here. */
  stack(): string {
    return this.#telling(captureStack());
  }

  #telling(present: string): string {
    return userFrame(present) ? present : (this.calls.getStore()?.stack ?? present);
  }

  /** Judges one request, or a connection for which no request is known to wait. */
  judge(to: Destination, scope = this.here()): Verdict {
    if (this.ownPorts.size > 0 && isLoopback(to.host) && this.ownPorts.has(to.port!))
      return { kind: "allow", by: undefined };
    const spellings = this.names.spellings(to);
    const allows = [undefined, this.file, scope].flatMap((by) => {
      const pattern = (by?.allowed ?? this.#allowed).find(({ matches }) => spellings.some(matches));
      return pattern ? [{ by, pattern }] : [];
    });
    for (const { pattern } of allows) pattern.uses += 1;
    // By what lasts longest: a connection may be used as long.
    if (allows[0]) return { kind: "allow", by: allows[0].by };
    return { kind: this.#drops(to, scope) ? "drop" : "block" };
  }

  #drops(to: Destination, scope: Scope): boolean {
    const dropped = [...scope.dropped, ...this.file.dropped, ...this.#dropped];
    return this.names.spellings(to).some((spelling) => dropped.some(({ matches }) => matches(spelling)));
  }

  /**
   * Judges a connection and remembers it when it is blocked. What clients said about their requests to this place is
   * more than its host and port: it is let out when one of those that wait may go, and each is judged when it is written.
   */
  admit(to: Destination, kind: BlockedConnection["kind"]): Verdict {
    const waiting = kind === "UDP" ? [] : this.#waiting(to);
    const verdicts = waiting.map(({ request, scope }) => this.judge(request, this.openScope(scope)));
    const allowed = verdicts.find((verdict) => verdict.kind === "allow");
    if (allowed) return allowed;
    if (waiting.length > 0) {
      const blocked = waiting.filter((_, index) => verdicts[index]!.kind === "block");
      for (const carried of blocked) this.#tell(carried, "blocked");
      return { kind: blocked.length > 0 ? "block" : "drop" };
    }
    const scope = this.here();
    const verdict = this.judge(to, scope);
    if (verdict.kind === "block") scope.block({ ...to, kind, stack: this.stack() });
    return verdict;
  }

  /**
   * The requests that a connection to this place may be meant for. undici connects for whichever of them waits, in the
   * context of whoever spoke last, which may be a test that ended.
   */
  #waiting(to: Destination): Carried[] {
    const here = this.here();
    const scopes = this.calls.getStore()?.byUndici ? [here, ...this.#running, this.file, ...this.file.late] : [here];
    const all = new Set(scopes.flatMap((scope) => (scope.after ? [scope, scope.after] : [scope])));
    return [...all].flatMap((scope) => scope.pending(to).map((request) => ({ request, scope })));
  }

  /** Judges a request that is about to be written to a connection, and remembers it when it is blocked. */
  judgeRequest(method: string, to: Destination & { readonly url: string }, { connection, handle }: Line): Verdict {
    const carried = this.carried.get(handle) ?? (connection.socket && this.carried.get(connection.socket));
    // Its body may hold what looks like a request.
    if (carried?.request.letOut) return { kind: "allow", by: undefined };
    const made = carried?.scope ?? this.here();
    const scope = this.openScope(made);
    const isSame = (seen: SeenRequest) => seen.method === method && seen.url === to.url;
    const request = carried?.request ?? made.pending(to).find(isSame) ?? this.see(method, to, scope).request;
    const verdict = this.judge(to, scope);
    if (verdict.kind === "allow") {
      request.letOut = true;
      this.connections.hold(connection, verdict.by);
    } else if (verdict.kind === "block") {
      // What is written may differ from what the client said.
      this.refuseSeen({ request: Object.assign(request, to), scope: made });
    }
    return verdict;
  }

  /** Judges what is no request, and is about to be written to a connection that another test may have opened. */
  judgeBytes(connection: Connection): Verdict {
    const { holders, isJudged } = connection;
    const here = this.here();
    // What a test left behind may go on as it was allowed to: a heartbeat. So may a hook that takes leave.
    const isKnown = [...holders].some((holder) => !holder || [here, here.after, this.file].includes(holder));
    const isTeardown = here === this.file && [...holders].some((holder) => holder?.file === here);
    if (isJudged || isKnown || isTeardown) return { kind: "allow", by: undefined };
    const { host, port } = connection.tunnel ?? connection;
    const verdict = this.admit({ host, port }, "TCP");
    if (verdict.kind === "allow") this.connections.hold(connection, verdict.by);
    return verdict;
  }

  /** Closes pooled connections: MSW 3 does not see what goes over a connection older than itself. */
  async closePooled(): Promise<void> {
    if (this.connections.closePooled()) await this.settle();
  }

  /** A request that MSW refused under its policy for the unhandled. Its client may have described it before. */
  refuse(method: string, url: URL, stack: string, scope: Scope): void {
    const to = destinationOf(url);
    let request = scope.pending(to).find((seen) => seen.method === method && seen.url === to.url);
    if (!request) scope.see((request = { method, ...to, stack }));
    this.refuseSeen({ request, scope });
  }

  /** Tells of a request that was seen, and refused since: to the scope that made it, or to what comes after its end. */
  refuseSeen(carried: Carried): void {
    this.#tell(carried, "refused");
  }

  #tell({ request, scope: made }: Carried, how: "refused" | "blocked"): void {
    const scope = this.openScope(made);
    if (scope !== made) scope.see(request);
    scope.lose(request, how);
  }

  /** A request on its way to a socket, whether it will be mocked or not. */
  see(method: string, to: Destination & { readonly url: string }, scope = this.here()): Carried {
    const request: SeenRequest = { method, ...to, stack: this.stack() };
    scope.see(request);
    return { request, scope };
  }

  /** Patterns that allowed nothing so far, here or for all files. */
  unused(): Pattern[] {
    const scopes = new Set([this.here(), this.file]);
    return [...[...scopes].flatMap((scope) => scope.allowed), ...this.#allowed].filter(({ uses }) => uses === 0);
  }

  #lateScope(ended: Scope): Scope {
    const known = this.#lateScopes.get(ended);
    if (known) return known;
    const file = ended.file ?? ended;
    const late = new Scope({ test: ended.test, phase: "late", file, after: ended });
    this.#lateScopes.set(ended, late);
    file.late.push(late);
    late.onStray = () => file.closed && this.onOrphan?.(late);
    return late;
  }
}

/** What its frames have in common. */
const UNDICI = /[\\/]undici[\\/]/;

function patternsIn(settings: NetworkSettings, name: "allow" | "drop"): Pattern[] {
  return (settings[name] ?? []).map((source) => new Pattern(source, `The setting network.${name}`));
}
