import { Children, type Orders, readPattern, report } from "./children.js";
import { Guard } from "./guard.js";
import { install, installedGuard } from "./installed.js";
import { awaitUsersMsw, meetUsersMsw } from "./msw.js";
import { guardRequests } from "./requests.js";
import { guardSockets } from "./sockets.js";
import { installStableFetch } from "./stable-fetch.js";
import { guardSyncXhr } from "./sync-xhr.js";

/**
 * Guards this thread. Called once per test file: sockets are shared by all files of the thread, `fetch` is not.
 *
 * @param preload - The built file that guards the processes and threads which tests start.
 */
export function guardNetwork(preload: URL): Guard {
  const guard = installedGuard() ?? guardThread(preload);
  installStableFetch(guard, () => meetUsersMsw(guard));
  guardSyncXhr(guard);
  awaitUsersMsw(guard);
  return guard;
}

/** Guards a process or thread that a test started: it reports to that test what it blocks. */
export function guardChild(preload: URL, orders: Orders): void {
  const guard = installedGuard() ?? guardThread(preload, orders);
  guard.startFile({ allow: orders.allow.map(readPattern), drop: orders.drop.map(readPattern) });
  const { file } = guard;
  file.onStray = () => report(orders, file.takeStrays());
}

function guardThread(preload: URL, orders?: Orders): Guard {
  const guard = install(new Guard());
  guardRequests(guard);
  guardSockets(guard);
  guard.children = new Children(guard, preload, orders);
  return guard;
}
