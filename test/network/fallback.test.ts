import { afterAll, beforeAll, expect, test } from "vitest";
import { runVitest } from "../support/child-vitest.js";
import { type Outside, startOutside } from "../support/outside.js";

let outside: Outside;
beforeAll(async () => {
  outside = await startOutside();
});
afterAll(() => outside.close());

test("where the handles cannot be patched, strays still fail their tests, and it is said once", async () => {
  const { tests, output } = await runVitest({
    files: {
      "forbid.mjs": `process.binding = () => { throw Object.assign(new Error("Access to this API has been restricted"), { code: "ERR_ACCESS_DENIED" }); };`,
      "a.test.ts": `
        import { test } from "vitest";
        test("fetch", async () => { await fetch("http://127.0.0.1:${outside.port}/x").catch(() => {}); });
        test("innocent", () => {});`,
      "b.test.ts": `import { test } from "vitest"; test("innocent too", () => {});`,
    },
    config: { execArgv: ["--import", "./forbid.mjs"], isolate: false },
  });
  expect(tests.map(({ name, state }) => [name, state])).toEqual([
    ["fetch", "failed"],
    ["innocent", "passed"],
    ["innocent too", "passed"],
  ]);
  expect(tests[0]!.errors.map(({ message }) => message)).toEqual([
    expect.stringMatching(/made a stray request: GET .*\/x, at a\.test\.ts.* It was not blocked\./),
  ]);
  expect(output.match(/.*process\.binding.*/g)).toMatchInlineSnapshot(`
    [
      "[vitest-tool-loop] The network guard cannot block connections: expected process.binding() to give the sockets, found it refused. Strays still fail their tests, but they get out. Run the tests without --permission.",
    ]
  `);
});
