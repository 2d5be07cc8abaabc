import type { TestContext } from "vitest";
import { type RunningTest, runInTest } from "../running-test.js";
import type { NetworkSettings } from "../settings.js";
import { networkSettings } from "./check-settings.js";
import { failAtOnce } from "./fail-at-once.js";
import type { Guard } from "./guard.js";
import { protectKeys } from "./keys.js";
import { meetUsersMsw } from "./msw.js";
import { meetNock } from "./nock.js";
import { isModelProvider } from "./providers.js";
import type { Scope } from "./scope.js";
import { strayErrors } from "./strays.js";

type Task = TestContext["task"];

/** One test file while it runs: who its tests are, and what went wrong that no test of it can show. */
export class WatchedFile {
  readonly #guard: Guard;
  readonly #settings: NetworkSettings;
  /** Found where a throw would be lost: in a test that is expected to fail, or that skipped itself. */
  readonly #problems: Error[] = [];
  /** Strays that are listed when the file ends, instead of failing it. */
  readonly #reported: Error[] = [];

  /**
   * @param settings - What `test.provide.toolLoop` holds.
   * @throws {UsageError} when it holds what cannot be used.
   */
  constructor(guard: Guard, settings: unknown) {
    this.#guard = guard;
    this.#settings = networkSettings(settings);
    guard.startFile(this.#settings);
    if (this.#settings.protectKeys) protectKeys();
    guard.onOrphan = (late) => void this.#failRun(late);
  }

  /** Runs the whole file, hooks included, and fails it for what no test could be failed for. */
  async around(runFile: () => Promise<void>): Promise<void> {
    const { file } = this.#guard;
    file.phase = "hook";
    await this.#meetMocks();
    await runFile();
    await this.#guard.settle();
    this.#guard.msw?.dispose();
    await this.#guard.end(file);
    for (const scope of [file, ...file.late]) this.#problems.push(...this.#judge(scope));
    this.#guard.children?.endFile();
    this.#report();
    throwAll([...this.#problems.splice(0), ...this.#guard.fileFailures.splice(0)]);
  }

  /** Runs one attempt of one test, then its checks, and fails it for what they find. A retry is a new attempt. */
  async aroundTest(task: Task, runTest: () => Promise<void>): Promise<void> {
    // Vitest keeps the errors of earlier attempts and repeats in the same list.
    const errorsBefore = task.result?.errors?.length ?? 0;
    const errors = () => task.result?.errors?.slice(errorsBefore) ?? [];
    const test: RunningTest = {
      name: fullName(task),
      hasFailed: () => errors().length > 0 || strays.length > 0 || test.failures.length > 0,
      hasSkipped: () => hasSkipped(task),
      failures: [],
      checks: [],
    };
    const scope = this.#guard.startTest(test);
    let strays: Error[] = [];
    let undo = () => {};
    // SDKs retry for seconds when they cannot reach their model: longer than many tests may take.
    scope.onStray = () =>
      this.#guard.setImmediate(() => {
        if (scope.abandoned || this.#settings.mode === "report" || !scope.strays().some(isModelProvider)) return;
        scope.abandoned = true;
        strays = this.#judge(scope);
        undo = failAtOnce(task.context.signal, asOne(strays));
      });
    await this.#meetMocks();
    await runInTest(test, runTest);
    await this.#guard.settle();
    if (!scope.abandoned) strays = this.#judge(scope);
    undo();
    await this.#guard.end(scope);
    const checked = test.checks.map((check) => check()).filter((problem) => problem !== undefined);
    // An error that the loop did not swallow has failed the test by itself.
    const isNews = (problem: Error) => !errors().some(({ message }) => message === problem.message);
    // An SDK puts our sentences into errors of its own. Any other error shows more than its message: a diff, a line.
    const isTold = ({ message }: Error) => isOurs(message) && errors().some((error) => error.message.includes(message));
    const problems = [...new Set([...test.failures, ...checked])].filter(
      (problem) => isNews(problem) && !isTold(problem),
    );
    if (hidesErrors(task)) this.#problems.push(...problems, ...strays);
    else throwAll([...problems, ...strays.filter(isNews)]);
  }

  /** Mocks that the user's files loaded since: they may refuse a stray before the guard can see it. */
  async #meetMocks(): Promise<void> {
    meetNock(this.#guard);
    await meetUsersMsw(this.#guard);
  }

  /** What is wrong with what strayed from this scope. */
  #judge(scope: Scope): Error[] {
    const strays = strayErrors(scope, scope.takeStrays(), this.#guard.blocks);
    if (this.#settings.mode !== "report") return strays;
    this.#reported.push(...strays);
    return [];
  }

  #report(): void {
    if (this.#reported.length === 0) return;
    const sentences = this.#reported.splice(0).map(({ message }) => message);
    console.warn([`Strays, listed because network.mode is "report":`, ...sentences].join("\n"));
  }

  /** After the file ended nothing of it can be failed any more; an unhandled rejection still fails the run. */
  async #failRun(late: Scope): Promise<void> {
    await this.#guard.settle();
    for (const stray of this.#judge(late)) void Promise.reject(stray);
    this.#report();
  }
}

/** `test.fails` takes any error for the one it expects, and a test that skipped itself drops all of them. */
function hidesErrors(task: Task): boolean {
  return task.fails === true || hasSkipped(task);
}

/** By its words and not by its class: the setup file and the tests may load two copies of this package. */
function isOurs(message: string): boolean {
  return message.startsWith("[vitest-tool-loop] ");
}

function hasSkipped(task: Task): boolean {
  // Vitest sets `pending` while the test still runs, but does not declare it.
  const result: { readonly state?: unknown; readonly pending?: boolean } | undefined = task.result;
  return result?.pending === true;
}

function fullName(task: Task): string {
  const names = [task.name];
  for (let suite = task.suite; suite; suite = suite.suite) names.unshift(suite.name);
  return names.join(" > ");
}

/** Vitest shows each error of an AggregateError by itself. */
function asOne(problems: readonly Error[]): Error {
  return problems.length === 1 ? problems[0]! : new AggregateError(problems);
}

function throwAll(problems: readonly Error[]): void {
  if (problems.length > 0) throw asOne(problems);
}
