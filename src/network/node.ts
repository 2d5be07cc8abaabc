// Taken before a test can stub `process`.
const { getBuiltinModule } = process;

/**
 * Node's own modules, each loaded when it is first used. An `import` of one also evaluates all its exports and keeps them
 * in a namespace, which every test file that runs in a thread of its own would pay for: 230 kB for those below.
 */
export const node = {
  get asyncHooks() {
    return getBuiltinModule("node:async_hooks");
  },
  get childProcess() {
    return getBuiltinModule("node:child_process");
  },
  get dgram() {
    return getBuiltinModule("node:dgram");
  },
  get diagnostics() {
    return getBuiltinModule("node:diagnostics_channel");
  },
  get dns() {
    return getBuiltinModule("node:dns");
  },
  get events() {
    return getBuiltinModule("node:events");
  },
  get fs() {
    return getBuiltinModule("node:fs");
  },
  get http() {
    return getBuiltinModule("node:http");
  },
  get module() {
    return getBuiltinModule("node:module");
  },
  get net() {
    return getBuiltinModule("node:net");
  },
  get os() {
    return getBuiltinModule("node:os");
  },
  get path() {
    return getBuiltinModule("node:path");
  },
  get threads() {
    return getBuiltinModule("node:worker_threads");
  },
  get url() {
    return getBuiltinModule("node:url");
  },
  get util() {
    return getBuiltinModule("node:util");
  },
};
