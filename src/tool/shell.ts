import type { Bash, ByteString, IFileSystem } from "just-bash";
import { UsageError } from "../errors.js";
import { type DiskImage, readDisk, writeDisk } from "./disk-image.js";
import type { SandboxCommand, SandboxResult } from "./sandbox.js";

/** A booted machine: a shell over a disk in memory. */
export interface Machine {
  readonly bash: Bash;
  readonly fs: IFileSystem;
  /** Everything on the disk beside what the system itself put there. */
  image(): Promise<DiskImage>;
}

export interface MachineOptions {
  readonly image: DiskImage;
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly commands: Readonly<Record<string, SandboxCommand>>;
  /** Told of every file written, by whatever program, with its text after the write. */
  onWrite(path: string, content: string): void;
}

/**
 * Loads the shell, an optional peer dependency.
 *
 * @param load - Only for tests of its absence.
 * @throws {UsageError} when it is not installed.
 */
export async function loadShell(load = () => import("just-bash")): Promise<typeof import("just-bash")> {
  try {
    return await load();
  } catch (cause) {
    if ((cause as { code?: unknown }).code !== "ERR_MODULE_NOT_FOUND") throw cause;
    throw new UsageError(
      "createInMemorySandbox() needs a shell: expected the package just-bash, which is not installed. " +
        "Install it: npm install --save-dev just-bash",
      { cause },
    );
  }
}

export async function bootMachine({ image, cwd, env, commands, onWrite }: MachineOptions): Promise<Machine> {
  const { Bash, InMemoryFs, defineCommand } = await loadShell();
  const fs = new InMemoryFs();
  const customCommands = Object.entries(commands).map(([name, command]) =>
    defineCommand(name, async (args, { stdin, cwd, env, signal = new AbortController().signal }) =>
      readResult(await command(args, { stdin: decodeBytes(stdin), cwd, env: Object.fromEntries(env), signal })),
    ),
  );
  // Its defence in depth patches globals of this process while a command runs. Nothing here can reach the process, and
  // commands are the test's own functions, which need those globals.
  const bash = new Bash({ fs, cwd, env, customCommands, defenseInDepth: false });
  const system = new Set(fs.getAllPaths());
  await writeDisk(fs, image);
  recordWrites(fs, onWrite);
  return { bash, fs, image: () => readDisk(fs, system) };
}

/** The shell hands bytes to commands, one character for each. */
function decodeBytes(bytes: ByteString): string {
  return new TextDecoder().decode(Uint8Array.from(String(bytes), (character) => character.charCodeAt(0)));
}

function readResult(result: string | Partial<SandboxResult> | undefined): SandboxResult {
  if (typeof result === "string") return { stdout: result, stderr: "", exitCode: 0 };
  return { stdout: "", stderr: "", exitCode: 0, ...result };
}

/** Wraps every way a program can put content at a path. */
function recordWrites(fs: IFileSystem, onWrite: MachineOptions["onWrite"]): void {
  const record = async (path: string): Promise<void> => {
    if (/^\/(dev|proc)\//.test(path)) return;
    if (!(await fs.stat(path)).isDirectory) return onWrite(path, await fs.readFile(path));
    for (const name of await fs.readdir(path)) await record(fs.resolvePath(path, name));
  };
  const { writeFile, appendFile, cp, mv } = fs;
  fs.writeFile = async (path, ...rest) => {
    const file = await followLinks(fs, path);
    await writeFile.call(fs, file, ...rest);
    await record(file);
  };
  fs.appendFile = async (path, content, ...rest) => {
    const file = await followLinks(fs, path);
    await appendFile.call(fs, file, content, ...rest);
    // `>>` opens the file by appending nothing.
    if (content.length > 0) await record(file);
  };
  fs.cp = async (from, to, ...rest) => {
    await cp.call(fs, from, to, ...rest);
    await record(to);
  };
  fs.mv = async (from, to) => {
    await mv.call(fs, from, to);
    await record(to);
  };
}

/** The file a write goes to. The shell's file system would put a file in the place of the link. */
async function followLinks(fs: IFileSystem, path: string): Promise<string> {
  return (await fs.exists(path)) ? fs.realpath(path) : path;
}
