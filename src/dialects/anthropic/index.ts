import type { DialectDefinition } from "../dialect.js";
import { detect } from "./detect.js";
import { messages } from "./endpoint.js";
import { writeError } from "./error.js";
import { read } from "./read.js";
import { rules } from "./rules.js";
import { continuesTurn } from "./shapes.js";
import { write, writeResults, writeTurn } from "./write.js";

/** Anthropic's Messages API. */
export const anthropic: DialectDefinition = {
  name: "anthropic",
  title: "the Anthropic Messages API",
  detect,
  read,
  write,
  writeTurn,
  writeResults,
  rules,
  profiles: [],
  hasErrorFlag: true,
  // The types allow system messages in the list; nothing says that one between a call and its result parts them.
  pairing: {
    mayStandBetween: (message) => message.role === "system",
    // Neighbouring assistant messages are combined into a single turn. With words behind a call the combined turn is
    // reported as refused (https://github.com/vercel/ai/issues/13013, https://github.com/openclaw/openclaw/pull/27890),
    // so only a message that goes on with calls goes on with the turn.
    continues: continuesTurn,
  },
  endpoints: [messages],
  writeError,
};
