import { UsageError } from "../errors.js";
import type { Guard } from "./guard.js";

// On a built-in module, which all files, VM contexts and copies of this package in one thread share: the sockets the
// guard patches are shared too. No `import`: this module is also loaded in browsers.
const KEY = Symbol.for("vitest-tool-loop/guard");
const home = (globalThis.process?.getBuiltinModule?.("node:async_hooks") ?? {}) as { [KEY]?: Guard };

/** The guard of this thread, if the setup line put one there. */
export function installedGuard(): Guard | undefined {
  return home[KEY];
}

export function install(guard: Guard): Guard {
  home[KEY] = guard;
  return guard;
}

/** @throws {UsageError} without the setup line. */
export function requireGuard(caller: string): Guard {
  const guard = installedGuard();
  if (guard) return guard;
  throw new UsageError(
    `${caller} needs the setup line, and it did not run. Add setupFiles: ["vitest-tool-loop/setup"] under \`test\` in ` +
      "vitest.config.ts.",
  );
}
