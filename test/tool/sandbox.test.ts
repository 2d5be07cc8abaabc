import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { z } from "zod";
import { capability, createInMemorySandbox, defineTool, runTool, type Sandbox } from "../../src/index.js";
import { loadShell } from "../../src/tool/shell.js";
import { rejectionOf, thrownBy } from "../support/rejection.js";

test("a command has standard output, standard error and an exit code", async () => {
  const sandbox = createInMemorySandbox();
  expect(await sandbox.exec("echo out; echo err >&2; exit 3")).toEqual({
    stdout: "out\n",
    stderr: "err\n",
    exitCode: 3,
  });
  expect((await sandbox.exec("false || echo $?")).stdout).toBe("1\n");
  expect(await sandbox.exec("no_such_program")).toMatchObject({ exitCode: 127 });
  expect(await sandbox.exec("if then")).toMatchObject({ exitCode: 2 });
});

test("pipes, redirections, globbing, directories and links behave", async () => {
  const sandbox = createInMemorySandbox({ files: { "a.txt": "one\ntwo\n", "b.txt": "three\n" } });
  expect((await sandbox.exec("cat *.txt | sort | head -n 1")).stdout).toBe("one\n");
  await sandbox.exec("mkdir -p deep/er && mv a.txt deep/er/ && ln -s deep/er/a.txt link && echo four >> link");
  expect((await sandbox.exec("wc -l < link")).stdout.trim()).toBe("3");
  expect((await sandbox.exec("find . -name '*.txt' | sort")).stdout).toBe("./b.txt\n./deep/er/a.txt\n");
});

test("the disk stays between commands; cd and variables do not", async () => {
  const sandbox = createInMemorySandbox();
  await sandbox.exec("cd /tmp; export LEFT=1; echo kept > kept.txt");
  expect((await sandbox.exec("pwd; echo [$LEFT]; cat /tmp/kept.txt")).stdout).toBe("/home/user\n[]\nkept\n");
});

test("the working directory, the environment and standard input are the sandbox's or the command's own", async () => {
  const sandbox = createInMemorySandbox({ cwd: "/app", env: { STAGE: "test" }, files: { "x/y.txt": "y" } });
  expect((await sandbox.exec("pwd; echo $STAGE $EXTRA")).stdout).toBe("/app\ntest\n");
  expect((await sandbox.exec("pwd; echo $STAGE $EXTRA", { cwd: "x", env: { EXTRA: "more" } })).stdout).toBe(
    "/app/x\ntest more\n",
  );
  expect((await sandbox.exec("tr a-z A-Z", { stdin: "héllo" })).stdout).toBe("HéLLO");
});

test("files are read and written beside the shell, as on a disk", async () => {
  const sandbox = createInMemorySandbox({ cwd: "/app" });
  await sandbox.writeFile("new/dir/é.txt", "über\n");
  expect(await sandbox.readFile("/app/new/dir/é.txt")).toBe("über\n");
  expect((await sandbox.exec("cat new/dir/*")).stdout).toBe("über\n");
  expect([await sandbox.exists("new"), await sandbox.exists("old")]).toEqual([true, false]);
  expect(await rejectionOf(sandbox.readFile("missing.txt"))).toMatchObject({
    code: "ENOENT",
    message: "ENOENT: no such file or directory, open '/app/missing.txt'",
  });
  expect(await rejectionOf(sandbox.readFile("new"))).toMatchObject({ code: "EISDIR" });
});

test("bytes that are no text survive", async () => {
  const sandbox = createInMemorySandbox({ files: { "blob.bin": new Uint8Array([0xff, 0x00, 0xfe]) } });
  expect((await sandbox.fork().exec("base64 blob.bin")).stdout).toBe("/wD+\n");
});

test("files() lists every file by path, before and after the machine was used", async () => {
  const sandbox = createInMemorySandbox({ cwd: "/app", files: { "b.txt": "b", "/etc/hosts": "me" } });
  expect(sandbox.files()).toEqual({ "/app/b.txt": "b", "/etc/hosts": "me" });
  await sandbox.exec("echo a > a.txt; rm b.txt; ln -s a.txt link; mkdir empty");
  expect(Object.entries(sandbox.files())).toEqual([
    ["/app/a.txt", "a\n"],
    ["/etc/hosts", "me"],
  ]);
});

