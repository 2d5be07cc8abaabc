import { UsageError } from "../errors.js";

// Taken before a test can stub `process`.
const getBuiltinModule = globalThis.process?.getBuiltinModule ?? refuseBrowser;

function refuseBrowser(): never {
  throw new UsageError(
    "The setup file guards the sockets of Node, and there are none here: expected a test that runs in Node, found a " +
      "browser. Leave vitest-tool-loop/setup out of the setupFiles of projects in browser mode; a conversation can be " +
      'checked there by checkConversation() of "vitest-tool-loop/conversation".',
  );
}

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
  get stream() {
    return getBuiltinModule("node:stream");
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
