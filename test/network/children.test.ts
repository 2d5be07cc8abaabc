import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { type BuiltPackage, buildPackage } from "../support/built-package.js";
import { runVitest } from "../support/child-vitest.js";
import { type Outside, startOutside } from "../support/outside.js";

/** Node preloads files, not sources. */
let built: BuiltPackage;
let outside: Outside;
beforeAll(async () => {
  outside = await startOutside();
  built = buildPackage("guards-children");
});
afterEach(() => {
  outside.arrivals.length = 0;
});
afterAll(async () => {
  await outside.close();
  built.remove();
});

const run = (tests: string, config = {}) =>
  runVitest({
    config,
    entries: built.entries,
    files: {
      "strays.mjs": `await fetch(process.argv[2] ?? "http://127.0.0.1:${outside.port}/file").catch(() => {});`,
      "a.test.ts": `
        import { exec, execFile, execFileSync, execSync, fork, spawn, spawnSync } from "node:child_process";
        import { SHARE_ENV, Worker } from "node:worker_threads";
        import { network } from "vitest-tool-loop";
        import { expect, test } from "vitest";
        const URL_ = "http://127.0.0.1:${outside.port}/";
        const code = (path) => "fetch('" + URL_ + path + "').catch(() => {})";
        const ended = (child) => new Promise((done) => child.on("exit", done));
        const file = new URL("./strays.mjs", import.meta.url).pathname;
        ${tests}`,
    },
  });

const told = ({ tests, fileErrors }: Awaited<ReturnType<typeof run>>) =>
  [...tests.flatMap(({ errors }) => errors), ...fileErrors].map(({ message }) =>
    message
      .replace("[vitest-tool-loop] ", "")
      .replace(/http:\/\/127\.0\.0\.1:\d+/, "")
      .replace(/(, at .*?)?\. It was.*/, ""),
  );

test.each(["forks", "threads"])(
  "Node processes and worker threads are blocked and reported to the test that started them, in %s",
  async (pool) => {
    const result = await run(
      `
    test("spawn", () => ended(spawn(process.execPath, ["-e", code("spawn")])));
    test("spawn with an environment of its own", () => ended(spawn(process.execPath, ["-e", code("env")], { env: {} })));
    test("execFile", () => ended(execFile(process.execPath, ["-e", code("execFile")])));
    test("exec", () => ended(exec(process.execPath + ' -e "' + code("exec") + '"')));
    test("fork", () => ended(fork(file)));
    test("spawnSync", () => { spawnSync(process.execPath, ["-e", code("spawnSync")]); });
    test("execFileSync", () => { execFileSync(process.execPath, ["-e", code("execFileSync")]); });
    test("execSync", () => { execSync(process.execPath + ' -e "' + code("execSync") + '"'); });
    test("grandchild", () => ended(spawn(process.execPath, ["-e",
      "require('node:child_process').execFileSync(process.execPath, ['-e', " + JSON.stringify(code("grandchild")) + "])"])));
    test("worker", () => ended(new Worker(new URL("./strays.mjs", import.meta.url))));
    test("worker from text", () => ended(new Worker(code("eval"), { eval: true, execArgv: [] })));
    test("worker with shared environment", () => ended(new Worker(code("shared"), { eval: true, env: SHARE_ENV })));
    test("process of a worker", () => ended(new Worker(
      "require('node:child_process').execFileSync(process.execPath, ['-e', " + JSON.stringify(code("mixed")) + "])", { eval: true })));
    test("innocent", async () => {
      expect(execFileSync(process.execPath, ["-p", "1 + 1"]).toString()).toBe("2\\n");
      await ended(new Worker("0", { eval: true }));
    });
  `,
      { pool },
    );
    expect(outside.arrivals).toEqual([]);
    expect(told(result)).toEqual([
      `The test "spawn", in a child process, made a stray request: GET /spawn`,
      `The test "spawn with an environment of its own", in a child process, made a stray request: GET /env`,
      `The test "execFile", in a child process, made a stray request: GET /execFile`,
      `The test "exec", in a child process, made a stray request: GET /exec`,
      `The test "fork", in a child process, made a stray request: GET /file`,
      `The test "spawnSync", in a child process, made a stray request: GET /spawnSync`,
      `The test "execFileSync", in a child process, made a stray request: GET /execFileSync`,
      `The test "execSync", in a child process, made a stray request: GET /execSync`,
      `The test "grandchild", in a child process, made a stray request: GET /grandchild`,
      `The test "worker", in a worker thread, made a stray request: GET /file`,
      `The test "worker from text", in a worker thread, made a stray request: GET /eval`,
      `The test "worker with shared environment", in a worker thread, made a stray request: GET /shared`,
      `The test "process of a worker", in a child process, made a stray request: GET /mixed`,
    ]);
    expect(result.test("innocent").errors).toEqual([]);
  },
);

