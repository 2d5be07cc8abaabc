// Installs this package, packed, beside each set of versions it promises to work with, runs the network tests on it,
// and writes what they found to docs/network.md.
//
//   node test/network/matrix.mjs            all sets; compares docs/network.md
//   node test/network/matrix.mjs --write    all sets; writes docs/network.md
//   node test/network/matrix.mjs newest     one set, no docs
import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { withMatrix } from "./matrix-document.mjs";

const ROOT = resolve(import.meta.dirname, "../..");
const SCRATCH = join(tmpdir(), "vitest-tool-loop-matrix");

/** Clients at the newest version that runs on the set's Node. */
const CLIENTS = [
  "openai",
  "@anthropic-ai/sdk",
  "axios",
  "got",
  "node-fetch",
  "undici",
  "ws",
  "eventsource",
  "@grpc/grpc-js",
  "pg",
  "redis",
];

const SETS = {
  oldest: [
    "node@20.20.2",
    "vitest@4.1.12",
    "vite@8.3.8",
    "msw@2.15.0",
    "nock@14.0.9",
    "jsdom@26",
    "happy-dom",
    ...pinned({ undici: "7", got: "14", eventsource: "4" }),
  ],
  newest: ["node@24", "vitest@5.1.2", "vite@8.4.0", "msw@3.0.5", "nock@15", "jsdom", "happy-dom", ...CLIENTS],
};

/** Run on each set. The rest of the tests is about wording and settings, which no version changes. */
const TESTS = ["clients", "server", "scopes", "fail-fast", "children", "nock"].map(
  (name) => `test/network/${name}.test.ts`,
);

function pinned(majors) {
  return CLIENTS.map((name) => (majors[name] ? `${name}@${majors[name]}` : name));
}

function run(command, args, options = {}) {
  const { status } = spawnSync(command, args, { cwd: ROOT, stdio: "inherit", ...options });
  if (status !== 0) process.exitCode = 1;
}

function install(folder, packages) {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "package.json"), `{ "private": true, "type": "module" }`);
  const [packed] = JSON.parse(execFileSync("npm", ["pack", "--json", "--pack-destination", folder], { cwd: ROOT }));
  const all = [join(folder, packed.filename), ...packages];
  // `node` fetches its binary when it is installed.
  run("npm", ["install", "--no-audit", "--no-fund", "--loglevel=error", "--ignore-scripts=false", ...all], {
    cwd: folder,
  });
}

function versions(folder) {
  const version = (name) =>
    JSON.parse(readFileSync(join(folder, "node_modules", name, "package.json"), "utf8")).version;
  return Object.fromEntries(["node", "vitest", "msw", "nock", ...CLIENTS].map((name) => [name, version(name)]));
}

const [only] = process.argv.slice(2).filter((argument) => !argument.startsWith("--"));
run("npm", ["run", "build", "--silent"]);
const found = [];
for (const [name, packages] of Object.entries(SETS).filter(([name]) => !only || name === only)) {
  const folder = join(SCRATCH, name);
  const report = join(folder, "report.jsonl");
  install(folder, packages);
  rmSync(report, { force: true });
  run("npx", ["vitest", "run", ...TESTS], { env: { ...process.env, CHILD_VITEST_SET: folder, MATRIX_REPORT: report } });
  const rows = readFileSync(report, "utf8")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
  found.push({ name, versions: versions(folder), rows });
}

if (!only) {
  const file = join(ROOT, "docs/network.md");
  const now = readFileSync(file, "utf8");
  const text = withMatrix(now, found);
  if (process.argv.includes("--write")) writeFileSync(file, text);
  else if (now !== text) {
    console.error("docs/network.md says something else than this run. Run: node test/network/matrix.mjs --write");
    process.exitCode = 1;
  }
}
