import { readdirSync } from "node:fs";
import { basename, resolve } from "node:path";
import { defineConfig } from "vitest/config";

// Every file directly under src/ that package.json exports is an entry; the rest is reached through them.
const entries = readdirSync("src")
  .filter((file) => file.endsWith(".ts"))
  .map((file) => basename(file, ".ts"));

// What runs before every test file is one file each: a suite pays for each module that it loads, once per test file.
const onePiece = ["setup", "preload"];

const pathsOf = (names: string[]) => Object.fromEntries(names.map((name) => [name, `src/${name}.ts`]));

export default defineConfig(({ mode }) => ({
  build: {
    target: "node20",
    minify: false,
    emptyOutDir: mode !== "one-piece",
    lib: {
      entry: pathsOf(entries.filter((name) => onePiece.includes(name) === (mode === "one-piece"))),
      formats: ["es"],
    },
    rolldownOptions: {
      external: /^(?!\.|\/)/,
      // A package of which nothing is used in the end is not loaded either: jest-diff alone takes 45 ms.
      treeshake: { moduleSideEffects: "no-external" },
      output: {
        // Elsewhere one output file per source file: what a user steps into in a debugger is what we wrote.
        ...(mode === "one-piece" ? {} : { preserveModules: true, preserveModulesRoot: "src" }),
        entryFileNames: "[name].js",
        chunkFileNames: "[name].js",
      },
    },
  },
  test: {
    // Documents and the demo import the package by its name; here it is the source.
    alias: [
      { find: /^vitest-tool-loop$/, replacement: resolve("src/index.ts") },
      { find: /^vitest-tool-loop\/(.*)$/, replacement: resolve("src/$1.ts") },
    ],
    setupFiles: ["./src/setup.ts"],
    include: ["test/**/*.test.ts"],
    exclude: ["test/child/**"],
    // Child-process tests start Vitest again; two cores serve two workers.
    maxWorkers: 2,
    testTimeout: 60_000,
  },
}));
