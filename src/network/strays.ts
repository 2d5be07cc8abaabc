import { StrayRequestError } from "../errors.js";
import { isLoopback } from "./patterns.js";
import { isModelProvider } from "./providers.js";
import { patternFor, printableUrl } from "./redact.js";
import type { Evidence, Scope } from "./scope.js";
import { readable, userFrame } from "./site.js";

/** One thing that was blocked because no test scripted or allowed it. */
export interface Stray {
  /** The HTTP method, where the client speaks HTTP/1 or fetch. */
  readonly method?: string;
  /** Without secrets. */
  readonly url?: string;
  readonly host: string;
  readonly port?: number;
  /** The user's line that made it: `/app/src/agent.ts:12:7`. */
  readonly at?: string;
  /** The full name of the test that made it; absent outside of tests. */
  readonly test?: string;
}

/** What strayed from this scope, each time it did. */
export function straysOf(scope: Scope): Stray[] {
  return scope.strays().map((evidence) => {
    const frame = userFrame(evidence.stack);
    return {
      ...("method" in evidence ? { method: evidence.method, url: printableUrl(evidence.url) } : {}),
      host: evidence.host,
      ...(evidence.port === undefined ? {} : { port: evidence.port }),
      ...(frame === undefined ? {} : { at: frame }),
      ...(scope.test === undefined ? {} : { test: scope.test }),
    };
  });
}

/** More are counted: the tenth stray of one test says what the eleventh would. */
const MOST_ERRORS = 10;

/**
 * One error per stray, in the order they were made; the same from the same line is one, counted.
 *
 * @param blocked - Whether they were blocked, or only seen.
 */
export function strayErrors(scope: Scope, evidences: readonly Evidence[], blocked: boolean): StrayRequestError[] {
  const times = new Map<string, { evidence: Evidence; frame: string | undefined; count: number }>();
  for (const evidence of evidences) {
    const frame = userFrame(evidence.stack);
    const key = `${describe(evidence)} ${frame}`;
    const known = times.get(key);
    if (known) known.count += 1;
    else times.set(key, { evidence, frame, count: 1 });
  }
  const distinct = [...times.values()];
  return distinct.slice(0, MOST_ERRORS).map(({ evidence, frame, count }, index) => {
    const more = index === MOST_ERRORS - 1 ? distinct.length - MOST_ERRORS : 0;
    return new StrayRequestError(
      `${subject(scope, evidence)} ${describe(evidence)}${count > 1 ? ` (${count} times)` : ""}` +
        `${frame === undefined ? "" : `, at ${readable(frame)}`}. It was ${blocked ? "" : "not "}blocked. ${advice(scope, evidence)}` +
        (more > 0 ? ` (${more} more strays are not shown.)` : ""),
      frame,
    );
  });
}

/** Who did it, as the sentence begins. */
function subject(scope: Scope, { phase, child }: Evidence): string {
  const who = owner(scope, phase);
  if (child === undefined) return who;
  return `${who}${who.endsWith(",") ? "" : ","} in a ${child === "worker" ? "worker thread" : "child process"},`;
}

function owner(scope: Scope, phase: Evidence["phase"]): string {
  const test = `The test ${JSON.stringify(scope.test)}`;
  switch (phase) {
    case "import":
      return "While the file was imported (at module level or in a describe body), it";
    case "hook":
      return "A hook of the file (beforeAll, afterAll), or something it started,";
    case "late":
      return scope.test === undefined ? "The file, after it had ended," : `${test}, after it had ended,`;
    default:
      return test;
  }
}

function describe(evidence: Evidence): string {
  if ("method" in evidence) return `made a stray request: ${evidence.method} ${printableUrl(evidence.url)}`;
  const { kind, host, port } = evidence;
  if (kind === "DNS") return `looked up a stray host name: ${host}`;
  return `${kind === "UDP" ? "sent a stray UDP datagram" : "opened a stray TCP connection"}: ${endpoint(host, port)}`;
}

function endpoint(host: string, port: number | undefined): string {
  const name = host.includes(":") ? `[${host}]` : host;
  return port === undefined ? name : `${name}:${port}`;
}

function advice(scope: Scope, evidence: Evidence): string {
  if (evidence.unprepared) {
    const call = evidence.unprepared.replace("()", "(…)");
    return `${call} was called, but not awaited before this request. Write: await ${call}.`;
  }
  const isRequest = "method" in evidence;
  const pattern = isRequest ? patternFor(evidence.url) : endpoint(evidence.host, evidence.port);
  const relative = isRequest ? relativeHint(evidence.url) : "";
  const allow = `let it out: network.allow(${JSON.stringify(pattern)})${relative ? "" : machineHint(evidence)}.`;
  const ways = [answer(evidence, pattern), allow].filter((way) => way !== undefined);
  return relative + sentence(place(scope, evidence) + ways.join("; or "));
}

/** How it could be answered: in the thread that asks, and where a request is seen. */
function answer(evidence: Evidence, pattern: string): string | undefined {
  if (evidence.child) return undefined;
  if (isModelProvider(evidence)) return "script the model: await serveModel(model)";
  if (!("method" in evidence)) return undefined;
  const handler = `http.${handlerFor(evidence.method)}(${JSON.stringify(pattern)}, () => HttpResponse.json({}))`;
  return `answer it: await network.use(${handler})`;
}

/** Where it is to be said, if what the test itself says does not count. */
function place(scope: Scope, { phase }: Evidence): string {
  if (phase === undefined) return "";
  const wait = `await it before the ${scope.test === undefined ? "file" : "test"} ends; or `;
  return `${phase === "late" ? wait : ""}at the top of the file, `;
}

/** MSW has a function for each of these, and one for all methods. */
function handlerFor(method: string): string {
  return /^(GET|HEAD|POST|PUT|PATCH|DELETE|OPTIONS)$/.test(method) ? method.toLowerCase() : "all";
}

function sentence(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** A server that the test itself started listens on another port each time. */
function machineHint({ host }: Evidence): string {
  return isLoopback(host) ? `, or all servers of this machine: network.allow("loopback")` : "";
}

/** DOM environments turn `fetch("/api")` into a request to an origin that nobody wrote down. */
function relativeHint(url: string): string {
  const { location } = globalThis as { location?: { origin?: string } };
  if (!location?.origin || new URL(url).origin !== location.origin) return "";
  return `${location.origin} is the test environment's default origin, where relative URLs go. `;
}