test("of concurrent tests, the one whose process strayed fails; what the other allows is allowed to its process", async () => {
  const result = await run(`
    const start = (path) => ended(spawn(process.execPath, ["-e", code(path)]));
    test.concurrent("strays", async () => { await start("stray"); });
    test.concurrent("allows", async () => { network.allow(URL_ + "allowed"); await start("allowed"); });
    test.concurrent("allows by RegExp, in a worker", async () => {
      network.allow(/\\/worker$/i);
      await ended(new Worker(code("worker"), { eval: true }));
    });
  `);
  expect(outside.arrivals.filter((arrival) => arrival !== "connection").sort()).toEqual([
    "GET /allowed",
    "GET /worker",
  ]);
  expect(told(result)).toEqual([`The test "strays", in a child process, made a stray request: GET /stray`]);
});

test("a process that strays after its test ended fails the file", async () => {
  const result = await run(`
    let end;
    test("starts it", () => { end = ended(spawn(process.execPath, ["-e", "setTimeout(() => " + code("late") + ", 100)"])); });
    test("innocent", async () => { await end; });
  `);
  expect(told(result)).toEqual([
    `The test "starts it", after it had ended, in a child process, made a stray request: GET /late`,
  ]);
});

// DOM environments are installed with the sets of `matrix.mjs`.
test.runIf(process.env.CHILD_VITEST_SET).each(["jsdom", "happy-dom"])(
  "processes and threads are guarded where there is a DOM, too: %s",
  async (environment) => {
    const result = await run(
      `
    test("spawn", () => ended(spawn(process.execPath, ["-e", code("spawn")])));
    test("spawnSync", () => { spawnSync(process.execPath, ["-e", code("spawnSync")], { env: {} }); });
    test("worker", () => ended(new Worker(code("worker"), { eval: true, env: {} })));`,
      { environment },
    );
    expect(outside.arrivals).toEqual([]);
    expect(result.failed).toEqual(["spawn", "spawnSync", "worker"]);
  },
);

test("a process is guarded however it is started", async () => {
  const result = await run(`
    import cluster from "node:cluster";
    const { env } = process;
    test("an empty environment", () => { execSync(process.execPath + ' -e "' + code("empty") + '"', { env: {} }); });
    test("options of its own", () => ended(spawn(process.execPath, ["-e", code("own")], { env: { ...env, NODE_OPTIONS: "--no-warnings" } })));
    test("fork with execArgv", () => ended(fork(file, { execArgv: ["--no-warnings"], env: {} })));
    test("a shell", () => ended(spawn(process.execPath + ' -e "' + code("shell") + '"', { shell: true })));
    test("cluster", () => { cluster.setupPrimary({ exec: file }); return ended(cluster.fork()); });
    test("detached", () => ended(spawn(process.execPath, ["-e", code("detached")], { detached: true, stdio: "ignore" })));
  `);
  expect(outside.arrivals).toEqual([]);
  expect(result.failed).toEqual([
    "an empty environment",
    "options of its own",
    "fork with execArgv",
    "a shell",
    "cluster",
    "detached",
  ]);
});

