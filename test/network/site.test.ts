import { expect, test } from "vitest";
import { captureStack, userFrame } from "../../src/network/site.js";

test("a stack is text, whatever prepares stack traces makes of it", () => {
  const { prepareStackTrace } = Error;
  Error.prepareStackTrace = (_error, sites) => sites;
  try {
    const stack = captureStack();
    expect(stack).toContain("site.test.ts");
    expect(userFrame(stack)).toBeUndefined();
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
