import { installedGuard } from "./installed.js";

/**
 * Lets everything reach a server that this package itself started on loopback: nobody has to allow it, and no `locked`
 * forbids it.
 *
 * @returns Ends that, when the server closes.
 */
export function admitOwnServer(port: number): () => void {
  const ports = installedGuard()?.ownPorts;
  ports?.add(port);
  return () => void ports?.delete(port);
}
