import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import * as exported from "../../src/index.js";
import { type ChildRun, runVitest } from "../support/child-vitest.js";

const ROOT = resolve(import.meta.dirname, "../..");

/** A piece of code in a document, and what the document says of it. */
export interface Example {
  /** `docs/matchers.md:12` */
  readonly at: string;
  readonly code: string;
  /** The message it fails with; undefined where it passes. */
  readonly failure: string | undefined;
}

/** The code of a document. */
export interface Document {
  /** Blocks without a name: statements, each run as a test. */
  readonly examples: readonly Example[];
  /** Blocks that a name follows, as in ```` ```ts loop.test.ts ````: files of one project. */
  readonly files: Readonly<Record<string, string>>;
}

/**
 * Reads the blocks marked `ts` of a document. A block marked `text` directly behind one is the message it fails with.
 * Under one heading, a block sees what the passing ones above it declare.
 */
export function readDocument(path: string): Document {
  const examples: Example[] = [];
  const files: Record<string, string> = {};
  let declared: string[] = [];
  let line = 1;
  // Headings, and blocks with what follows them up to the next block.
  for (const part of readFileSync(join(ROOT, path), "utf8").split(/^(?=#+ |```\w)/m)) {
    const [, language, name, code] = /^```(\w+) ?(\S*)\n([\s\S]*?)^```$/m.exec(part) ?? [];
    const before = examples.at(-1);
    if (part.startsWith("#")) declared = [];
    else if (language === "ts" && name) files[name] = code!;
    else if (language === "ts") {
      examples.push({ at: `${path}:${line}`, code: [...declared, code!].join("\n"), failure: undefined });
      declared.push(code!);
    } else if (language === "text" && before && declared.length > 0) {
      examples[examples.length - 1] = { ...before, failure: code!.trimEnd() };
      declared.pop();
    }
    line += part.split("\n").length - 1;
  }
  return { examples, files };
}

/** Runs all code of a document in one child run: its files as they are, its examples as tests named by their place. */
export async function runDocument({ examples, files }: Document): Promise<ChildRun> {
  const names = Object.keys(exported).filter((name) => name !== "test");
  const tests = examples.map(({ at, code }) => `test(${JSON.stringify(at)}, async () => {\n${code}\n});`);
  const { "vitest.config.ts": _config, ...project } = files;
  const source = [
    `import { expect, test } from "vitest";`,
    `import { ${names.join(", ")} } from "vitest-tool-loop";`,
    ...tests,
  ];
  return runVitest({ files: examples.length > 0 ? { ...project, "examples.test.ts": source.join("\n") } : project });
}
