import { expect, test } from "vitest";
import {
  checkConversation,
  type DialectDefinition,
  formatConversation,
  readConversation,
  registerDialect,
  type Transcript,
  WireCall,
} from "../../src/conversation.js";
import { pair } from "../../src/transcript/pairing.js";

interface Line {
  from: "human" | "robot" | "gripper";
  says?: string;
  wants?: { tool: string; with: unknown; ticket: string };
  ticket?: string;
}

const roles = { human: "user", robot: "assistant", gripper: "tool" };

/** A framework of somebody's own, with the members that every dialect must have and no others. */
const gripper: DialectDefinition<readonly Line[]> = {
  name: "gripper",
  detect: (value) => (Array.isArray(value) && value.length > 0 && value.every((line) => "from" in line) ? "yes" : "no"),
  read: (lines, at = "messages"): Transcript => ({
    dialect: "gripper",
    messages: lines.map((line, index) => {
      const place = `${at}[${index}]`;
      const { says = "", wants, ticket } = line;
      const role = roles[line.from];
      if (wants) {
        const call = new WireCall(`${place}.wants`, "", wants, wants.ticket, wants.tool, wants.with, "value");
        return { role, at: place, wire: line, parts: [call] };
      }
      if (line.from !== "gripper") {
        return { role, at: place, wire: line, parts: [{ kind: "text", at: `${place}.says`, text: says, wire: says }] };
      }
      const result = { kind: "result", role, at: place, wire: line, callId: ticket, content: says, raw: says } as const;
      return { role, at: place, wire: line, parts: [result] };
    }),
  }),
  write: ({ messages }) => ({ messages: messages.map(({ wire }) => wire), lost: [] }),
  writeTurn: (turn) =>
    turn.kind === "text"
      ? { from: "robot", says: turn.content }
      : turn.calls.map(({ id, name, arguments: args }) => ({
          from: "robot",
          wants: { tool: name, with: JSON.parse(args), ticket: id },
        })),
  writeResults: (results) =>
    results.map(({ callId, value }) => ({ from: "gripper", ticket: callId, says: `${value}` })),
  rules: [
    {
      id: "gripper/open-ticket",
      severity: "error",
      source: "the gripper's manual",
      check({ pairing }, found) {
        for (const { calls } of pairing.turns) {
          for (const { call, answer } of calls) {
            if (!answer) found({ at: call.at, message: `Ticket ${call.id} is open.`, fix: "Answer it." });
          }
        }
      },
    },
  ],
};

const lines: Line[] = [
  { from: "human", says: "Pick the red one." },
  { from: "robot", wants: { tool: "pick", with: { colour: "red" }, ticket: "t1" } },
  { from: "gripper", ticket: "t1", says: "picked" },
];

test("a dialect with the required members alone is detected, read, judged and printed", () => {
  registerDialect(gripper as DialectDefinition);
  const { dialect, transcript } = readConversation(lines);
  expect(dialect).toBe("gripper");
  expect(pair(transcript).turns[0]?.calls[0]).toMatchObject({
    call: { name: "pick", parsed: { ok: true, value: { colour: "red" } } },
    answer: { at: "messages[2]" },
  });
  expect(checkConversation(lines)).toEqual([]);
  expect(checkConversation(lines.slice(0, 2)).map(({ rule, at }) => `${rule} at ${at}`)).toEqual([
    "gripper/open-ticket at messages[1].wants",
  ]);
  expect(formatConversation({ messages: lines }, "gripper")).toMatchInlineSnapshot(`
    "    messages[0]  user       "Pick the red one."
        messages[1]  assistant  pick({"colour":"red"})  t1
        messages[2]  tool       answers t1  "picked""
  `);
});

test("the dialects of the package are still told apart", () => {
  registerDialect(gripper as DialectDefinition);
  expect(readConversation([{ role: "user", content: "hi" }]).dialect).toBe("openai-chat");
});

test("a definition that lacks a part is refused, with what it lacks", () => {
  const refusal = (definition: unknown) => {
    try {
      registerDialect(definition as DialectDefinition);
    } catch (error) {
      return (error as Error).message;
    }
    throw new Error("It was accepted.");
  };
  const { write: _, rules: __, ...incomplete } = gripper;
  expect(
    [incomplete, { ...gripper, name: 7 }, { ...gripper, name: "anthropic" }, undefined, "gripper"].map(refusal),
  ).toMatchInlineSnapshot(`
    [
      "[vitest-tool-loop] registerDialect() cannot use the definition: it lacks write(), rules. See the DialectDefinition type.",
      "[vitest-tool-loop] registerDialect() cannot use the definition: it lacks name. See the DialectDefinition type.",
      "[vitest-tool-loop] registerDialect(): "anthropic" is a dialect of this package. Choose another name.",
      "[vitest-tool-loop] registerDialect() cannot use the definition: it lacks name, detect(), read(), write(), writeTurn(), writeResults(), rules. See the DialectDefinition type.",
      "[vitest-tool-loop] registerDialect() cannot use the definition: it lacks name, detect(), read(), write(), writeTurn(), writeResults(), rules. See the DialectDefinition type.",
    ]
  `);
});
