import type { LoopDialect, Message } from "./loops.js";

/** What a loop is free to choose. The defaults of {@link promisesOf} are the reference loop's choices. */
export interface Promises {
  readonly cap: "returns" | "throws";
  /** What the loop says when it gives up at the cap. */
  readonly giveUp: RegExp;
  /** `content` of a turn that only calls. */
  readonly wordless: null | undefined;
  /** Whether a text turn is appended as a string, or as a block. */
  readonly closing: "string" | "block";
  /** What a tool that returns nothing is reported as. */
  readonly nothing: unknown;
}

export function promisesOf(dialect: LoopDialect): Promises {
  const chat = dialect === "openai-chat";
  return {
    cap: "returns",
    giveUp: /^Stopped after \d+ turns\.$/,
    wordless: null,
    closing: chat ? "string" : "block",
    nothing: chat ? null : "(no result)",
  };
}

export interface Call {
  readonly id: string;
  readonly name: string;
  /** JSON text. */
  readonly args: string;
}

/** The messages of a dialect, written out as a developer would in a test. */
export interface Shapes {
  asked(words: string | undefined, ...calls: Call[]): Message;
  answered(...results: [id: string, content: string][]): Message[];
  said(text: string): Message;
}

export function shapesOf(dialect: LoopDialect, promises: Promises): Shapes {
  return dialect === "openai-chat" ? chatShapes(promises) : anthropicShapes(promises);
}

function chatShapes({ wordless }: Promises): Shapes {
  return {
    asked: (words, ...calls) => ({
      role: "assistant",
      content: words ?? wordless,
      tool_calls: calls.map(({ id, name, args }) => ({ id, type: "function", function: { name, arguments: args } })),
    }),
    answered: (...results) => results.map(([id, content]) => ({ role: "tool", tool_call_id: id, content })),
    said: (text) => ({ role: "assistant", content: text }),
  };
}

function anthropicShapes({ closing }: Promises): Shapes {
  return {
    asked: (words, ...calls) => ({
      role: "assistant",
      content: [
        ...(words === undefined ? [] : [{ type: "text", text: words }]),
        ...calls.map(({ id, name, args }) => ({ type: "tool_use", id, name, input: JSON.parse(args) })),
      ],
    }),
    answered: (...results) => [
      {
        role: "user",
        content: results.map(([id, content]) => ({ type: "tool_result", tool_use_id: id, content })),
      },
    ],
    said: (text) => ({ role: "assistant", content: closing === "string" ? text : [{ type: "text", text }] }),
  };
}
