import { readdirSync } from "node:fs";
import { basename, resolve } from "node:path";
import type { LibraryOptions, Plugin } from "vite";
import { defineConfig } from "vitest/config";

// Every file directly under src/ that package.json exports is an entry; the rest is reached through them.
const entries = readdirSync("src")
  .filter((file) => file.endsWith(".ts"))
  .map((file) => basename(file, ".ts"));

const pathsOf = (names: string[]) => Object.fromEntries(names.map((name) => [name, `src/${name}.ts`]));

// What runs before every test file is one file each: a suite pays for each module that it loads, once per test file. And
// without comments and in ASCII: a thread keeps the text of each file, two bytes per character where one is beyond Latin-1.
const onePiece = ["setup", "preload"];
// Vitest transforms a setup file and keeps its source map with it: all but its own lines is in a file that Node loads.
const beside = { name: "guard-network", test: /[\\/]src[\\/](?!(setup|preload|network[\\/]msw-source)\.ts$)/ };
const asciiOnly: Plugin = {
  name: "ascii-only",
  generateBundle(_, bundle) {
    for (const chunk of Object.values(bundle)) {
      if (chunk.type === "chunk") chunk.code = chunk.code.replace(/[^\0-\x7f]/g, escaped);
    }
  },
};
const escaped = (character: string) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;

/** One build after the other, by mode. */
const LIBRARIES: Record<string, LibraryOptions> = {
  "one-piece": { entry: pathsOf(onePiece), formats: ["es"] },
  // The setup file loads the matchers when a test needs them, at once and therefore by `require`.
  matchers: { entry: { matchers: "src/matchers/index.ts" }, formats: ["cjs"] },
};
const MODULES: LibraryOptions = { entry: pathsOf(entries.filter((name) => !onePiece.includes(name))), formats: ["es"] };

export default defineConfig(({ mode }) => ({
  plugins: mode === "one-piece" ? [asciiOnly] : [],
  // What `require` loads has a file name, and no address.
  define: mode === "matchers" ? { "import.meta.url": "__filename" } : {},
  build: {
    target: "node20",
    minify: false,
    emptyOutDir: !(mode in LIBRARIES),
    lib: LIBRARIES[mode] ?? MODULES,
    rolldownOptions: {
      external: /^(?!\.|\/)/,
      // A package of which nothing is used in the end is not loaded either: jest-diff alone takes 45 ms.
      treeshake: { moduleSideEffects: "no-external" },
      output: {
        // Elsewhere one output file per source file: what a user steps into in a debugger is what we wrote.
        ...(mode in LIBRARIES ? {} : { preserveModules: true, preserveModulesRoot: "src" }),
        ...(mode === "one-piece" ? { comments: false, codeSplitting: { groups: [beside] } } : {}),
        entryFileNames: ({ name }) => `${name}.${mode === "matchers" ? "cjs" : "js"}`,
        chunkFileNames: "[name].js",
      },
    },
  },
  test: {
    // Documents and the demo import the package by its name; here it is the source.
    alias: [
      { find: /^vitest-tool-loop$/, replacement: resolve("src/index.ts") },
      { find: /^vitest-tool-loop\/(.*)$/, replacement: resolve("src/$1.ts") },
      { find: "./matchers/load.js", replacement: resolve("test/support/load-matchers.ts") },
    ],
    setupFiles: ["./src/setup.ts"],
    include: ["test/**/*.test.ts"],
    exclude: ["test/child/**"],
    // Child-process tests start Vitest again; two cores serve two workers.
    maxWorkers: 2,
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
}));
