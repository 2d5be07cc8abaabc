import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve, sep } from "node:path";
import { describe, expect, test } from "vitest";

const SRC = resolve(import.meta.dirname, "../src");

/** Each folder, or file directly under src/, stands on one floor and imports only from its own folder and floors below. */
const FLOORS = [
  ["errors.ts", "json.ts", "options.ts", "running-test.ts", "settings.ts"],
  ["transcript"],
  ["rules", "stream"],
  ["dialects"],
  ["conversation"],
  ["report"],
  ["script"],
  ["tool", "network"],
  ["matchers", "serve", "adapters", "recording"],
  ["fixtures.ts", "conformance"],
  ["index.ts", "setup.ts", "preload.ts", "conversation.ts"],
];

/** Who may import which package at run time. */
const PACKAGES: Record<string, string[]> = {
  vitest: ["script", "network", "matchers/attach.ts", "fixtures.ts", "conformance", "setup.ts"],
  msw: ["network", "serve"],
  "@cfworker/json-schema": ["script"],
  "jest-diff": ["report", "script", "tool"],
  "just-bash": ["tool"],
  "@standard-schema/spec": ["tool"],
  "@secretlint/secretlint-rule-preset-recommend": ["matchers/leak"],
};

/** Providers are named on floor 3 and below it in no rule; above it only where a wire or a seam is the subject. */
const MAY_NAME_DIALECTS = ["dialects", "serve", "adapters", "tool/foreign"];
const DIALECTS = readdirSync(join(SRC, "dialects"), { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map((entry) => entry.name);

const FORBIDDEN_NAMES = /(^|[/.-])(utils?|helpers?|common|internal)([/.-]|$)/;

const files = readdirSync(SRC, { recursive: true, encoding: "utf8" })
  .filter((file) => file.endsWith(".ts"))
  .map((file) => file.split(sep).join("/"))
  .sort();

interface Import {
  specifier: string;
  typeOnly: boolean;
}

function importsOf(file: string): Import[] {
  const source = readFileSync(join(SRC, file), "utf8");
  const found: Import[] = [];
  for (const [, typeOnly, specifier] of source.matchAll(
    /^(?:import|export)\s+(type\s)?(?:[^;'"]*?\sfrom\s+)?["']([^"']+)["']/gm,
  )) {
    found.push({ specifier: specifier!, typeOnly: typeOnly !== undefined });
  }
  for (const [, specifier] of source.matchAll(/\bimport\(\s*["']([^"']+)["']\s*\)/g)) {
    found.push({ specifier: specifier!, typeOnly: false });
  }
  return found;
}

/** The source file that an import between files of src/ leads to. */
function targetOf(file: string, specifier: string): string {
  const target = relative(SRC, join(SRC, dirname(file), specifier))
    .split(sep)
    .join("/");
  return target.replace(/\.js$/, ".ts");
}

function roomOf(file: string): string {
  return file.split("/")[0]!;
}

function floorOf(file: string): number {
  return FLOORS.findIndex((floor) => floor.includes(roomOf(file)));
}

/** The names a file is known by in PACKAGES and MAY_NAME_DIALECTS: itself and each folder above it. */
function addresses(file: string): string[] {
  const parts = file.split("/");
  return parts.map((_, index) => parts.slice(0, index + 1).join("/"));
}

test("finds the source files it is about to judge", () => {
  expect(files).toContain("dialects/dialect.ts");
  expect(importsOf("index.ts").length).toBeGreaterThan(0);
});

test("nothing that a browser may load reaches a built-in module of Node", () => {
  const reached = new Set(["index.ts", "conversation.ts"]);
  // A Set is walked over what is added on the way, too.
  for (const file of reached) {
    for (const { specifier, typeOnly } of importsOf(file)) {
      if (!typeOnly && specifier.startsWith(".")) reached.add(targetOf(file, specifier));
    }
  }
  const builtIns = [...reached].flatMap((file) =>
    importsOf(file).flatMap(({ specifier }) => (specifier.startsWith("node:") ? `${file}: ${specifier}` : [])),
  );
  expect(reached.size).toBeGreaterThan(20);
  expect(builtIns).toEqual([]);
});

describe.each(files)("src/%s", (file) => {
  test("stands on a floor and imports only from its own folder and floors below", () => {
    expect(floorOf(file), `${roomOf(file)} has no floor`).toBeGreaterThanOrEqual(0);
    const upward = importsOf(file)
      .filter(({ specifier }) => specifier.startsWith("."))
      .map(({ specifier }) =>
        relative(SRC, join(SRC, dirname(file), specifier))
          .split(sep)
          .join("/"),
      )
      .map((target) => target.replace(/\.js$/, ".ts"))
      .filter((target) => roomOf(target) !== roomOf(file) && floorOf(target) >= floorOf(file))
      // Files that stand side by side on floor 0 and on the top floor may know each other.
      .filter((target) => !(floorOf(target) === floorOf(file) && !file.includes("/") && !target.includes("/")));
    expect(upward).toEqual([]);
  });

  test("imports only the packages its place allows", () => {
    const strangers = importsOf(file)
      .filter(({ specifier, typeOnly }) => !typeOnly && !/^(\.|node:)/.test(specifier))
      .filter(({ specifier }) => {
        const name = specifier.split("/", specifier.startsWith("@") ? 2 : 1).join("/");
        return !(PACKAGES[name] ?? []).some((place) => addresses(file).includes(place));
      })
      .map(({ specifier }) => specifier);
    expect(strangers).toEqual([]);
  });

  test("has a name that says what it is", () => {
    expect(file).not.toMatch(FORBIDDEN_NAMES);
  });

  if (!MAY_NAME_DIALECTS.some((place) => addresses(file).includes(place)) && floorOf(file) < FLOORS.length - 1) {
    test("names no dialect", () => {
      const code = readFileSync(join(SRC, file), "utf8")
        .replace(/\/\*[\s\S]*?\*\//g, "")
        .replace(/^\s*\/\/.*$/gm, "");
      expect(DIALECTS.filter((dialect) => code.includes(`"${dialect}"`))).toEqual([]);
    });
  }
});
