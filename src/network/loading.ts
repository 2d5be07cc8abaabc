import { node } from "./node.js";
import { plainStack } from "./site.js";

type Method<Holder> = (this: Holder, ...args: never[]) => unknown;

/** A method that Node defines, on a prototype, when it loads a module. */
export interface NodeMethod<Holder extends object> {
  readonly module: "net" | "_http_agent" | "_http_client";
  readonly name: keyof Holder & string;
  /** The prototype; called when the module is loaded. */
  readonly holder: () => Holder;
  /** A prototype that the holder inherits from, of a module that is always loaded. */
  readonly base: object;
}

/**
 * Replaces a method of Node by what `wrap` makes of it: now, or in the moment in which Node defines it, so that nobody
 * can call it before.
 *
 * Most test files connect to nothing. Loaded for each of them, `net` and `http` take a third of what a thread has before
 * V8 first collects its whole heap.
 */
export function wrapMethod<Holder extends object, Fn extends Method<Holder>>(
  { module, name, holder, base }: NodeMethod<Holder>,
  wrap: (method: Fn) => Fn,
): void {
  if (isLoaded(module)) {
    const target = holder();
    Object.assign(target, { [name]: wrap(target[name] as Fn) });
    return;
  }
  Object.defineProperty(base, name, {
    configurable: true,
    get: () => undefined,
    // Node assigns its methods, and an assignment asks the prototypes above first. So may other classes: they get theirs.
    set(this: object, method: Fn) {
      const isNodes = plainStack().includes(`node:${module}:`);
      if (isNodes) Reflect.deleteProperty(base, name);
      const value = isNodes ? wrap(method) : method;
      Object.defineProperty(this, name, { configurable: true, enumerable: true, writable: true, value });
    },
  });
}

/** Whether Node has loaded this module of its own; also true where it does not tell. */
export function isLoaded(module: string): boolean {
  const { moduleLoadList: loaded } = process as { readonly moduleLoadList?: readonly string[] };
  return loaded?.includes(`NativeModule ${module}`) !== false;
}

/** Runs `fn` at the first message of one of Node's diagnostics channels, before its publisher goes on. */
export function once(channel: string, fn: () => void): void {
  let spoke = false;
  // Not unsubscribed: some versions of Node would skip the next subscriber of this message.
  node.diagnostics.subscribe(channel, () => {
    if (!spoke) fn();
    spoke = true;
  });
}
