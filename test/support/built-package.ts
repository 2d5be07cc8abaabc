import { execFileSync } from "node:child_process";
import { rmSync } from "node:fs";
import { resolve } from "node:path";

const ROOT = resolve(import.meta.dirname, "../..");
const VITE = "node_modules/vite/bin/vite.js";

export interface BuiltPackage {
  /** The folder, for `entries` of `runVitest`. */
  readonly entries: string;
  remove(): void;
}

/** Builds the package as it is shipped, into a folder of its own: what Node loads by itself cannot be a source. */
export function buildPackage(name: string): BuiltPackage {
  const entries = `node_modules/.${name}`;
  for (const mode of ["production", "one-piece", "matchers"]) {
    const args = [VITE, "build", "--outDir", entries, "--logLevel", "error", "--mode", mode];
    execFileSync(process.execPath, args, { cwd: ROOT });
  }
  return { entries, remove: () => rmSync(resolve(ROOT, entries), { recursive: true, force: true }) };
}
