// Runs both suites and shows them side by side: what passes, and what each planted bug is answered with.
// Exits 0 when both behave as announced: green.test.ts passes whole, red.test.ts fails whole, each test for its reason.
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { stripVTControlCharacters } from "node:util";

/** What each message has to say, beside the bug itself. */
const REASONS = {
  resultAsUserMessage: /messages\[2\] answers with role "user"/,
  completionOrder: /in the order call_2, call_1/,
  malformedArgumentsRun: /the tool result answering call_1 to hold .*failed/,
  capOffByOne: /within 3 turns, but the model was called 4 times/,
  ForgetfulChat: /must be a response to a preceeding message with 'tool_calls'/,
};

const folder = mkdtempSync(join(tmpdir(), "tool-loop-demo-"));
const report = join(folder, "report.json");
const vitest = ["vitest", "run", "--config", "demo/vitest.config.ts", "--reporter=json", `--outputFile=${report}`];
spawnSync("npx", vitest, { stdio: ["ignore", "ignore", "inherit"] });
const files = JSON.parse(readFileSync(report, "utf8")).testResults;
rmSync(folder, { recursive: true });

const testsOf = (name) => files.find((file) => file.name.endsWith(name))?.assertionResults ?? [];
const green = testsOf("green.test.ts");
const red = testsOf("red.test.ts");
const source = readFileSync("demo/planted-bugs.ts", "utf8").split("\n");

console.log("A hand-written loop (demo/loop.ts) and the OpenAI SDK's own (demo/agent.ts), tested without a model:\n");
for (const { title, status } of green) console.log(`  ${status === "passed" ? "✓" : "✗"} ${title}`);

console.log("\nThe same tests on loops with one planted bug each (demo/planted-bugs.ts). Every one has to fail:");
const wrong = [];
for (const { title, status, failureMessages } of red) {
  const message = stripVTControlCharacters(failureMessages.join("\n")).replace(/\n\s+at .*/g, "");
  const start = source.findIndex((line) => line.includes(`${title}:`) || line.includes(`class ${title} `));
  const line = source.findIndex((text, index) => index >= start && text.includes("BUG:"));
  console.log(`\n  ✗ ${title}`);
  console.log(`    demo/planted-bugs.ts:${line + 1}  ${source[line].trim()}\n`);
  console.log(message.trimEnd().replace(/^/gm, "    │ "));
  if (status !== "failed" || !REASONS[title]?.test(message)) wrong.push(title);
}

for (const { title, status } of green) if (status !== "passed") wrong.push(title);
const missing = Object.keys(REASONS).filter((name) => !red.some(({ title }) => title === name));
if (green.length === 0 || wrong.length + missing.length > 0) {
  console.error(`\nNot as announced: ${[...wrong, ...missing].join(", ") || "no test ran"}`);
  process.exit(1);
}
console.log(`\nAs announced: ${green.length} tests pass, ${red.length} planted bugs are caught, each for its reason.`);
