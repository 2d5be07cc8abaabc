import { type Destination, hostOf } from "./patterns.js";

/** What names led to. Some clients (gRPC, datagrams, a cache of lookups) look a name up, then connect to the address. */
export class Names {
  readonly #byAddress = new Map<string, Set<string>>();

  /** @param found - What the system or a name server answered: a list of addresses, or anything else. */
  remember(name: string, found: unknown): void {
    for (const address of Array.isArray(found) ? found : []) {
      if (typeof address !== "string") continue;
      const names = this.#byAddress.get(hostOf(address)) ?? new Set();
      this.#byAddress.set(hostOf(address), names.add(hostOf(name)));
    }
  }

  /** The same destination by each name it is known by, its own first. */
  spellings(to: Destination): Destination[] {
    const names = [...(this.#byAddress.get(to.host) ?? [])];
    return [to, ...names.map((host) => ({ ...to, host, ...(to.url !== undefined && { url: renamed(to.url, host) }) }))];
  }
}

function renamed(href: string, host: string): string {
  const url = new URL(href);
  url.hostname = host;
  return url.href;
}
