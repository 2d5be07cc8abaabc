import { node } from "./node.js";

/** Modules of Node, and the diagnostics channel that each asks for while it is loaded. */
const CHANNELS = { net: "net.client.socket", _http_client: "http.client.request.start" } as const;

type Module = keyof typeof CHANNELS;

const waiting = new Map<Module, () => void>();

/**
 * Runs `fn` when Node has loaded one of its modules: at once if it has, else before the next tick, or at the next
 * {@link meetLoaded}.
 *
 * Most test files connect to nothing. Loaded for each of them, the two take a third of what a thread has before V8 first
 * collects its whole heap.
 */
export function whenLoaded(module: Module, fn: () => void): void {
  const [major = 0] = process.versions.node.split(".").map(Number);
  // From Node 22 on a connection speaks from inside of `connect`, whoever made it: none is missed before `net` is met.
  if (major < 22 || isLoaded(module)) {
    fn();
    return;
  }
  if (waiting.size === 0) watchChannels();
  waiting.set(module, fn);
}

/** Whether Node has loaded this module of its own; also true where it does not tell. */
export function isLoaded(module: string): boolean {
  const { moduleLoadList: loaded } = process as { readonly moduleLoadList?: readonly string[] };
  return loaded?.includes(`NativeModule ${module}`) !== false;
}

/** Runs what waits for modules that are loaded by now. */
export function meetLoaded(): void {
  for (const [module, fn] of waiting) {
    if (!isLoaded(module)) continue;
    waiting.delete(module);
    fn();
  }
}

function watchChannels(): void {
  const { diagnostics } = node;
  const { channel } = diagnostics;
  const channels: readonly unknown[] = Object.values(CHANNELS);
  diagnostics.channel = (name) => {
    // Later, when the module is whole. By a promise, because tests fake the timers.
    if (channels.includes(name)) void Promise.resolve().then(meetLoaded);
    return channel(name);
  };
}

/** Runs `fn` on the first message of one of Node's diagnostics channels, before its publisher goes on. */
export function once<Message>(channel: string, fn: (message: Message) => void): void {
  let spoke = false;
  // Not unsubscribed: some versions of Node would skip the next subscriber of this message.
  node.diagnostics.subscribe(channel, (message) => {
    if (!spoke) fn(message as Message);
    spoke = true;
  });
}
