import { expect, test } from "vitest";
import { networkSettings } from "../../src/network/check-settings.js";
import { failureOf } from "../support/failure.js";

test.each<[string, unknown]>([
  ["nothing", undefined],
  ["no network", { verifyScripts: "overruns" }],
  [
    "all of them",
    { network: { allow: ["localhost", /x/], drop: [], mode: "report", locked: true, protectKeys: false } },
  ],
  ["one that is left out", { network: { mode: undefined } }],
])("settings that can be used are taken as they are: %s", (_, settings) => {
  expect(networkSettings(settings)).toEqual((settings as { network?: object } | undefined)?.network ?? {});
});

test("a setting that cannot be used says what it may be", () => {
  const junk = [
    "localhost",
    { networks: {} },
    { network: ["localhost"] },
    { network: { allowed: ["localhost"] } },
    { network: { allow: "localhost" } },
    { network: { mode: "warn" } },
    { network: { locked: "yes" } },
  ];
  expect(junk.map((settings) => failureOf(() => networkSettings(settings)))).toMatchInlineSnapshot(`
    [
      "[vitest-tool-loop] A setting cannot be used: expected an object with the keys network, verifyScripts, found "localhost", at test.provide.toolLoop of the Vitest configuration.",
      "[vitest-tool-loop] A setting cannot be used: expected an object with the keys network, verifyScripts, found "networks", at test.provide.toolLoop of the Vitest configuration.",
      "[vitest-tool-loop] A setting cannot be used: expected an object with the keys allow, drop, mode, locked, protectKeys, found ["localhost"], at test.provide.toolLoop.network of the Vitest configuration.",
      "[vitest-tool-loop] A setting cannot be used: expected an object with the keys allow, drop, mode, locked, protectKeys, found "allowed", at test.provide.toolLoop.network of the Vitest configuration.",
      "[vitest-tool-loop] A setting cannot be used: expected a list of patterns, found "localhost", at test.provide.toolLoop.network.allow of the Vitest configuration.",
      "[vitest-tool-loop] A setting cannot be used: expected "fail" or "report", found "warn", at test.provide.toolLoop.network.mode of the Vitest configuration.",
      "[vitest-tool-loop] A setting cannot be used: expected true or false, found "yes", at test.provide.toolLoop.network.locked of the Vitest configuration.",
    ]
  `);
});
