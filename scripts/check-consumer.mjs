// Type-checks a packed install as users have it: each supported Vitest with each TypeScript, both module
// resolutions, and skipLibCheck off, so that our own declarations are judged too. Builds and packs first, unless a tarball is named.
import { execFileSync, spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";

const ROOT = resolve(import.meta.dirname, "..");
const VITEST = ["4.1.12", "5.1.2"];
const TYPESCRIPT = ["5.9.3", "6.0.3", "7.0.2"];
const NODENEXT = { module: "nodenext", moduleResolution: "nodenext" };
const BUNDLER = { module: "esnext", moduleResolution: "bundler" };

const folder = mkdtempSync(join(tmpdir(), "tool-loop-consumer-"));
let failed = 0;
try {
  const tarball = process.argv[2] ? resolve(process.argv[2]) : pack();
  for (const vitest of VITEST) {
    const project = join(folder, `vitest-${vitest}`);
    install(project, vitest, tarball);
    for (const typescript of TYPESCRIPT) check(project, vitest, typescript, NODENEXT);
    check(project, vitest, TYPESCRIPT.at(-1), BUNDLER);
  }
} finally {
  rmSync(folder, { recursive: true });
}
process.exitCode = failed > 0 ? 1 : 0;

function pack() {
  npm(ROOT, "run", "build");
  const [{ filename }] = JSON.parse(npm(ROOT, "pack", "--json", "--pack-destination", folder));
  return join(folder, filename);
}

function install(project, vitest, tarball) {
  mkdirSync(project);
  const aliases = Object.fromEntries(
    TYPESCRIPT.map((version) => [`typescript-${version}`, `npm:typescript@${version}`]),
  );
  const devDependencies = {
    vitest,
    msw: "2.15.0",
    "@types/node": "22",
    "vitest-tool-loop": `file:${tarball}`,
    ...aliases,
  };
  writeFileSync(join(project, "package.json"), JSON.stringify({ type: "module", private: true, devDependencies }));
  // Types alone are asked for: no scripts, and whatever Node runs this.
  npm(project, "install", "--no-audit", "--no-fund", "--no-package-lock", "--ignore-scripts", "--loglevel=error");
  cpSync(join(ROOT, "test/types/consumer"), project, { recursive: true });
  cpSync(join(ROOT, "test/types/matchers.test-d.ts"), join(project, "matchers.test-d.ts"));
}

function check(project, vitest, typescript, resolution) {
  const flags = Object.entries(resolution).flatMap(([key, value]) => [`--${key}`, value]);
  const tsc = join(project, "node_modules", `typescript-${typescript}`, "bin/tsc");
  const { status, stdout, stderr } = spawnSync(process.execPath, [tsc, "-p", project, ...flags], { encoding: "utf8" });
  const what = `Vitest ${vitest}, TypeScript ${typescript}, ${resolution.moduleResolution}`;
  console.log(`${status === 0 ? "ok    " : "FAILED"}  ${what}`);
  if (status === 0) return;
  failed++;
  console.log(`${stdout}${stderr}`.replaceAll(`${project}/`, ""));
}

function npm(cwd, ...args) {
  return execFileSync("npm", args, { cwd, encoding: "utf8", stdio: ["ignore", "pipe", "inherit"] });
}
