import { UsageError } from "../errors.js";
import { isRecord, oneLine } from "../json.js";
import { type OptionKind, type OptionsShape, requireOptions, text } from "../options.js";
import { type DiskImage, directoryEntry, fileEntry, textFiles } from "./disk-image.js";
import { bootMachine, type Machine } from "./shell.js";
import { currentSignal } from "./signal.js";

export interface SandboxResult {
  readonly stdout: string;
  readonly stderr: string;
  /** 0 for success, as in a shell; 127 where the command does not exist. */
  readonly exitCode: number;
}

export interface ExecOptions {
  /** Default: the sandbox's. */
  readonly cwd?: string;
  /** Added to the sandbox's, for this command alone. */
  readonly env?: Readonly<Record<string, string>>;
  readonly stdin?: string;
  /** Beside the signal of the run in which a tool calls this, which is inherited. */
  readonly signal?: AbortSignal;
}

/** A machine as tools see it. Declare it with `capabilities: { sandbox: capability<Sandbox>() }`. */
export interface Sandbox {
  /**
   * Runs a command line of a POSIX shell. What it changes on disk stays; its `cd` and its variables do not.
   *
   * @throws the abort reason (rejects) when aborted. A command that fails does not reject: see `exitCode`.
   */
  exec(command: string, options?: ExecOptions): Promise<SandboxResult>;
  /** @param path - Absolute, or relative to the sandbox's `cwd`. @throws (rejects) with `code: "ENOENT"` as on disk. */
  readFile(path: string): Promise<string>;
  /** Creates the directories above the file where they are missing. */
  writeFile(path: string, content: string | Uint8Array): Promise<void>;
  /** Whether a file or a directory stands there. */
  exists(path: string): Promise<boolean>;
}

/** A command that is a function. A text is its standard output; what it throws is its standard error, with exit code 1. */
export type SandboxCommand = (
  args: string[],
  io: {
    readonly stdin: string;
    readonly cwd: string;
    readonly env: Readonly<Record<string, string>>;
    readonly signal: AbortSignal;
  },
) => string | Partial<SandboxResult> | undefined | Promise<string | Partial<SandboxResult> | undefined>;

export interface InMemorySandboxOptions {
  /** The files it starts with, by path: absolute, or relative to `cwd`. */
  readonly files?: Readonly<Record<string, string | Uint8Array>>;
  /** Default `/home/user`. */
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
  /** Programs the machine shall have, or built-in ones to replace: `{ git: async (args) => "…" }`. */
  readonly commands?: Readonly<Record<string, SandboxCommand>>;
}

/** One `exec`. The result is absent while the command runs, or where it was aborted. */
export interface SandboxRun extends Partial<SandboxResult> {
  readonly command: string;
  readonly cwd: string;
}

/** One write of a file, by `writeFile` or by any program of the machine: its path and its text after the write. */
export interface SandboxWrite {
  readonly path: string;
  readonly content: string;
}

export interface InMemorySandbox extends Sandbox {
  /** Every `exec`, in the order started. */
  readonly runs: readonly SandboxRun[];
  /** Every write of a file, in order, copies and moves included. */
  readonly writes: readonly SandboxWrite[];
  /** Every file on the machine as text, by absolute path, as of the last operation that ended. */
  files(): Record<string, string>;
  /** Another machine with the same disk, which changes apart from this one; its `runs` and `writes` begin empty. */
  fork(): InMemorySandbox;
}

const HOME = "/home/user";

/**
 * A machine in memory that behaves: files, directories, links, pipes, redirections, globbing, exit codes, the usual
 * programs. It reaches neither the disk nor the network nor the processes of the machine the test runs on.
 *
 * The shell is the package `just-bash`, an optional peer dependency that is loaded when the machine is first used.
 *
 * @throws {UsageError} (rejects, from the first operation) when `just-bash` is not installed.
 *
 * @example
 * const sandbox = createInMemorySandbox({ files: { "/app/a.txt": "hello\n" } });
 * const { stdout } = await sandbox.exec("cat *.txt | wc -l", { cwd: "/app" });
 */
export function createInMemorySandbox(options: InMemorySandboxOptions = {}): InMemorySandbox {
  requireOptions(options, OPTIONS, "createInMemorySandbox()");
  const { cwd = HOME, files = {}, env = {}, commands = {} } = options;
  refuseBrokenOptions(files, commands);
  const image: DiskImage = new Map([
    ...[HOME, "/tmp", cwd].map((path) => [path, directoryEntry()] as const),
    ...Object.entries(files).map(([path, content]) => [absolute(cwd, path), fileEntry(content)] as const),
  ]);
  return openSandbox({ cwd, env: { HOME, ...env }, commands, image });
}

