import { spawn } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { stripVTControlCharacters } from "node:util";

const ROOT = resolve(import.meta.dirname, "../..");

/**
 * Another set of versions to run the children on: a folder whose `node_modules` holds this package, packed and
 * installed, beside its own Vitest, MSW and, where it brings one, `node`.
 */
const SET = process.env.CHILD_VITEST_SET;

export interface ChildError {
  readonly message: string;
  /** `file:line` of the first stack frame in the child's own files, as Vitest maps it back to the source. */
  readonly at: string | undefined;
}

export interface ChildTest {
  /** The full name, suites included: `checkout > refunds`. */
  readonly name: string;
  readonly state: "passed" | "failed" | "skipped" | "pending";
  readonly errors: readonly ChildError[];
}

export interface ChildRun {
  readonly exitCode: number | null;
  readonly tests: readonly ChildTest[];
  /** Errors of files and suites: hooks, collection. */
  readonly fileErrors: readonly (ChildError & { readonly file: string })[];
  /** What Vitest lists as "Unhandled Errors" of the run. */
  readonly unhandled: readonly ChildError[];
  /** Everything the run printed, without colours. */
  readonly output: string;
  /** The test with this full name; throws when the run has none. */
  test(name: string): ChildTest;
  /** The names of the tests that failed, in order. */
  readonly failed: readonly string[];
}

export interface ChildOptions {
  /** The files of the run, by name. `*.test.ts` are its tests; `vitest-tool-loop` and all its entries resolve. */
  readonly files: Readonly<Record<string, string>>;
  /** Vitest's `test` settings. `setupFiles` is already there; values must survive JSON. */
  readonly config?: Readonly<Record<string, unknown>>;
  /** More arguments for `vitest run`. */
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** The folder whose package entries are used: `src` (default), or a folder `vite build` wrote. */
  readonly entries?: string;
  /** `false` leaves the setup line out. */
  readonly setup?: boolean;
}

/** Runs Vitest as a child process on small files in a temporary folder, and says what became of each test. */
export async function runVitest(options: ChildOptions): Promise<ChildRun> {
  const folder = mkdtempSync(join(tmpdir(), "child-vitest-"));
  try {
    for (const [name, source] of Object.entries(options.files)) {
      mkdirSync(dirname(join(folder, name)), { recursive: true });
      writeFileSync(join(folder, name), source);
    }
    writeFileSync(join(folder, "package.json"), `{ "type": "module" }`);
    writeFileSync(join(folder, "report.mjs"), REPORTER);
    writeFileSync(join(folder, "vitest.config.mjs"), configOf(options));
    symlinkSync(join(SET ?? ROOT, "node_modules"), join(folder, "node_modules"), "junction");
    const { exitCode, output } = await run(folder, options);
    const report = join(folder, "report.json");
    if (!existsSync(report)) throw new Error(`The child run wrote no report (exit code ${exitCode}):\n${output}`);
    return withLookups({ exitCode, output, ...JSON.parse(readFileSync(report, "utf8").replaceAll(folder + "/", "")) });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function configOf({ config = {}, entries = "src", setup = true }: ChildOptions): string {
  const base = resolve(ROOT, entries);
  const suffix = existsSync(join(base, "index.ts")) ? ".ts" : ".js";
  // An installed package is resolved like any other; a folder of this repository needs names.
  const alias = SET
    ? "[]"
    : `[
        { find: /^vitest-tool-loop$/, replacement: ${JSON.stringify(join(base, `index${suffix}`))} },
        { find: /^vitest-tool-loop\\/(.+)$/, replacement: ${JSON.stringify(join(base, `$1${suffix}`))} },
        { find: "./matchers/load.js", replacement: ${JSON.stringify(join(ROOT, "test/support/load-matchers.ts"))} },
      ]`;
  const settings = {
    // Chosen here so that a run says the same on every machine.
    maxWorkers: 1,
    fileParallelism: false,
    ...(setup ? { setupFiles: [SET ? "vitest-tool-loop/setup" : join(base, `setup${suffix}`)] } : {}),
    ...config,
  };
  // In DOM environments Vitest serves files as Vite would to a browser; those of the package are outside of this root.
  const server = { fs: { strict: false } };
  return `export default { server: ${JSON.stringify(server)}, resolve: { alias: ${alias} }, test: { ...${JSON.stringify(settings)}, reporters: ["default", "./report.mjs"] } };`;
}

const REPORTER = `
import { writeFileSync } from "node:fs";
import { stripVTControlCharacters } from "node:util";
const errorOf = (error) => ({
  message: stripVTControlCharacters(String(error.message ?? error)),
  at: (error.stacks ?? []).filter((frame) => !frame.file.includes("node_modules")).map((frame) => frame.file + ":" + frame.line)[0],
});
export default class {
  onTestRunEnd(modules, unhandled) {
    const tests = [];
    const fileErrors = [];
    for (const module of modules) {
      const file = module.relativeModuleId;
      for (const error of module.errors()) fileErrors.push({ file, ...errorOf(error) });
      for (const suite of module.children.allSuites()) for (const error of suite.errors()) fileErrors.push({ file, ...errorOf(error) });
      for (const test of module.children.allTests()) {
        const { state, errors } = test.result();
        tests.push({ name: test.fullName, state, errors: (errors ?? []).map(errorOf) });
      }
    }
    writeFileSync(new URL("./report.json", import.meta.url), JSON.stringify({ tests, fileErrors, unhandled: unhandled.map(errorOf) }));
  }
}
`;

function run(folder: string, options: ChildOptions): Promise<{ exitCode: number | null; output: string }> {
  const vitest = join(folder, "node_modules/vitest/vitest.mjs");
  // The outer run's own settings must not reach the inner one.
  const { NODE_OPTIONS: _, VITEST: _vitest, ...env } = process.env;
  const node = join(folder, "node_modules/node/bin/node");
  const child = spawn(SET && existsSync(node) ? node : process.execPath, [vitest, "run", ...(options.args ?? [])], {
    cwd: folder,
    env: { ...env, CI: "1", NO_COLOR: "1", ...options.env },
  });
  return new Promise((done, fail) => {
    let output = "";
    child.stdout.on("data", (text) => (output += text));
    child.stderr.on("data", (text) => (output += text));
    child.on("error", fail);
    child.on("close", (exitCode) => done({ exitCode, output: stripVTControlCharacters(output) }));
  });
}

function withLookups(report: Omit<ChildRun, "test" | "failed">): ChildRun {
  return {
    ...report,
    failed: report.tests.filter(({ state }) => state === "failed").map(({ name }) => name),
    test(name) {
      const found = report.tests.find((test) => test.name === name);
      if (!found) throw new Error(`The child run has no test "${name}":\n${report.output}`);
      return found;
    },
  };
}
