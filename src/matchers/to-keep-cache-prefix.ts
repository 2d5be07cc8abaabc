import { oneLine } from "../json.js";
import { listOf, type OptionsShape, requireOptions } from "../options.js";
import { type PrefixBreak, prefixBreak } from "./cache-prefix.js";
import { diffOf, hintFor, type MatcherResult, type MatcherReturn, type MatcherState } from "./matcher.js";
import { requestsIn, requireRequest } from "./requests.js";
import { count, word } from "./wording.js";

export interface KeepCachePrefixOptions {
  /** The numbers of requests that may break it: a compaction. They count from 0, which has none before it to keep. The next request is compared with them again. */
  readonly except?: readonly number[];
}

export interface ToKeepCachePrefix {
  /**
   * Passes when each request begins with the whole previous one, unchanged: tools, then system, then messages. That is
   * what prompt caching needs; a date in the system text, a tool list in another order or a trimmed result ends it.
   *
   * Keys in another order count as a change, for they are sent as they stand. Cache markers do not: they move on.
   *
   * @throws {UsageError} when the subject is no scripted model, no list of requests and no list of message lists.
   * @example
   * expect(model).toKeepCachePrefix();
   * expect(model).toKeepCachePrefix({ except: [12] });
   */
  toKeepCachePrefix(options?: KeepCachePrefixOptions): MatcherReturn<this>;
}

const NAME = "toKeepCachePrefix";
const OPTIONS: OptionsShape<KeepCachePrefixOptions> = {
  // The first request has none before it from which it could depart.
  except: listOf("request numbers from 1", (index) => Number.isInteger(index) && (index as number) >= 1),
};

export function toKeepCachePrefix(
  this: MatcherState,
  received: unknown,
  options: KeepCachePrefixOptions = {},
): MatcherResult {
  requireOptions(options, OPTIONS, `${NAME}()`);
  const { except = [] } = options;
  const requests = requestsIn(received, `${NAME}()`);
  for (const index of except) requireRequest(index, requests, "except", `${NAME}()`);
  const hint = hintFor(this, NAME, received, except.length > 0 ? oneLine({ except }, 60) : "");

  for (const [index, now] of requests.entries()) {
    const before = requests[index - 1];
    const broken = before && !except.includes(index) ? prefixBreak(this, before, now) : undefined;
    if (!broken) continue;
    const claim = `Expected each request to begin with the whole previous one, but ${broken.found}.`;
    const advice = `From that place on, the provider reads nothing from its cache. Leave what was sent as it is, and append what changes (a date, an id, a state) at the end. If ${now.at} compacts the history on purpose, say { except: [${index}] }.`;
    const message = () => word({ hint, claim, evidence: listPlaces(broken), advice });
    return { pass: false, message, ...(broken.now && diffOf(this, broken.now.value, broken.before?.value)) };
  }
  const claim = `Expected some request not to begin with the whole previous one, but ${requests.length < 2 ? `there ${requests.length === 1 ? "was" : "were"} only ${count(requests.length, "request")}` : `each of ${requests.length} requests does`}.`;
  return { pass: true, message: () => word({ hint, claim }) };
}

function listPlaces({ before, now }: PrefixBreak): string {
  const places = [before, now].filter((place) => place !== undefined);
  const width = Math.max(...places.map(({ at }) => at.length));
  return places
    .map((place) => `  ${place === now ? ">" : " "} ${place.at.padEnd(width)}  ${oneLine(place.value, 120)}`)
    .join("\n");
}
