/*
 * Judging and pairing long conversations, against JSON.stringify of the same array in the same process: the least that
 * anything which looks at every message can cost. Run `npm run build` first.
 *
 * Each run goes over the same 100,000 messages, cut into 100 conversations of 1,000, 10 of 10,000, or one. So the short
 * ones meet caches as cold as the long one does: a thousand messages read over and over would flatter them tenfold.
 */

import { resolve } from "node:path";
import { runnerImport } from "vite";
import { openConversation } from "../dist/conversation/conversation.js";
import { checkConversation } from "../dist/conversation.js";

// The package ships its matchers inside the setup file; the bench takes them from the source.
const { matchers } = (await runnerImport(resolve(import.meta.dirname, "../src/matchers/index.ts"))).module;

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

/** Milliseconds for one conversation, the median of alternating runs: what slows the machine down slows them all down. */
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
  return Object.fromEntries(Object.entries(times).map(([name, list]) => [name, median(list)]));
}

function median(list) {
  return list.sort((one, other) => one - other)[list.length >> 1];
}

let failed = false;
for (const [dialect, round] of Object.entries({ "openai-chat": chat, anthropic: blocks })) {
  const measured = SIZES.map((size) => measure(round, size));
  for (const name of Object.keys(work)) {
    const growth = Math.log10(measured.at(-1)[name] / measured[0][name]) / Math.log10(SIZES.at(-1) / SIZES[0]);
    const ratio = measured.at(-1)[name] / measured.at(-1)["JSON.stringify"];
    const cells = measured.map((times, index) => `${SIZES[index]}: ${times[name].toFixed(2)} ms`);
    const holds = ratio <= MOST.ratio && growth <= MOST.exponent;
    failed ||= !holds;
    console.log(
      `${holds ? "ok  " : "SLOW"}  ${dialect.padEnd(11)}  ${name.padEnd(18)}  ${cells.join("  ")}  ` +
        `= ${ratio.toFixed(2)} x JSON.stringify, exponent ${growth.toFixed(2)}`,
    );
  }
}
if (failed) {
  console.log(`Too slow: at most ${MOST.ratio} x JSON.stringify and an exponent of at most ${MOST.exponent}.`);
  process.exitCode = 1;
}
