import { dialects } from "../dialects/index.js";

/** Copies a live message the way its dialect says; undefined where no dialect knows better than the general rule. */
export function snapshotLiveMessage(message: unknown): unknown {
  if (typeof message !== "object" || message === null) return undefined;
  const knowing = dialects().filter((dialect) => dialect.snapshot !== undefined);
  return knowing.find((dialect) => dialect.detect([message]) === "yes")?.snapshot?.(message);
}
