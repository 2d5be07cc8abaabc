import { UsageError } from "../errors.js";
import { isPattern, isRecord, oneLine } from "../json.js";

/** Where a connection or a request wants to go. */
export interface Destination {
  /** As the client named it, in the spelling of {@link hostOf}. */
  readonly host: string;
  readonly port?: number | undefined;
  /** Known where the client speaks HTTP. */
  readonly url?: string | undefined;
}

/** The ports that a URL leaves out, by its protocol; other protocols have none that is known here. */
const DEFAULT_PORTS: Record<string, number> = { http: 80, ws: 80, https: 443, wss: 443 };

/** A host as URLs spell it: names in lower case, addresses in their short form, those of IPv4 as such; without brackets. */
export function hostOf(text: string): string {
  const href = `http://${text.includes(":") ? `[${text}]` : text}`;
  return bareHost(URL.canParse(href) ? new URL(href).hostname : text.toLowerCase());
}

function bareHost(hostname: string): string {
  const bare = hostname.replace(/^\[|\]$|\.$/g, "");
  const [, high, low] = /^::ffff:([\da-f]+):([\da-f]+)$/.exec(bare) ?? [];
  if (high === undefined || low === undefined) return bare;
  const bytes = [high, low].flatMap((part) => [Number.parseInt(part, 16) >> 8, Number.parseInt(part, 16) & 255]);
  return bytes.join(".");
}

/**
 * The URL of a request.
 *
 * @param target - What its first line names: a path, also one that begins with `//`; to a proxy a whole URL; or `*`.
 * @returns Nothing where host and target make none, as with an address that names its interface.
 */
export function requestUrl(protocol: string, { host, port }: Destination, target: string): URL | undefined {
  const isWhole = /^(https?|wss?):\/\//i.test(target);
  const authority = `${host.includes(":") ? `[${host}]` : host}${port === undefined ? "" : `:${port}`}`;
  const href = isWhole ? target : `${protocol}//${authority}${target.startsWith("/") ? target : `/${target}`}`;
  return URL.canParse(href) ? new URL(href) : undefined;
}

/** Where a request to this URL goes. */
export function destinationOf({ href, hostname, port, protocol }: URL): Destination & { readonly url: string } {
  return {
    url: href,
    host: bareHost(hostname),
    port: port === "" ? DEFAULT_PORTS[protocol.slice(0, -1)] : Number(port),
  };
}

/** What `allow` and `drop` take. */
export type PatternSource = string | RegExp | URL;

/** One destination, or a set of them. Counts its uses, so that an unused one can be listed. */
export class Pattern {
  readonly source: PatternSource;
  uses = 0;
  readonly matches: (to: Destination) => boolean;

  /**
   * @param caller - What the developer wrote it for, as sentences name it.
   * @throws {UsageError} when the source names no destination.
   */
  constructor(source: PatternSource, caller: string) {
    this.source = source;
    this.matches = isPattern(source) ? regExpMatcher(source) : textMatcher(source, caller);
  }

  toString(): string {
    return String(this.source);
  }
}

/** Whether this host, named or as an address, is this machine. */
export function isLoopback(host: string): boolean {
  return (
    /^(localhost|.*\.localhost)\.?$/i.test(host) ||
    /^(::ffff:)?127(\.\d+){3}$/i.test(host) ||
    /^(::1|::|0\.0\.0\.0)$/.test(host)
  );
}

/** A RegExp is tried on the URL; where the client speaks no HTTP, on `host:port`. */
function regExpMatcher(source: RegExp): (to: Destination) => boolean {
  // A copy without `g` and `y`: with them, `test` would remember where it last matched.
  const pattern = new RegExp(source.source, source.flags.replace(/[gy]/g, ""));
  return ({ host, port, url }) => pattern.test(url ?? (port === undefined ? host : `${host}:${port}`));
}

function textMatcher(source: string | URL, caller: string): (to: Destination) => boolean {
  if (source === "loopback") return ({ host }) => isLoopback(host);
  const text = isRecord(source) ? source.href : source;
  if (typeof text !== "string" || text === "") {
    const advice = Array.isArray(source) ? "Spread the list: ...hosts." : `Write ${EXAMPLES}.`;
    throw new UsageError(
      `${caller} takes host names, URL patterns and regular expressions: found ${oneLine(source)}. ${advice}`,
    );
  }
  return urlMatcher(text) ?? hostMatcher(text) ?? unreadable(text, caller);
}

