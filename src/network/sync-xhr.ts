import type { Guard } from "./guard.js";
import { destinationOf } from "./patterns.js";

type Method = (this: object, ...args: unknown[]) => unknown;

const guarded = new WeakSet<object>();

/**
 * Judges the synchronous requests of a DOM environment before they are sent: jsdom sends them from a worker thread whose
 * class it took before the guard came.
 */
export function guardSyncXhr(guard: Guard): void {
  const { XMLHttpRequest, location } = globalThis as {
    XMLHttpRequest?: { readonly prototype: { open: Method; send: Method } };
    location?: { readonly href: string };
  };
  const prototype = XMLHttpRequest?.prototype;
  if (!prototype || guarded.has(prototype)) return;
  guarded.add(prototype);
  const { open, send } = prototype;
  const opened = new WeakMap<object, { readonly method: string; readonly url: URL }>();
  prototype.open = function (...args) {
    const result = open.apply(this, args);
    const [method, url, async] = args;
    opened.delete(this);
    // Left out it is asynchronous; `undefined` counts as false.
    const isSync = args.length > 2 && !async;
    if (isSync) opened.set(this, { method: String(method).toUpperCase(), url: new URL(String(url), location?.href) });
    return result;
  };
  prototype.send = function (...args) {
    const request = opened.get(this);
    const verdict = request && guard.judge(destinationOf(request.url)).kind;
    if (verdict === "block") guard.refuse(request!.method, request!.url, guard.stack(), guard.here());
    if (verdict === "block" || verdict === "drop") throw new DOMException("A network error occurred.", "NetworkError");
    return send.apply(this, args);
  };
}