test("the line is that of the program's own file, else that which started the program", async () => {
  const { fileErrors, tests } = await runVitest({
    entries: built.entries,
    files: {
      "agent.mjs": `await fetch("http://127.0.0.1:${outside.port}/agent").catch(() => {});`,
      "code.mjs": `export const code = "fetch('http://127.0.0.1:${outside.port}/code').catch(() => {})";`,
      "a.test.ts": `
        import { execFileSync, spawn } from "node:child_process";
        import { Worker } from "node:worker_threads";
        import { test } from "vitest";
        import { code } from "./code.mjs";
        const ended = (child) => new Promise((done) => child.on("exit", done));
        execFileSync(process.execPath, ["-e", code]);
        test("file", () => ended(spawn(process.execPath, [new URL("./agent.mjs", import.meta.url).pathname])));
        test("no file", async () => {
          const child = spawn(process.execPath, ["-e", code]);
          await ended(child);
        });
        test("no file, twice", () => {
          for (const _ of [1, 2]) execFileSync(process.execPath, ["-e", code]);
        });
        test("worker", () => ended(new Worker(code, { eval: true })));`,
    },
  });
  const sentences = [...tests.flatMap(({ errors }) => errors), ...fileErrors].map(
    ({ message, at }) => `${at} ${/(?<=\[vitest-tool-loop\] ).*?(?=\. It was blocked)/.exec(message)}`,
  );
  const url = `http://127.0.0.1:${outside.port}`;
  expect(sentences.map((sentence) => sentence.replace(url, ""))).toMatchInlineSnapshot(`
    [
      "agent.mjs:1 The test "file", in a child process, made a stray request: GET /agent, at agent.mjs:1:7",
      "a.test.ts:10 The test "no file", in a child process, made a stray request: GET /code, at a.test.ts:10:25",
      "a.test.ts:14 The test "no file, twice", in a child process, made a stray request: GET /code (2 times), at a.test.ts:14:35",
      "a.test.ts:16 The test "worker", in a worker thread, made a stray request: GET /code, at a.test.ts:16:36",
      "a.test.ts:7 While the file was imported (at module level or in a describe body), it, in a child process, made a stray request: GET /code, at a.test.ts:7:9",
    ]
  `);
});

test.each([
  ["forks", true],
  ["forks", false],
  ["threads", true],
  ["threads", false],
])("no file is left behind, in %s, isolated: %s", async (pool, isolate) => {
  const temporary = mkdtempSync(join(tmpdir(), "no-file-"));
  // The second of these, whichever that is, runs while what the first left behind strays.
  const source = `
    import { spawn } from "node:child_process";
    import { test } from "vitest";
    const code = (path) => "fetch('http://127.0.0.1:${outside.port}/" + path + "').catch(() => {})";
    const start = (script) => new Promise((done) => spawn(process.execPath, ["-e", script]).on("exit", done));
    test("innocent", async () => { if (globalThis.left) console.log("waited for", await globalThis.left); });
    test("strays", async () => { await start(code("stray")); });
    test("leaves one behind", () => { globalThis.left = start("setTimeout(() => " + code("late") + ", 500)"); });`;
  const { tests, exitCode, unhandled, output } = await runVitest({
    entries: built.entries,
    env: { TMPDIR: temporary, TEMP: temporary },
    config: { pool, isolate },
    files: { "a.test.ts": source, "b.test.ts": source },
  });
  const left = readdirSync(temporary, { recursive: true }).filter((name) => String(name).endsWith("strays.jsonl"));
  rmSync(temporary, { recursive: true });
  expect(left).toEqual([]);
  expect([exitCode, unhandled, outside.arrivals]).toEqual([1, [], []]);
  expect(output.includes("waited for 0")).toBe(!isolate);
  const inOne = ["passed", "failed", "passed"];
  expect(tests.map(({ state }) => state)).toEqual([...inOne, ...inOne]);
});

test("a worker starts although its process has flags that a worker must not name", async () => {
  const { tests } = await runVitest({
    entries: built.entries,
    config: { execArgv: ["--expose-gc"] },
    files: {
      "a.test.ts": `
        import { expect, test } from "vitest";
        import { Worker } from "node:worker_threads";
        const ended = (worker) => new Promise((done, fail) => worker.on("exit", done).on("error", fail));
        test("inherits", async () => {
          expect(await ended(new Worker("fetch('http://127.0.0.1:${outside.port}/worker').catch(() => {})", { eval: true }))).toBe(0);
        });
        test("names", () => {
          expect(() => new Worker("", { eval: true, execArgv: ["--expose-gc"] })).toThrow("invalid execArgv flags: --expose-gc");
        });`,
    },
  });
  expect(
    tests.map(({ name, errors }) => [name, ...errors.map(({ message }) => /GET \S+:\d+(\/\w+)/.exec(message)?.[1])]),
  ).toEqual([["inherits", "/worker"], ["names"]]);
});
