import { aroundAll, aroundEach, type TestContext } from "vitest";
import { type RunningTest, runInTest } from "./running-test.js";

// What no test can be failed for: `test.fails` takes any error for the one it expects.
const problems: Error[] = [];

aroundAll(async (runFile) => {
  await runFile();
  throwAll(problems.splice(0));
});

aroundEach(async (run, { task }) => {
  const test = startAttempt(task);
  await runInTest(test, run);
  const found = test.checks.map((check) => check()).filter((problem) => problem !== undefined);
  if (task.fails) problems.push(...found);
  else throwAll(found);
});

function startAttempt(task: TestContext["task"]): RunningTest {
  const names = [task.name];
  for (let suite = task.suite; suite; suite = suite.suite) names.unshift(suite.name);
  const errorsBefore = task.result?.errors?.length ?? 0;
  return {
    name: names.join(" > "),
    hasFailed: () => (task.result?.errors?.length ?? 0) > errorsBefore,
    checks: [],
  };
}

function throwAll(errors: readonly Error[]): void {
  if (errors.length === 1) throw errors[0];
  if (errors.length > 1) throw new AggregateError(errors);
}
