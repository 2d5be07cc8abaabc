import type { TestContext } from "vitest";
import { type RunningTest, runInTest } from "../running-test.js";

type Task = TestContext["task"];

/** One test file while it runs: who its tests are, and what went wrong that no test of it can show. */
export class WatchedFile {
  /** Found where a throw would be lost: in a test that is expected to fail, or that skipped itself. */
  readonly #problems: Error[] = [];

  /** Runs the whole file, hooks included, and fails it for what no test could be failed for. */
  async around(runFile: () => Promise<void>): Promise<void> {
    await runFile();
    throwAll(this.#problems.splice(0));
  }

  /** Runs one attempt of one test, then its checks, and fails it for what they find. A retry is a new attempt. */
  async aroundTest(task: Task, runTest: () => Promise<void>): Promise<void> {
    const test = startAttempt(task);
    await runInTest(test, runTest);
    const problems = test.checks.map((check) => check()).filter((problem) => problem !== undefined);
    if (hidesErrors(task)) this.#problems.push(...problems);
    else throwAll(problems);
  }
}

function startAttempt(task: Task): RunningTest {
  // Vitest keeps the errors of earlier attempts and repeats in the same list.
  const errorsBefore = task.result?.errors?.length ?? 0;
  return {
    name: fullName(task),
    hasFailed: () => (task.result?.errors?.length ?? 0) > errorsBefore,
    checks: [],
  };
}

/** `test.fails` takes any error for the one it expects, and a test that skipped itself drops all of them. */
function hidesErrors(task: Task): boolean {
  // Vitest sets `pending` while the test still runs, but does not declare it.
  const result: { readonly state?: unknown; readonly pending?: boolean } | undefined = task.result;
  return task.fails === true || result?.pending === true;
}

function fullName(task: Task): string {
  const names = [task.name];
  for (let suite = task.suite; suite; suite = suite.suite) names.unshift(suite.name);
  return names.join(" > ");
}

/** Vitest shows each error of an AggregateError by itself. */
function throwAll(problems: readonly Error[]): void {
  if (problems.length === 1) throw problems[0];
  if (problems.length > 1) throw new AggregateError(problems);
}
