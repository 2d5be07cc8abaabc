import { execFileSync } from "node:child_process";
import { expect, test } from "vitest";
import { rejectionOf } from "../support/rejection.js";

const JUNK: Record<string, string> = {
  null: "null",
  nothing: "undefined",
  "a symbol": 'Symbol("x")',
  "an object without a prototype": "Object.create(null)",
  "an object that throws": '({ get url() { throw new Error("boom"); }, toString() { throw new Error("bang"); } })',
  "no URL": '"http://"',
};

/** What Node says by itself, where nobody guards it. */
const unguarded = (source: string) =>
  execFileSync(process.execPath, ["-e", `fetch(${source}).catch(({ message }) => process.stdout.write(message))`], {
    env: { PATH: process.env.PATH },
    encoding: "utf8",
  });

test.each(Object.entries(JUNK))("of what is no URL the platform speaks: %s", async (_, source) => {
  const error = await rejectionOf(fetch(new Function(`return ${source}`)()));
  expect(error.message).toBe(unguarded(source));
  // Our own frame is only where the call passed through.
  expect(error.stack?.split("\n")[1]).not.toContain("stable-fetch");
});
