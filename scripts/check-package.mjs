// Judges the package as users get it: builds, packs, and lets publint and attw read the tarball.
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const folder = mkdtempSync(join(tmpdir(), "tool-loop-pack-"));
const run = (command, ...args) =>
  execFileSync(command, args, { stdio: ["ignore", "pipe", "inherit"], encoding: "utf8" });
try {
  run("npm", "run", "build");
  const [{ filename }] = JSON.parse(run("npm", "pack", "--json", "--pack-destination", folder));
  const tarball = join(folder, filename);
  process.stdout.write(run("npx", "publint", "--strict", tarball));
  process.stdout.write(run("npx", "attw", tarball, "--profile", "esm-only", "--format", "ascii"));
} finally {
  rmSync(folder, { recursive: true });
}
