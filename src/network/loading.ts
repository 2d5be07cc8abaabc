import { node } from "./node.js";

/** The diagnostics channel that each of these modules asks for while it is loaded. */
const CHANNELS = { net: "net.client.socket", _http_client: "http.client.request.start" } as const;

/** Before Node 22 a connection does not speak from inside `connect`, so whoever loads and uses a module in one tick would be missed. */
const [MAJOR = 0] = process.versions.node.split(".").map(Number);

const waiting = new Map<string, () => void>();

/**
 * Runs `fn` when Node has loaded one of its modules: at once if it has, else before the next tick.
 *
 * Most test files connect to nothing. Loaded for each of them, the two take a third of what a thread has before V8 first
 * collects its whole heap.
 */
export function whenLoaded(module: keyof typeof CHANNELS, fn: () => void): void {
  if (MAJOR < 22 || isLoaded(module)) {
    fn();
    return;
  }
  if (waiting.size === 0) watchChannels();
  waiting.set(CHANNELS[module], fn);
}

/** Whether Node has loaded this module of its own; also true where it does not tell. */
export function isLoaded(module: string): boolean {
  const { moduleLoadList: loaded } = process as { readonly moduleLoadList?: readonly string[] };
  return loaded?.includes(`NativeModule ${module}`) !== false;
}

/** Runs what waits for modules that are loaded by now. */
export function meetLoaded(): void {
  for (const module of ["net", "_http_client"] as const) {
    const fn = waiting.get(CHANNELS[module]);
    if (!fn || !isLoaded(module)) continue;
    waiting.delete(CHANNELS[module]);
    fn();
  }
}

function watchChannels(): void {
  const { diagnostics } = node;
  const { channel } = diagnostics;
  diagnostics.channel = (name) => {
    // Later, when the module is whole. A promise, because tests fake the timers.
    if (waiting.has(name as string)) void Promise.resolve().then(meetLoaded);
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
