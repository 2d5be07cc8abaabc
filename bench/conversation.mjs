/*
 * Judging and pairing long conversations, against JSON.stringify of the same array in the same process: the least that
 * anything which looks at every message can cost. Run `npm run build` first.
 */

import { openConversation } from "../dist/conversation/conversation.js";
import { checkConversation } from "../dist/conversation.js";

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
  checkConversation: (messages) => checkConversation(messages),
};

/** Milliseconds, the median of alternating runs: what slows the machine down slows them all down. */
function measure(messages) {
  const runs = Math.max(15, Math.round(200_000 / messages.length));
  const times = Object.fromEntries(Object.keys(work).map((name) => [name, []]));
  for (let run = 0; run < runs; run++) {
    for (const [name, task] of Object.entries(work)) {
      globalThis.gc?.();
      const start = performance.now();
      task(messages);
      times[name].push(performance.now() - start);
    }
  }
  return Object.fromEntries(Object.entries(times).map(([name, list]) => [name, median(list)]));
}

function median(list) {
  return list.sort((one, other) => one - other)[list.length >> 1];
}

let failed = false;
for (const [dialect, round] of Object.entries({ "openai-chat": chat, anthropic: blocks })) {
  const measured = SIZES.map((size) => measure(Array.from({ length: size / 4 }, (_, index) => round(index)).flat()));
  for (const name of ["pairing", "checkConversation"]) {
    const growth = Math.log10(measured.at(-1)[name] / measured[0][name]) / Math.log10(SIZES.at(-1) / SIZES[0]);
    const ratio = measured.at(-1)[name] / measured.at(-1)["JSON.stringify"];
    const cells = measured.map((times, index) => `${SIZES[index]}: ${times[name].toFixed(2)} ms`);
    const holds = ratio <= MOST.ratio && growth <= MOST.exponent;
    failed ||= !holds;
    console.log(
      `${holds ? "ok  " : "SLOW"}  ${dialect.padEnd(11)}  ${name.padEnd(17)}  ${cells.join("  ")}  ` +
        `= ${ratio.toFixed(2)} x JSON.stringify, exponent ${growth.toFixed(2)}`,
    );
  }
}
if (failed) {
  console.log(`Too slow: at most ${MOST.ratio} x JSON.stringify and an exponent of at most ${MOST.exponent}.`);
  process.exitCode = 1;
}