const EXAMPLES = '"localhost:5432" or "https://api.example.com/v1/*"';

function unreadable(text: string, caller: string): never {
  throw new UsageError(
    `${caller} cannot read the pattern ${oneLine(text)}: expected a host, or a URL with its protocol. Write ${EXAMPLES}.`,
  );
}

/** Brackets hold an IPv6 address; the port may be left out or be `*`. */
const HOST = String.raw`(\[[0-9a-f:.]+\]|[\p{L}\p{N}*._-]+)(?::(\d+|\*))?`;

function urlMatcher(text: string): ((to: Destination) => boolean) | undefined {
  const found = new RegExp(`^([a-z][a-z0-9+.-]*|\\*)://${HOST}(/[^?#]*)?(\\?[^#]*)?$`, "iu").exec(text);
  if (!found) return undefined;
  const [, scheme, host, port, path = "/", search] = found;
  const protocol = httpName(scheme!.toLowerCase());
  const ofHost = hostTest(host!, port ?? DEFAULT_PORTS[protocol]);
  // A bare origin means all of it, as in `new URL("https://api.example.com")`.
  const ofPath = path === "/" && search === undefined ? () => true : pathTest(path, search);
  if (!ofPath) return undefined;
  return (to) => {
    if (!ofHost(to)) return false;
    if (to.url === undefined) return true;
    const url = new URL(to.url);
    return (protocol === "*" || httpName(url.protocol.slice(0, -1)) === protocol) && ofPath(url);
  };
}

/** A WebSocket begins as an HTTP request, and clients report it as either. */
function httpName(protocol: string): string {
  return protocol.replace(/^ws/, "http");
}

function pathTest(path: string, search: string | undefined): ((url: URL) => boolean) | undefined {
  if (typeof URLPattern === "function") {
    const pattern = readUrlPattern({ pathname: path, search: search?.slice(1) ?? "*" });
    if (!pattern) return undefined;
    return ({ pathname, search: query }) => pattern.test({ pathname, search: query });
  }
  // Node 20 and 22 have no URLPattern: `*` and `:name` are what nearly every pattern needs.
  const ofPath = wildcard(path, "[^/]+");
  const ofSearch = search === undefined ? /^/ : wildcard(search, "[^&]+");
  return ({ pathname, search: query }) => ofPath.test(pathname) && ofSearch.test(query);
}

function readUrlPattern(init: { pathname: string; search: string }): URLPattern | undefined {
  try {
    return new URLPattern(init);
  } catch {
    return undefined;
  }
}

function hostMatcher(text: string): ((to: Destination) => boolean) | undefined {
  const bareIpv6 = /^[0-9a-f]*:[0-9a-f:.]*:[0-9a-f:.]*$/i.test(text);
  const found = bareIpv6 ? [text, text] : new RegExp(`^${HOST}$`, "iu").exec(text);
  return found ? hostTest(found[1]!, found[2]) : undefined;
}

/** `localhost` also means the two addresses it stands for. */
const LOCALHOST = /^(localhost|127\.0\.0\.1|::1|::ffff:127\.0\.0\.1)$/i;

function hostTest(host: string, port: string | number | undefined): (to: Destination) => boolean {
  const bare = host.replace(/^\[|\]$/g, "");
  const name = bare.includes("*") ? bare : hostOf(bare);
  const ofHost = name.toLowerCase() === "localhost" ? LOCALHOST : wildcard(name, "[^.]+");
  const anyPort = port === undefined || port === "*";
  return (to) => ofHost.test(to.host) && (anyPort || to.port === undefined || to.port === Number(port));
}

function wildcard(text: string, named: string): RegExp {
  const escaped = text.replace(/[.+?^${}()|[\]\\]/g, String.raw`\$&`);
  return new RegExp(`^${escaped.replaceAll("*", ".*").replace(/(?<=\/|=):\w+/g, named)}$`, "i");
}
