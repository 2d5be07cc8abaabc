/**
 * Which test is running, even when several run at once.
 *
 * `expect.getState()` and Vitest's current test are wrong in concurrent tests; an AsyncLocalStorage entered in
 * `aroundEach` is right on Node 20 to 26 and under retries. Everything that must fail "the test that did it" asks here.
 */

/** One attempt of one test. A retry is a new one. */
export interface RunningTest {
  /** The full name, suites included: `checkout > refunds > asks first`. */
  readonly name: string;
  /** Whether the attempt has already failed: by an error of its own, by a stray, or by one of `failures`. What it left over is then no news. */
  hasFailed(): boolean;
  /** Whether the attempt has skipped itself: what it began, it need not finish. */
  hasSkipped(): boolean;
  /** What the attempt fails with when it ends, even if its code swallows the error it got for it. */
  readonly failures: Error[];
  /** Checks to run when the attempt ends, whether or not it failed; each returns what is wrong, or nothing. */
  readonly checks: (() => Error | undefined)[];
}

interface Storage {
  run<R>(store: RunningTest, fn: () => R): R;
  getStore(): RunningTest | undefined;
}

// The setup file and the tests may load two copies of this module (browser mode, two installed copies), and in VM pools
// each test file has its own `globalThis`: one state, on a built-in module where there is one.
// No `import "node:async_hooks"`: this module is also loaded in browsers.
const KEY = Symbol.for("vitest-tool-loop/running-test");
const hooks = globalThis.process?.getBuiltinModule?.("node:async_hooks");
const WATCHING = Symbol.for("vitest-tool-loop/watching");
const shared = (hooks ?? globalThis) as { [KEY]?: Storage; [WATCHING]?: true };

function storage(): Storage {
  return (shared[KEY] ??= hooks ? new hooks.AsyncLocalStorage<RunningTest>() : sequentialStorage());
}

function sequentialStorage(): Storage {
  let current: RunningTest | undefined;
  return {
    getStore: () => current,
    run(store, fn) {
      current = store;
      return fn();
    },
  };
}

/** The attempt in whose asynchronous context this is called; undefined outside of tests or without the setup line. */
export function currentTest(): RunningTest | undefined {
  return storage().getStore();
}

/** Whether tests of this thread are told by {@link runInTest}: not before the first one, nor without the setup line. */
export function isWatching(): boolean {
  return shared[WATCHING] === true;
}

/** Runs `fn` and all it starts as part of this attempt. */
export function runInTest<R>(test: RunningTest, fn: () => R): R {
  shared[WATCHING] = true;
  return storage().run(test, fn);
}
