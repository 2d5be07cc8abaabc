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

/** Exact versions: what the document says must not change with the day. */
const BOTH = {
  "@anthropic-ai/sdk": "1.14.0",
  "@grpc/grpc-js": "1.14.7",
  axios: "1.21.1",
  "node-fetch": "3.3.2",
  pg: "8.23.1",
  redis: "6.3.1",
  ws: "8.23.0",
};

const SETS = {
  oldest: {
    node: "20.20.2",
    vitest: "4.1.12",
    vite: "8.3.8",
    msw: "2.15.0",
    nock: "14.0.9",
    jsdom: "26.1.0",
    "happy-dom": "21.0.4",
    ...BOTH,
    eventsource: "4.1.1",
    got: "14.6.6",
    openai: "6.49.0",
    undici: "7.30.2",
  },
  newest: {
    node: "24.21.0",
    vitest: "5.1.2",
    vite: "8.4.0",
    msw: "3.0.5",
    nock: "15.0.2",
    jsdom: "29.1.1",
    "happy-dom": "21.0.4",
    ...BOTH,
    eventsource: "5.1.5",
    got: "16.1.0",
    openai: "7.59.0",
    undici: "8.13.1",
  },
};

/** Run on each set. The rest of the tests is about wording and settings, which no version changes. */
const TESTS = [
  ...[
    "clients",
    "server",
    "scopes",
    "fail-fast",
    "children",
    "nock",
    "loading",
    "paths",
    "proxies",
    "names",
    "connections",
  ].map((name) => `test/network/${name}.test.ts`),
  "test/serve/serve-model.test.ts",
];

function run(command, args, options = {}) {
  const { status } = spawnSync(command, args, { cwd: ROOT, stdio: "inherit", ...options });
  if (status !== 0) process.exitCode = 1;
}

function install(folder, packages) {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "package.json"), `{ "private": true, "type": "module" }`);
  const [packed] = JSON.parse(execFileSync("npm", ["pack", "--json", "--pack-destination", folder], { cwd: ROOT }));
  const all = Object.entries(packages).map(([name, version]) => `${name}@${version}`);
  // `node` fetches its binary when it is installed.
  run(
    "npm",
    [
      "install",
      "--no-audit",
      "--no-fund",
      "--loglevel=error",
      "--ignore-scripts=false",
      join(folder, packed.filename),
      ...all,
    ],
    {
      cwd: folder,
    },
  );
}

/** The document is formatted like every other file: only what it says counts. */
function squeezed(text) {
  return text.replace(/ +/g, " ").replace(/-{3,}/g, "---");
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
  found.push({ name, versions: packages, rows });
}

if (!only) {
  const file = join(ROOT, "docs/network.md");
  const now = readFileSync(file, "utf8");
  const text = withMatrix(now, found);
  if (process.argv.includes("--write")) writeFileSync(file, text);
  else if (squeezed(now) !== squeezed(text)) {
    console.error("docs/network.md says something else than this run. Run: node test/network/matrix.mjs --write");
    process.exitCode = 1;
  }
}
