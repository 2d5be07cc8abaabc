// Prints the count of the run as its last line. Fails when nothing ran, or when most of it was skipped.
import { readFileSync } from "node:fs";

const {
  numPassedTests: passed,
  numFailedTests: failed,
  numTotalTests: total,
} = JSON.parse(readFileSync(process.argv[2], "utf8"));
const skipped = total - passed - failed;
if (passed + failed === 0) console.log("No test was executed.");
if (skipped > passed) console.log(`Most tests were skipped: ${skipped} of ${total}.`);
console.log(`${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ""}`);
process.exitCode = failed > 0 || passed === 0 || skipped > passed ? 1 : 0;
