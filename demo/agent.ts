// The same job with the real SDK: its own loop, unmodified.
import type OpenAI from "openai";
import type { RunnableToolFunctionWithParse } from "openai/lib/RunnableFunction";

/** Answers a prompt with the help of the weather tool. */
export async function runAgent(client: OpenAI, prompt: string): Promise<string | null> {
  const runner = client.chat.completions.runTools({
    model: "gpt-5",
    messages: [{ role: "user", content: prompt }],
    tools: [weatherTool],
  });
  return runner.finalContent();
}

const weatherTool: RunnableToolFunctionWithParse<{ city: string }> = {
  type: "function",
  function: {
    name: "get_weather",
    description: "The temperature in a city.",
    parameters: { type: "object", properties: { city: { type: "string" } }, required: ["city"] },
    parse: JSON.parse,
    function: async () => ({ tempC: 14 }),
  },
};

/** A conversation that goes on: what was said before is sent along. */
export class Chat {
  readonly #client: OpenAI;
  #history: OpenAI.ChatCompletionMessageParam[] = [];

  constructor(client: OpenAI) {
    this.#client = client;
  }

  async ask(prompt: string): Promise<string | null> {
    const runner = this.#client.chat.completions.runTools({
      model: "gpt-5",
      messages: [...this.remembered(this.#history), { role: "user", content: prompt }],
      tools: [weatherTool],
    });
    const answer = await runner.finalContent();
    this.#history = runner.messages;
    return answer;
  }

  /** What of the past is sent again: all of it. */
  protected remembered(history: OpenAI.ChatCompletionMessageParam[]): OpenAI.ChatCompletionMessageParam[] {
    return history;
  }
}
