/**
 * The signal of the run in whose asynchronous context code runs. A facade keeps its identity over all runs it is handed
 * to, so it cannot carry a run's signal itself; the sandbox asks here.
 */
interface Storage {
  run<R>(signal: AbortSignal, fn: () => R): R;
  getStore(): AbortSignal | undefined;
}

const KEY = Symbol.for("vitest-tool-loop/run-signal");
const shared = globalThis as { [KEY]?: Storage };

function storage(): Storage | undefined {
  // No `import "node:async_hooks"`: this module is also loaded in browsers, where no signal is inherited.
  const hooks = globalThis.process?.getBuiltinModule?.("node:async_hooks");
  return (shared[KEY] ??= hooks && new hooks.AsyncLocalStorage<AbortSignal>());
}

export function runUnder<R>(signal: AbortSignal, fn: () => R): R {
  const available = storage();
  return available ? available.run(signal, fn) : fn();
}

export function currentSignal(): AbortSignal | undefined {
  return storage()?.getStore();
}
