import type { DialectDefinition } from "../dialect.js";
import { detect } from "./detect.js";
import { chatCompletions } from "./endpoint.js";
import { writeError } from "./error.js";
import { read } from "./read.js";
import { rules } from "./rules.js";
import { write, writeResults, writeTurn } from "./write.js";

/** OpenAI Chat Completions, and the many providers that speak it. */
export const openaiChat: DialectDefinition = {
  name: "openai-chat",
  title: "OpenAI Chat Completions",
  detect,
  read,
  write,
  writeTurn,
  writeResults,
  rules,
  profiles: ["deepseek-thinking"],
  endpoints: [chatCompletions],
  writeError,
};