const byName: OptionKind = { wanted: "an object, by name", holds: isRecord };

const OPTIONS: OptionsShape<InMemorySandboxOptions> = { cwd: text, files: byName, env: byName, commands: byName };

function refuseBrokenOptions(files: object, commands: object): void {
  for (const [name, command] of Object.entries(commands)) {
    if (typeof command === "function") continue;
    throw new UsageError(
      `createInMemorySandbox() needs its commands as functions: expected commands.${name} to be one, found ` +
        `${oneLine(command)}. Use { ${name}: (args, { stdin }) => "output" }.`,
    );
  }
  for (const [path, content] of Object.entries(files)) {
    if (typeof content === "string" || content instanceof Uint8Array) continue;
    throw new UsageError(
      `createInMemorySandbox() needs its files as text or bytes: expected files[${oneLine(path)}] to be a string or a ` +
        `Uint8Array, found ${oneLine(content)}. Write it as text: JSON.stringify(…).`,
    );
  }
}

interface Setup {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly commands: Readonly<Record<string, SandboxCommand>>;
  readonly image: DiskImage;
}

function openSandbox(setup: Setup): InMemorySandbox {
  const { cwd, env, commands } = setup;
  const runs: SandboxRun[] = [];
  const writes: SandboxWrite[] = [];
  // What `files` and `fork` answer from, at once: it follows the disk after each operation.
  let image = setup.image;
  let booting: Promise<Machine> | undefined;
  const operate = async <T>(operation: (machine: Machine) => Promise<T>): Promise<T> => {
    booting ??= bootMachine({ ...setup, onWrite: (path, content) => recordWrite(writes, { path, content }) });
    const machine = await booting;
    try {
      return await operation(machine);
    } finally {
      image = await machine.image();
    }
  };
  return {
    runs,
    writes,
    async exec(command, { cwd: at = cwd, env: added = {}, stdin, signal } = {}) {
      requireText(command, "exec() of the sandbox takes a command line");
      const signals = [signal, currentSignal()].filter((each) => each !== undefined);
      const aborted = AbortSignal.any(signals);
      aborted.throwIfAborted();
      const where = absolute(cwd, at);
      const index = runs.push({ command, cwd: where }) - 1;
      return operate(async ({ bash, fs }) => {
        const { stdout, stderr, exitCode } = (await fs.exists(where))
          ? await bash.exec(command, {
              cwd: where,
              env: { ...added },
              signal: aborted,
              ...(stdin === undefined ? {} : { stdin }),
            })
          : // The shell would go on in a directory that is not there.
            { stdout: "", stderr: `bash: cd: ${where}: No such file or directory\n`, exitCode: 1 };
        aborted.throwIfAborted();
        runs[index] = { command, cwd: where, stdout, stderr, exitCode };
        return { stdout, stderr, exitCode };
      });
    },
    readFile: async (path) => operate(({ fs }) => likeDisk(fs.readFile(absolute(cwd, path)))),
    writeFile: async (path, content) => operate(({ fs }) => likeDisk(fs.writeFile(absolute(cwd, path), content))),
    exists: async (path) => operate(({ fs }) => fs.exists(absolute(cwd, path))),
    files: () => textFiles(image),
    fork: () => openSandbox({ cwd, env, commands, image }),
  };
}

/** Resolves `.` and `..` as a file system does: nothing is above the root. */
function absolute(cwd: string, path: string): string {
  requireText(path, "The sandbox takes a path");
  const steps: string[] = [];
  for (const step of (path.startsWith("/") ? path : `${cwd}/${path}`).split("/")) {
    if (step === "..") steps.pop();
    else if (step !== "" && step !== ".") steps.push(step);
  }
  return `/${steps.join("/")}`;
}

function requireText(value: unknown, claim: string): void {
  if (typeof value !== "string") throw new UsageError(`${claim}: expected a string, found ${oneLine(value)}.`);
}

/** A redirection first empties its file; that is no write of its own. */
function recordWrite(writes: SandboxWrite[], write: SandboxWrite): void {
  const last = writes.at(-1);
  if (last?.path === write.path && last.content === "" && write.content !== "") writes.pop();
  writes.push(write);
}

/** The shell's file system words its errors as Node does, but leaves out the `code` that programs look at. */
async function likeDisk<T>(operation: Promise<T>): Promise<T> {
  try {
    return await operation;
  } catch (error) {
    const code = error instanceof Error ? /^(E[A-Z]+):/.exec(error.message)?.[1] : undefined;
    throw code === undefined ? error : Object.assign(error as Error, { code });
  }
}
