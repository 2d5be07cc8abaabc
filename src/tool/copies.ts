import { copyOut, snapshot } from "../script/snapshot.js";

// Instances of classes keep their identity: a tool's input may hold a URL or a client, and a copy would be another one.

/** A copy of data, for a tool that may change it. */
export function copyOf<T>(value: T): T {
  return copyOut(value, "keep");
}

/** A frozen copy of data as it is now, for the record. */
export function recordOf<T>(value: T): T {
  return snapshot(value, undefined, "keep");
}
