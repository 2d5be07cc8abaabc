import type { DialectDefinition, Endpoint, WireError } from "../dialects/dialect.js";
import { dialects } from "../dialects/index.js";

/** Which API a request asks. */
export interface Route {
  readonly dialect: DialectDefinition;
  readonly endpoint: Endpoint;
}

/** Finds the endpoint a path asks for. Hosts and prefixes do not matter: gateways and proxies have their own. */
export function findRoute(path: string): Route | undefined {
  return routes().find(({ endpoint }) => endpoint.matches(path));
}

/** The answer to a request that no endpoint takes, in a shape that the SDKs of all providers read. */
export function notServed({ method, url }: Request, found: Route | undefined): WireError {
  const { pathname } = new URL(url);
  const served = found
    ? found.endpoint.route
    : routes()
        .map(({ endpoint }) => endpoint.route)
        .join(", ");
  const message = `[vitest-tool-loop] The scripted model does not serve this request: expected ${served}, found ${method} ${pathname}.`;
  const [status, type] = found ? [405, "invalid_request_error"] : [404, "not_found_error"];
  return { status: Number(status), body: { type: "error", error: { type, message } } };
}

function routes(): readonly Route[] {
  return dialects().flatMap((dialect) => (dialect.endpoints ?? []).map((endpoint) => ({ dialect, endpoint })));
}
