// Nothing of the package is imported: the matchers are known by `"types": ["vitest-tool-loop/setup"]` alone.
import { expect, test } from "vitest";

test("a loop of one's own", async () => {
  const messages = await Promise.resolve([{ role: "user", content: "hi" }]);
  expect(messages).toMatchToolCallIds();
  expect(messages).not.toLeak();
});
