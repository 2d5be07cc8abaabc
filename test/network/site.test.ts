import { expect, test } from "vitest";
import { captureStack, userFrame } from "../../src/network/site.js";

test.each([
  ["objects", (_error: Error, sites: NodeJS.CallSite[]) => sites],
  ["nothing", () => []],
  ["a line", (error: Error) => String(error)],
])("a stack names the user's line, whatever prepares stack traces makes of it: %s", (_name, prepare) => {
  const { prepareStackTrace } = Error;
  Error.prepareStackTrace = prepare;
  try {
    expect(userFrame(captureStack())).toMatch(/\/site\.test\.ts:\d+:\d+$/);
    expect(Error.prepareStackTrace).toBe(prepare);
  } finally {
    Error.prepareStackTrace = prepareStackTrace;
  }
});

test("the user's line is the innermost one outside of packages and of Node", () => {
  const stack = `Error
    at connect (node:net:1518:26)
    at open (/app/node_modules/pg/lib/connection.js:40:12)
    at query (/app/src/db.ts:7:3)
    at /app/src/db.test.ts:12:5`;
  expect(userFrame(stack)).toBe("/app/src/db.ts:7:3");
});
