import type { WorkerOptions } from "node:worker_threads";
import { isPattern } from "../json.js";
import { binding } from "./binding.js";
import type { Guard } from "./guard.js";
import { once } from "./loading.js";
import { node } from "./node.js";
import type { PatternSource } from "./patterns.js";
import type { Evidence, Phase, Scope } from "./scope.js";
import { userFrame } from "./site.js";

/** What a child is told: where to report, for whom, and what it may reach. */
export interface Orders {
  readonly report: string;
  /** Which of those that were started. */
  readonly start: number;
  readonly allow: readonly WrittenPattern[];
  readonly drop: readonly WrittenPattern[];
}

/** That a process or thread was started: for whom, when, and by which call. */
interface Start {
  readonly scope: Scope;
  readonly phase: Phase | undefined;
  readonly stack: string;
}

type WrittenPattern = string | { readonly source: string; readonly flags: string };

const VARIABLE = "VITEST_TOOL_LOOP_GUARD";

interface SpawnOptions {
  readonly envPairs?: readonly string[];
}

interface Spawner {
  spawn(options: SpawnOptions): unknown;
}

/**
 * Guards the Node processes and worker threads that this thread starts, and theirs. They report to a file, which is
 * read when the test that started them ends. Other programs (curl, Python) are not guarded.
 */
export class Children {
  readonly #guard: Guard;
  readonly #preload: URL;
  readonly #inherited: Orders | undefined;
  #report: string | undefined;
  #read = 0;
  #starts: Start[] = [];

  /** @param preload - The file that `node` loads first, in each process and thread that is started below this one. */
  constructor(guard: Guard, preload: URL, inherited?: Orders) {
    this.#guard = guard;
    this.#preload = preload;
    this.#inherited = inherited;
    // Sources that were not built have nothing that `node` could preload.
    if (node.fs.existsSync(preload)) this.#patch();
  }

  /** Brings what children reported to the tests that started them. */
  collect(): void {
    if (this.#report === undefined || !node.fs.existsSync(this.#report)) return;
    const lines = node.fs.readFileSync(this.#report, "utf8").split("\n").slice(this.#read, -1);
    this.#read += lines.length;
    for (const line of lines) {
      const { start, evidence } = JSON.parse(line) as { start: number; evidence: Evidence };
      const { scope, phase, stack } = this.#starts[start]!;
      const open = this.#guard.openScope(scope);
      // Code that is no file of the user's (`-e`, an installed program) has no line but that which started it.
      const shown = userFrame(evidence.stack) ? evidence.stack : stack;
      open.adopt({ ...evidence, stack: shown, phase: open === scope ? phase : open.phase });
    }
  }

  /** Removes the report, at the end of the file: Vitest may end its workers before they could. */
  endFile(): void {
    if (this.#report === undefined) return;
    node.fs.rmSync(node.path.dirname(this.#report), { recursive: true, force: true });
    this.#report = undefined;
    this.#read = 0;
    this.#starts = [];
  }

  #orders(): Orders {
    if (this.#inherited) return this.#inherited;
    const scope = this.#guard.here();
    const start = this.#starts.push({ scope, phase: scope.phase, stack: this.#guard.stack() }) - 1;
    const { allow, drop } = this.#guard.patternsOf(scope);
    const report = (this.#report ??= reportFile());
    return { report, start, allow: allow.map(write), drop: drop.map(write) };
  }

  #patch(): void {
    const preload = this.#preload;
    const orders = () => this.#orders();
    const guardedPairs = (envPairs: readonly string[] = []) => {
      const env = Object.fromEntries(envPairs.map((pair) => split(pair)));
      return Object.entries(guarded(env, preload, orders())).map(([name, value]) => `${name}=${value}`);
    };
    // A process speaks when it is made, and is started after that. The module would be loaded for every test file.
    once("child_process", () => {
      const processes = node.childProcess.ChildProcess.prototype as unknown as Spawner;
      const { spawn } = processes;
      processes.spawn = function (options) {
        return spawn.call(this, { ...options, envPairs: guardedPairs(options.envPairs) });
      };
    });
    // All that run a process to its end meet here, whoever holds them.
    const sync = binding<Spawner>("spawn_sync");
    const spawnSync = sync?.spawn;
    if (sync && spawnSync) {
      sync.spawn = (options) => spawnSync.call(sync, { ...options, envPairs: guardedPairs(options.envPairs) });
    }
    const { threads } = node;
    threads.Worker = new Proxy(threads.Worker, {
      construct(target, [file, options = {}]: [string | URL, WorkerOptions?], newTarget) {
        const start = (flags: readonly string[]) => {
          const execArgv = [...flags, "--require", node.url.fileURLToPath(preload)];
          return Reflect.construct(target, [file, { ...options, execArgv }], newTarget) as InstanceType<typeof target>;
        };
        // Not by environment variables: a worker may share those of this thread.
        threads.setEnvironmentData(VARIABLE, orders() as never);
        try {
          return start(options.execArgv ?? process.execArgv);
        } catch (error) {
          const refused = options.execArgv === undefined ? refusedFlags(error) : [];
          if (refused.length === 0) throw error;
          return start(process.execArgv.filter((flag) => !refused.includes(flag)));
        } finally {
          threads.setEnvironmentData(VARIABLE);
        }
      },
    });
    node.module.syncBuiltinESMExports();
  }
}

/** Flags of a process that a thread takes only by inheriting them. */
function refusedFlags(error: unknown): string[] {
  const { code, message = "" } = error as { code?: unknown; message?: string };
  return code === "ERR_WORKER_INVALID_EXEC_ARGV" ? message.replace(/^.*?: /, "").split(", ") : [];
}

/** The orders of this process or thread, if a guarded test started it. */
export function readOrders(): Orders | undefined {
  const { threads } = node;
  const ofThread = threads.getEnvironmentData(VARIABLE) as Orders | undefined;
  const written = process.env[VARIABLE];
  return ofThread ?? (threads.isMainThread && written ? (JSON.parse(written) as Orders) : undefined);
}

/** Reports what strayed from a child. Written at once: a child may end at any time. */
export function report(orders: Orders, strays: readonly Evidence[]): void {
  const child = node.threads.isMainThread ? "process" : "worker";
  for (const evidence of strays) {
    const line = JSON.stringify({ start: orders.start, evidence: { ...evidence, child } });
    try {
      node.fs.appendFileSync(orders.report, `${line}\n`);
    } catch (error) {
      // The test file has ended, and nobody reads what became of it.
      if ((error as { code?: unknown }).code !== "ENOENT") throw error;
    }
  }
}

export function readPattern(pattern: WrittenPattern): string | RegExp {
  return typeof pattern === "string" ? pattern : new RegExp(pattern.source, pattern.flags);
}

function write(pattern: PatternSource): WrittenPattern {
  return isPattern(pattern) ? { source: pattern.source, flags: pattern.flags } : String(pattern);
}

function reportFile(): string {
  const folder = node.fs.mkdtempSync(node.path.join(node.os.tmpdir(), "vitest-tool-loop-"));
  return node.path.join(folder, "strays.jsonl");
}

type Env = Record<string, string | undefined>;

function guarded(env: Env, file: URL, orders: Orders): Env {
  const preload = `--import=${file.href}`;
  const { NODE_OPTIONS: options = "" } = env;
  const all = options.includes(preload) ? options : `${options} ${preload}`.trim();
  return { ...env, NODE_OPTIONS: all, [VARIABLE]: JSON.stringify(orders) };
}

function split(pair: string): [string, string] {
  const end = pair.indexOf("=", 1);
  return [pair.slice(0, end), pair.slice(end + 1)];
}
