import { readdirSync } from "node:fs";
import { basename, resolve } from "node:path";
import { defineConfig } from "vitest/config";

// Every file directly under src/ that package.json exports is an entry; the rest is reached through them.
const entries = readdirSync("src")
  .filter((file) => file.endsWith(".ts"))
  .map((file) => basename(file, ".ts"));

export default defineConfig({
  build: {
    target: "node20",
    minify: false,
    // One output file per source file: what a user steps into in a debugger is what we wrote.
    lib: {
      entry: Object.fromEntries(entries.map((name) => [name, `src/${name}.ts`])),
      formats: ["es"],
    },
    rolldownOptions: {
      external: /^(?!\.|\/)/,
      output: { preserveModules: true, preserveModulesRoot: "src", entryFileNames: "[name].js" },
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
});
