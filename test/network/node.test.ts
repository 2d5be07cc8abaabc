import { expect, test, vi } from "vitest";

test("in a browser a sentence says that there are no sockets to guard", async () => {
  const { getBuiltinModule } = process;
  vi.resetModules();
  Object.assign(process, { getBuiltinModule: undefined });
  try {
    const { node } = await import("../../src/network/node.js");
    expect(() => node.net).toThrowErrorMatchingInlineSnapshot(
      `[UsageError: [vitest-tool-loop] The setup file guards the sockets of Node, and there are none here: expected a test that runs in Node, found a browser. Leave vitest-tool-loop/setup out of the setupFiles of projects in browser mode; a conversation can be checked there by checkConversation() of "vitest-tool-loop/conversation".]`,
    );
  } finally {
    Object.assign(process, { getBuiltinModule });
  }
});
