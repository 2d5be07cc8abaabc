/*
 * Judging and pairing long conversations, against JSON.stringify of the same array in the same process: the least that
 * anything which looks at every message can cost.
 *
 * Each run goes over the same 100,000 messages, cut into 100 conversations of 1,000, 10 of 10,000, or one. So the short
 * ones meet caches as cold as the long one does: a thousand messages read over and over would flatter them tenfold.
 *
 * The tasks take turns, JSON.stringify among them, and the least of a task's runs counts: what else the machine does can
 * only add to a run, and adds to long runs most. The median, which has all of that in it, is printed beside it.
 */

import { rmSync } from "node:fs";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { build } from "vite";

const { matchers, openConversation, checkConversation } = await load();

/** What the matcher asks of Vitest when it passes. */
const state = { utils: { matcherHint: String } };

const ALL = 100_000;
const SIZES = [1_000, 10_000, 100_000];
const MOST = { ratio: 3, exponent: 1.1 };

const chat = (index) => [
  { role: "user", content: `What is the weather in city ${index}?` },
  {
    role: "assistant",
    content: null,
    tool_calls: [
      {
        id: `call_${index}`,
        type: "function",
        function: { name: "get_weather", arguments: `{"city":"city ${index}"}` },
      },
    ],
  },
  { role: "tool", tool_call_id: `call_${index}`, content: `{"tempC":${index % 40}}` },
  { role: "assistant", content: `It is ${index % 40} degrees in city ${index}.` },
];

const blocks = (index) => [
  { role: "user", content: `What is the weather in city ${index}?` },
  {
    role: "assistant",
    content: [{ type: "tool_use", id: `toolu_${index}`, name: "get_weather", input: { city: `city ${index}` } }],
  },
  {
    role: "user",
    content: [{ type: "tool_result", tool_use_id: `toolu_${index}`, content: `{"tempC":${index % 40}}` }],
  },
  { role: "assistant", content: [{ type: "text", text: `It is ${index % 40} degrees in city ${index}.` }] },
];

const work = {
  "JSON.stringify": (messages) => JSON.stringify(messages),
  pairing: (messages) => openConversation(messages, "the bench"),
  toMatchToolCallIds: (messages) => matchers.toMatchToolCallIds.call(state, messages),
  checkConversation: (messages) => checkConversation(messages),
};
const RUNS = 15;

/**
 * What is measured, in one piece like the setup file that ships it: that one can be loaded inside Vitest only, and a module
 * runner would make each call from one module to another slower than it is for users.
 */
async function load() {
  const outDir = resolve(import.meta.dirname, "../dist/bench");
  await build({
    configFile: false,
    logLevel: "error",
    build: {
      outDir,
      target: "node20",
      minify: false,
      lib: { entry: resolve(import.meta.dirname, "subject.ts"), formats: ["es"], fileName: "subject" },
      rolldownOptions: { external: /^(?!\.|\/)/ },
    },
  });
  try {
    return await import(pathToFileURL(resolve(outDir, "subject.js")).href);
  } finally {
    rmSync(outDir, { recursive: true });
  }
}

/** Milliseconds for one conversation: the least and the median of alternating runs. */
function measure(round, size) {
  const all = Array.from({ length: ALL / 4 }, (_, index) => round(index)).flat();
  const conversations = Array.from({ length: ALL / size }, (_, index) => all.slice(index * size, (index + 1) * size));
  const times = Object.fromEntries(Object.keys(work).map((name) => [name, []]));
  for (let run = 0; run < RUNS; run++) {
    for (const [name, task] of Object.entries(work)) {
      globalThis.gc?.();
      const start = performance.now();
      for (const conversation of conversations) task(conversation);
      times[name].push((performance.now() - start) / conversations.length);
    }
  }
  return Object.fromEntries(
    Object.entries(times).map(([name, list]) => {
      list.sort((one, other) => one - other);
      return [name, { least: list[0], median: list[list.length >> 1] }];
    }),
  );
}

let failed = false;
for (const [dialect, round] of Object.entries({ "openai-chat": chat, anthropic: blocks })) {
  const measured = SIZES.map((size) => measure(round, size));
  for (const name of Object.keys(work)) {
    const [least, median] = ["least", "median"].map((which) => {
      const [first, last] = [measured[0][name][which], measured.at(-1)[name][which]];
      const growth = Math.log10(last / first) / Math.log10(SIZES.at(-1) / SIZES[0]);
      return { ratio: last / measured.at(-1)["JSON.stringify"][which], growth };
    });
    const cells = measured.map((times, index) => `${SIZES[index]}: ${times[name].least.toFixed(2)} ms`);
    // Pairing is a part of the other two, and the yardstick is not judged by itself.
    const judged = name === "toMatchToolCallIds" || name === "checkConversation";
    const holds = !judged || (least.ratio <= MOST.ratio && least.growth <= MOST.exponent);
    failed ||= !holds;
    console.log(
      `${holds ? "ok  " : "SLOW"}  ${dialect.padEnd(11)}  ${name.padEnd(18)}  ${cells.join("  ")}  ` +
        `= ${least.ratio.toFixed(2)} x JSON.stringify, exponent ${least.growth.toFixed(2)}  ` +
        `(medians: ${median.ratio.toFixed(2)} x, ${median.growth.toFixed(2)})`,
    );
  }
}
if (failed) {
  console.log(`Too slow: at most ${MOST.ratio} x JSON.stringify and an exponent of at most ${MOST.exponent}.`);
  process.exitCode = 1;
}
