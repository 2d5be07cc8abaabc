import { expect, test } from "vitest";
import { formatConversation, readConversation } from "../../src/conversation.js";
import { formatMessages } from "../../src/report/index.js";
import { formatTranscript } from "../../src/report/text.js";

const call = (id: string, args: string) => ({ id, type: "function", function: { name: "tide", arguments: args } });

const MESSAGES = [
  { role: "system", content: "You know the sea." },
  { role: "user", content: 'Is it "high"?\nNow?' },
  {
    role: "assistant",
    content: "Looking.",
    tool_calls: [call("call_1", '{"port":"Delfzijl"}'), call("", '{\n  "port": 1\n}')],
  },
  { role: "tool", tool_call_id: "call_1", content: '{"cm":120}' },
  { role: "tool", content: "?" },
  { role: "assistant", content: "" },
];

test("a conversation is numbered, one line for a message and one more for each further part", () => {
  expect(formatConversation(MESSAGES)).toMatchInlineSnapshot(`
    "    messages[0]  system     "You know the sea."
        messages[1]  user       "Is it \\"high\\"?\\nNow?"
        messages[2]  assistant  "Looking."
                                tide({"port":"Delfzijl"})  call_1
                                tide({ "port": 1 })  (no id)
        messages[3]  tool       answers call_1  "{\\"cm\\":120}"
        messages[4]  tool       answers (no id)  "?"
        messages[5]  assistant  """
  `);
});

test("a mark points at a message, or at the part it names", () => {
  const { transcript } = readConversation(MESSAGES);
  expect(formatTranscript(transcript, { mark: ["messages[2].tool_calls[1]", "messages[4]"] })).toMatchInlineSnapshot(`
    "    messages[0]  system     "You know the sea."
        messages[1]  user       "Is it \\"high\\"?\\nNow?"
        messages[2]  assistant  "Looking."
                                tide({"port":"Delfzijl"})  call_1
      >                         tide({ "port": 1 })  (no id)
        messages[3]  tool       answers call_1  "{\\"cm\\":120}"
      > messages[4]  tool       answers (no id)  "?"
        messages[5]  assistant  """
  `);
  const marked = (mark: string) =>
    formatTranscript(transcript, { mark: [mark] })
      .split("\n")
      .filter((line) => line.startsWith("  >"));
  expect(marked("messages[2]")).toHaveLength(1);
  expect(marked("messages[2].tool_calls")).toEqual(marked("messages[2]"));
  expect(marked("messages[1]")).not.toEqual(marked("messages[2]"));
  expect(marked("messages[9]")).toEqual([]);
});

test("every kind of part has a line of its own", () => {
  const everything = [
    {
      role: "user",
      content: [
        { type: "image", source: { type: "url", url: "https://sea.example/1.png" } },
        { type: "document", source: { type: "file", file_id: "f" } },
        { type: "hologram" },
      ],
    },
    {
      role: "assistant",
      content: [
        { type: "thinking", thinking: "The moon.", signature: "sig" },
        { type: "redacted_thinking", data: "xx" },
        { type: "server_tool_use", id: "srvtoolu_1", name: "web_search", input: { query: "tide" } },
        { type: "web_search_tool_result", tool_use_id: "srvtoolu_1", content: [{ url: "https://sea.example" }] },
        { type: "tool_use", id: "toolu_1", name: "tide", input: { port: "Delfzijl" } },
      ],
    },
    { role: "user", content: [{ type: "tool_result", tool_use_id: "toolu_1", content: "no gauge", is_error: true }] },
    {
      role: "user",
      content: [
        { type: "tool_result", tool_use_id: "" },
        { type: "text", text: "and?" },
      ],
    },
  ];
  expect(formatConversation(everything)).toMatchInlineSnapshot(`
    "    messages[0]  user       (image)
                                (document)
                                (hologram)
        messages[1]  assistant  thinks "The moon."
                                thinks (redacted)
                                web_search({"query":"tide"})  srvtoolu_1  run by the provider
                                answers srvtoolu_1  [{"url":"https://sea.example"}]  run by the provider
                                tide({"port":"Delfzijl"})  toolu_1
        messages[2]  user       answers toolu_1  error  "no gauge"
        messages[3]  user       answers ""  (no content)
                                "and?""
  `);
  const refusal = [
    { role: "user", content: [{ type: "input_audio", input_audio: {} }] },
    { role: "assistant", content: null, refusal: "No." },
  ];
  expect(formatConversation(refusal)).toMatchInlineSnapshot(`
    "    messages[0]  user       (audio)
        messages[1]  assistant  refuses "No.""
  `);
});

test("long values are cut, and say how long they were", () => {
  const long = [
    { role: "user", content: "high ".repeat(400) },
    {
      role: "assistant",
      content: null,
      tool_calls: [call("call_".repeat(20), JSON.stringify({ port: "x".repeat(300) }))],
    },
    { role: "a-role-that-goes-on-and-on\nand on", content: "hm" },
  ];
  expect(formatConversation(long, "openai-chat")).toMatchInlineSnapshot(`
    "    messages[0]  user                  "high high high high high high high high high high high high high high high high high high high high… (2,002 characters)
        messages[1]  assistant             tide({"port":"xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx… (311 characters))  call_call_call_call_call_call_call_call_call_call_call_call_… (100 characters)
        messages[2]  a-role-that-goes-on-  "hm""
  `);
});

const LONG = Array.from({ length: 40 }, (_, index) => ({
  role: index % 2 ? "assistant" : "user",
  content: `line ${index}`,
}));

test("a long conversation is shown at its start, its end and around the marks", () => {
  const { transcript } = readConversation(LONG);
  expect(formatTranscript(transcript)).toMatchInlineSnapshot(`
    "    messages[0]   user       "line 0"
        … 35 messages …
        messages[36]  user       "line 36"
        messages[37]  assistant  "line 37"
        messages[38]  user       "line 38"
        messages[39]  assistant  "line 39""
  `);
  expect(formatTranscript(transcript, { mark: ["messages[20]"] })).toMatchInlineSnapshot(`
    "    messages[0]   user       "line 0"
        … 16 messages …
        messages[17]  assistant  "line 17"
        messages[18]  user       "line 18"
        messages[19]  assistant  "line 19"
      > messages[20]  user       "line 20"
        messages[21]  assistant  "line 21"
        messages[22]  user       "line 22"
        messages[23]  assistant  "line 23"
        … 12 messages …
        messages[36]  user       "line 36"
        messages[37]  assistant  "line 37"
        messages[38]  user       "line 38"
        messages[39]  assistant  "line 39""
  `);
  expect(formatTranscript(readConversation(LONG.slice(0, 14)).transcript)).not.toContain("…");
});

test("no messages are said to be none", () => {
  expect(formatConversation([])).toBe("    (no messages)");
});

test("an error message can print what is no conversation", () => {
  expect(formatMessages("Is it high?")).toMatchInlineSnapshot(`"    "Is it high?""`);
  expect(
    formatMessages([null, ...Array.from({ length: 7 }, (_, index) => ({ type: "odd", index }))]),
  ).toMatchInlineSnapshot(`
    "    messages[2]  {"type":"odd","index":1}
        messages[3]  {"type":"odd","index":2}
        messages[4]  {"type":"odd","index":3}
        messages[5]  {"type":"odd","index":4}
        messages[6]  {"type":"odd","index":5}
        messages[7]  {"type":"odd","index":6}"
  `);
  expect(formatMessages(MESSAGES)).toBe(formatConversation(MESSAGES));
});
