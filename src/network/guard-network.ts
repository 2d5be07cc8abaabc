import { Guard } from "./guard.js";
import { install, installedGuard } from "./installed.js";
import { guardRequests } from "./requests.js";
import { guardSockets } from "./sockets.js";
import { installStableFetch } from "./stable-fetch.js";

/** Guards this thread. Called once per test file: sockets are shared by all files of the thread, `fetch` is not. */
export function guardNetwork(): Guard {
  const guard = installedGuard() ?? guardThread();
  installStableFetch(guard);
  return guard;
}

function guardThread(): Guard {
  const guard = install(new Guard());
  guardRequests(guard);
  guardSockets(guard);
  return guard;
}
