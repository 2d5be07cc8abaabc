import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { expect, test } from "vitest";
import { runVitest } from "../support/child-vitest.js";

const PAGE = readFileSync(resolve(import.meta.dirname, "../../docs/run-tool.md"), "utf8");

/** Every TypeScript block of the page, by the file its first line names. */
function examples(): Record<string, string> {
  const files: Record<string, string> = {};
  for (const [, block] of PAGE.matchAll(/```ts\n([\s\S]*?)```/g)) {
    const name = /^\/\/ (\S+\.ts)\n/.exec(block!)?.[1];
    if (!name) throw new Error(`An example names no file in its first line:\n${block}`);
    files[name] = block!;
  }
  return files;
}

test("every example of docs/run-tool.md passes as it stands", async () => {
  const files = examples();
  const run = await runVitest({ files });
  const titles = Object.values(files).flatMap((source) =>
    [...source.matchAll(/^test\("(.+?)"/gm)].map(([, title]) => title),
  );
  expect(run.fileErrors).toEqual([]);
  expect(run.tests.filter(({ state }) => state !== "passed")).toEqual([]);
  expect(run.tests.map(({ name }) => name).sort()).toEqual(titles.sort());
  expect(titles.length).toBeGreaterThan(8);
}, 60_000);
