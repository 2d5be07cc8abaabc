// What a setup line costs a suite: 40 trivial test files, run with each setup in turn, several times over.
//
//   node bench/setup-cost.mjs [folder] [rounds]
//
// `folder` has a node_modules with this package, Vitest and MSW: test/network/matrix.mjs installs two. The runs of one
// round follow each other, so that what else the machine does meets all of them; the ratio is of medians over rounds.
//
// In threads the cost has a step: V8 collects the whole heap of a worker, 8 to 13 ms for each file, once the setup keeps
// more than about 450 kB (Node 24, Vitest 5). `--expose-gc` and `v8.getHeapStatistics()` in a second setup file show it.
import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { performance } from "node:perf_hooks";

const [installed = join(tmpdir(), "vitest-tool-loop-matrix/newest"), rounds = "5"] = process.argv.slice(2);
const FILES = 40;
const SETUPS = {
  none: undefined,
  "vitest-tool-loop/setup": `import "vitest-tool-loop/setup";`,
  "msw/node and listen()": `
    import { setupServer } from "msw/node";
    import { afterAll, beforeAll } from "vitest";
    const server = setupServer();
    beforeAll(() => server.listen({ onUnhandledRequest: "error", onUnhandledFrame: "error" }));
    afterAll(() => server.close());`,
};

const folder = mkdtempSync(join(tmpdir(), "setup-cost-"));
const modules = resolve(installed, "node_modules");
symlinkSync(modules, join(folder, "node_modules"), "junction");
writeFileSync(join(folder, "package.json"), `{ "type": "module" }`);
for (let index = 0; index < FILES; index++) {
  const source = `import { expect, test } from "vitest"; test("adds", () => { expect(${index} + 1).toBe(${index + 1}); });`;
  writeFileSync(join(folder, `${index}.test.ts`), source);
}
for (const [name, source] of Object.entries(SETUPS)) {
  if (source) writeFileSync(join(folder, `${fileName(name)}.ts`), source);
  // The shipped file itself: a wrapper would hide what Vitest does with a package's setup file.
  const file = name === "vitest-tool-loop/setup" ? name : `./${fileName(name)}.ts`;
  const setupFiles = source ? [file] : [];
  writeFileSync(
    join(folder, `${fileName(name)}.config.mjs`),
    `export default { test: { maxWorkers: 2, setupFiles: ${JSON.stringify(setupFiles)} } };`,
  );
}

function fileName(setup) {
  return setup.replace(/\W+/g, "-");
}

function secondsOf(setup, pool) {
  const node = join(modules, "node/bin/node");
  const args = [join(modules, "vitest/vitest.mjs"), "run", "--pool", pool, "--config", `${fileName(setup)}.config.mjs`];
  const start = performance.now();
  const { status, stdout, stderr } = spawnSync(existsSync(node) ? node : process.execPath, args, {
    cwd: folder,
    encoding: "utf8",
    env: { ...process.env, CI: "1", NO_COLOR: "1" },
  });
  if (status !== 0) throw new Error(`The run with "${setup}" failed:\n${stdout}${stderr}`);
  return (performance.now() - start) / 1000;
}

function median(numbers) {
  return [...numbers].sort((a, b) => a - b)[Math.floor(numbers.length / 2)];
}

try {
  for (const pool of ["forks", "threads"]) {
    const seconds = Object.fromEntries(Object.keys(SETUPS).map((setup) => [setup, []]));
    for (let round = 0; round < Number(rounds); round++) {
      for (const setup of Object.keys(SETUPS)) seconds[setup].push(secondsOf(setup, pool));
    }
    const [none, ours, msw] = Object.values(seconds).map(median);
    for (const [setup, values] of Object.entries(seconds)) {
      console.log(
        `${pool}  ${setup.padEnd(24)} median ${median(values).toFixed(2)} s, least ${Math.min(...values).toFixed(2)} s`,
      );
    }
    console.log(
      `${pool}  added by the setup line / by msw: ${((ours - none) / (msw - none)).toFixed(2)} (wanted: 0.25 at most)`,
    );
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
