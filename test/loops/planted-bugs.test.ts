import { stripVTControlCharacters } from "node:util";
import { diff } from "jest-diff";
import { expect, test } from "vitest";
import { catches } from "./catches.js";
import { type IndexedLoop, indexOf, loadLoop, nameOf } from "./loops.js";
import { type Loop, play, type ScenarioTitle, scenarios } from "./scenarios.js";
import { type Promises, promisesOf, shapesOf } from "./shapes.js";

const titles = Object.keys(scenarios) as ScenarioTitle[];
const bugs = indexOf("mutants");
const correct: readonly IndexedLoop[] = [
  { file: "reference.openai-chat.ts", dialect: "openai-chat" },
  { file: "reference.anthropic.ts", dialect: "anthropic" },
  ...indexOf("alternates"),
];

/** What a correct loop promises where the reference promises something else. */
const CHOICES: Record<string, Partial<Promises>> = {
  "openai-chat/cap-text-other": { giveUp: /within my limits/ },
  "openai-chat/no-null-content": { wordless: undefined },
  "openai-chat/undefined-as-empty": { nothing: "" },
  "anthropic/cap-throws": { cap: "throws" },
  "anthropic/final-string-content": { closing: "string" },
  "anthropic/undefined-content-omitted": { nothing: undefined },
};

/** How a message begins that is not of one of our matchers. */
const FIRST_WORDS: Record<string, RegExp> = {
  "the script": /^\[vitest-tool-loop\] The (loop|script) /,
  "the tool's spy": /^expected ".*" to (not )?be called/,
  "resolves or rejects": /^promise (rejected|resolved) |^expected error /,
  toEqual: /^expected .* to deeply equal /,
};

interface Row {
  readonly bug: string;
  readonly title: ScenarioTitle;
  readonly by: string;
  readonly reason: RegExp;
}

const rows: readonly Row[] = Object.entries(catches).flatMap(([title, assertions]) =>
  Object.entries(assertions).flatMap(([by, reasons]) =>
    Object.entries(reasons).map(([bug, reason]) => ({ bug, title: title as ScenarioTitle, by, reason })),
  ),
);

async function load(loop: IndexedLoop): Promise<Loop> {
  const { dialect, file } = loop;
  const promises = { ...promisesOf(dialect), ...CHOICES[nameOf(loop)] };
  return { dialect, runLoop: await loadLoop(file), promises, shapes: shapesOf(dialect, promises) };
}

/** What a developer reads when a scenario fails: the message, and the one diff Vitest prints below it. */
async function failureOf(title: ScenarioTitle, loop: Loop): Promise<string> {
  const error = await play(title, loop).then(
    () => Promise.reject(new Error(`Expected "${title}" to fail, but it passed.`)),
    (error: Error & { actual?: unknown; expected?: unknown }) => error,
  );
  const shown = error.expected === undefined ? null : diff(error.expected, error.actual);
  return stripVTControlCharacters(shown === null ? error.message : `${error.message}\n\n${shown}`);
}

/** Ids that a loop makes up differ from run to run. */
function settle(message: string): string {
  return message.replace(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, "00000000-0000-4000-8000-000000000000");
}

test.each(correct.map((loop) => [nameOf(loop), loop] as const))("%s passes every scenario", async (_name, loop) => {
  const loaded = await load(loop);
  for (const title of titles) await play(title, loaded);
});

test("every planted bug is caught once", () => {
  expect(rows.map(({ bug }) => bug).sort()).toEqual(bugs.map(nameOf).sort());
});

test.each(rows)("$bug fails for its reason", async ({ bug, title, by, reason }) => {
  const message = settle(await failureOf(title, await load(bugs.find((loop) => nameOf(loop) === bug)!)));
  expect(message).toMatch(FIRST_WORDS[by] ?? new RegExp(`^expect\\(.*\\)\\S*\\.${by}\\(`));
  expect(message).toMatch(reason);
  await expect(`${title}\n\n${message}\n`).toMatchFileSnapshot(`./messages/${bug}.txt`);
});