test("runs holds every command with its result", async () => {
  const sandbox = createInMemorySandbox();
  await sandbox.exec("echo a");
  await sandbox.exec("cat missing", { cwd: "/tmp" });
  expect(sandbox.runs).toEqual([
    { command: "echo a", cwd: "/home/user", stdout: "a\n", stderr: "", exitCode: 0 },
    {
      command: "cat missing",
      cwd: "/tmp",
      stdout: "",
      stderr: "cat: missing: No such file or directory\n",
      exitCode: 1,
    },
  ]);
});

test("writes holds every write of a file, whoever made it, once each", async () => {
  const sandbox = createInMemorySandbox({ cwd: "/app" });
  await sandbox.writeFile("a.txt", "one\n");
  await sandbox.exec("echo two >> a.txt; echo three > b.txt; echo three > b.txt; cp b.txt c.txt; mv c.txt d.txt");
  await sandbox.exec("sed -i s/three/four/ b.txt; echo quiet > /dev/null; cat b.txt | tee e.txt");
  expect(sandbox.writes.map(({ path, content }) => [path, content])).toEqual([
    ["/app/a.txt", "one\n"],
    ["/app/a.txt", "one\ntwo\n"],
    ["/app/b.txt", "three\n"],
    ["/app/b.txt", "three\n"],
    ["/app/c.txt", "three\n"],
    ["/app/d.txt", "three\n"],
    ["/app/b.txt", "four\n"],
    ["/app/e.txt", "four\n"],
  ]);
});

test("emptying a file is a write too", async () => {
  const sandbox = createInMemorySandbox({ files: { "a.txt": "full" }, cwd: "/app" });
  await sandbox.exec(": > a.txt");
  expect(sandbox.writes).toEqual([{ path: "/app/a.txt", content: "" }]);
});

test("a fork has the same disk, and changes apart", async () => {
  const sandbox = createInMemorySandbox({ cwd: "/app", files: { "a.txt": "a" } });
  await sandbox.exec("chmod 755 a.txt; ln -s a.txt link; mkdir empty");
  const fork = sandbox.fork();
  await sandbox.exec("echo changed > a.txt");
  await fork.exec("rm -r empty; echo b > b.txt");
  expect((await fork.exec("cat link; stat -c %a a.txt")).stdout).toBe("a755\n");
  expect([sandbox.files(), fork.files()]).toEqual([
    { "/app/a.txt": "changed\n" },
    { "/app/a.txt": "a", "/app/b.txt": "b\n" },
  ]);
  expect(await sandbox.exists("empty")).toBe(true);
  expect(fork.writes).toEqual([{ path: "/app/b.txt", content: "b\n" }]);
});

test("a command may be a function", async () => {
  const git = vi.fn(async (args: string[]) => ({ stderr: `unknown ${args[0]}\n`, exitCode: 129 }));
  const sandbox = createInMemorySandbox({
    env: { NAME: "Ann" },
    commands: {
      git,
      greet: (_args, { stdin, cwd, env }) => `${env.NAME} ${cwd} ${stdin}`,
      boom: () => {
        throw new Error("out of order");
      },
      quiet: () => undefined,
    },
  });
  expect(await sandbox.exec("git frobnicate 'a b'")).toMatchObject({ stderr: "unknown frobnicate\n", exitCode: 129 });
  expect(git.mock.calls[0]![0]).toEqual(["frobnicate", "a b"]);
  expect((await sandbox.exec("echo é | greet | tr a-z A-Z", { cwd: "/tmp" })).stdout).toBe("ANN /TMP é\n");
  expect(await sandbox.exec("boom; echo $?")).toMatchObject({ stdout: "1\n", stderr: "boom: out of order\n" });
  expect(await sandbox.exec("quiet")).toEqual({ stdout: "", stderr: "", exitCode: 0 });
  expect(thrownBy(() => createInMemorySandbox({ commands: { git: "x" as never } })).message).toMatchInlineSnapshot(
    `"[vitest-tool-loop] createInMemorySandbox() needs its commands as functions: expected commands.git to be one, found "x". Use { git: (args, { stdin }) => "output" }."`,
  );
});

