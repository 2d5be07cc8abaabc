import { isRecord, isRoot } from "../json.js";
import { isEqual, type MatcherState } from "./matcher.js";
import type { Request } from "./requests.js";

/** The first place at which a request departs from the one before it. */
export interface PrefixBreak {
  readonly found: string;
  /** Where it stood in the previous request; undefined where nothing did. */
  readonly before?: { readonly at: string; readonly value: unknown };
  readonly now?: { readonly at: string; readonly value: unknown };
}

/**
 * Compares two requests in the order in which providers hash them: tools, system, messages.
 *
 * @returns The first difference, or undefined when the later request begins with the whole earlier one.
 */
export function prefixBreak(state: MatcherState, before: Request, now: Request): PrefixBreak | undefined {
  for (const part of ["tools", "system"] as const) {
    if (isUnchanged(state, before[part], now[part])) continue;
    const places = [before, now].map((request) => ({ at: `${request.at}.${part}`, value: request[part] }));
    return { found: `${places[1]!.at} is not what it was in ${before.at}`, before: places[0]!, now: places[1]! };
  }
  const index = before.messages.findIndex((message, each) => !isUnchanged(state, message, now.messages[each]));
  if (index < 0) return undefined;
  const previous = { at: `${before.messagesAt}[${index}]`, value: before.messages[index] };
  if (index >= now.messages.length) {
    const found = `${now.at} has only ${now.messages.length} of the ${before.messages.length} messages of ${before.at}`;
    return { found, before: previous };
  }
  const current = { at: `${now.messagesAt}[${index}]`, value: now.messages[index] };
  return { found: `${current.at} is not what it was in ${before.at}`, before: previous, now: current };
}

function isUnchanged(state: MatcherState, before: unknown, now: unknown): boolean {
  if (before === now) return true;
  const [one, two] = [withoutMarkers(before), withoutMarkers(now)];
  return isEqual(state, one, two) && orderOfKeys(one) === orderOfKeys(two);
}

/** Marks at which a provider may cache: they move on with each request, and are no part of what is cached. */
const MARKERS = new Set(["cache_control", "cacheControl"]);

/** A copy without cache markers, and without what only held one. */
function withoutMarkers(value: unknown): unknown {
  if (Array.isArray(value)) {
    const items = value.filter((item) => !isMarkerBlock(item)).map(withoutMarkers);
    // One plain text part says the same as the text itself; a marker needs a part to stand on.
    const [only] = items;
    const isText = items.length === 1 && isRecord(only) && only.type === "text" && Object.keys(only).length === 2;
    return isText && typeof only.text === "string" ? only.text : items;
  }
  if (!isRecord(value) || !isRoot(Object.getPrototypeOf(value))) return value;
  const entries = Object.entries(value)
    .filter(([key, inner]) => !MARKERS.has(key) && inner !== undefined)
    .map(([key, inner]) => [key, withoutMarkers(inner)] as const)
    .filter(([key, inner]) => !(isEmpty(inner) && !isEmpty(value[key])));
  return Object.fromEntries(entries);
}

function isMarkerBlock(item: unknown): boolean {
  return isRecord(item) && "cachePoint" in item && Object.keys(item).length === 1;
}

function isEmpty(value: unknown): boolean {
  return isRecord(value) && Object.keys(value).length === 0;
}

/** The keys of a value in their order: it decides the text a request is sent as, and so the cache. */
function orderOfKeys(value: unknown): string {
  try {
    return JSON.stringify(value, (_key, inner) => (typeof inner === "object" ? inner : 0)) ?? "";
  } catch {
    // A cycle: it is never sent as JSON.
    return "";
  }
}