test("nothing reaches the real disk: absolute paths, traversal, links", async () => {
  const here = import.meta.filename;
  const sandbox = createInMemorySandbox({ cwd: "/app" });
  const up = "../".repeat(30);
  for (const command of [
    `cat ${here}`,
    `cat ${up}${here.slice(1)}`,
    `ln -s ${here} link; cat link`,
    `ln -s / root; cat root${here}`,
    `source ${here}`,
    `grep -r vitest ${import.meta.dirname}`,
    "cat /etc/passwd",
  ]) {
    const { stdout, exitCode } = await sandbox.exec(command);
    expect([command, stdout, exitCode === 0]).toEqual([command, "", false]);
  }
  expect(await sandbox.exists(here)).toBe(false);
  const target = join(import.meta.dirname, "escaped.txt");
  await sandbox.exec(`mkdir -p ${import.meta.dirname}; echo x > ${target}; cp ${target} ${up}tmp/escaped.txt`);
  await sandbox.writeFile(`${up}${target.slice(1)}`, "x");
  expect(sandbox.files()).toMatchObject({ [target]: "x", "/tmp/escaped.txt": "x\n" });
  expect([existsSync(target), existsSync("/tmp/escaped.txt")]).toEqual([false, false]);
});

test("nothing reaches the network or the processes, nor the real environment", async () => {
  const sandbox = createInMemorySandbox();
  for (const program of [
    "curl http://stray.invalid",
    "wget http://stray.invalid",
    "node -e 1",
    "git status",
    "ssh a",
  ]) {
    expect(await sandbox.exec(program)).toMatchObject({ stdout: "", exitCode: 127 });
  }
  expect((await sandbox.exec("echo > /dev/tcp/127.0.0.1/1; env")).stdout).not.toContain(process.env.PATH);
});

/** A promise and the function that fulfils it. */
function signpost<T>() {
  let resolve!: (value: T) => void;
  const promise = new Promise<T>((fulfil) => {
    resolve = fulfil;
  });
  return { promise, resolve };
}

test("an abort ends a command with its reason, and the machine stays usable", async () => {
  const started = signpost<void>();
  const sandbox = createInMemorySandbox({
    commands: {
      hang: () => {
        started.resolve();
        return new Promise(() => {});
      },
    },
  });
  const controller = new AbortController();
  const hanging = rejectionOf(
    sandbox.exec("echo before > a.txt; hang; echo after > a.txt", { signal: controller.signal }),
  );
  await started.promise;
  controller.abort(new Error("enough"));
  expect((await hanging).message).toBe("enough");
  expect(sandbox.runs).toEqual([{ command: expect.stringContaining("hang"), cwd: "/home/user" }]);
  expect((await sandbox.exec("cat a.txt")).stdout).toBe("before\n");
  expect(await rejectionOf(sandbox.exec("true", { signal: AbortSignal.abort(new Error("late")) }))).toMatchObject({
    message: "late",
  });
});

test("a command inherits the signal of the run that started it", async () => {
  const started = signpost<AbortSignal>();
  const sandbox = createInMemorySandbox({
    commands: {
      hang: (_args, { signal }) => {
        started.resolve(signal);
        return new Promise(() => {});
      },
    },
  });
  const build = defineTool({
    name: "build",
    inputSchema: z.object({}),
    capabilities: { sandbox: capability<Sandbox>() },
    async execute(_input, ctx) {
      expect(ctx.sandbox).toBe(sandbox);
      return ctx.sandbox.exec("hang");
    },
  });
  const controller = new AbortController();
  const pending = runTool(build, { input: {}, capabilities: { sandbox }, signal: controller.signal });
  const signal = await started.promise;
  controller.abort("stop");
  expect((await pending).expectCancelled()).toBe("stop");
  expect(signal.aborted).toBe(true);
  expect((await sandbox.exec("echo free")).stdout).toBe("free\n");
});

test("without its shell the error says what to install", async () => {
  const missing = Object.assign(new Error("Cannot find package 'just-bash'"), { code: "ERR_MODULE_NOT_FOUND" });
  const error = await rejectionOf(loadShell(() => Promise.reject(missing)));
  expect(error.message).toMatchInlineSnapshot(
    `"[vitest-tool-loop] createInMemorySandbox() needs a shell: expected the package just-bash, which is not installed. Install it: npm install --save-dev just-bash"`,
  );
  const broken = new Error("a broken install");
  expect(await rejectionOf(loadShell(() => Promise.reject(broken)))).toBe(broken);
});
