import { modelFetch, type ScriptedModel, type ServeOptions } from "../../src/index.js";

export const PATHS = { "openai-chat": "/v1/chat/completions", anthropic: "/v1/messages" } as const;

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: the body of a provider, looked into by tests.
  readonly body: any;
}

/** Gives a function that posts bodies to one door, as a client would, and reads the answers. */
export function poster(model: ScriptedModel, path: string, options?: ServeOptions) {
  const fetch = modelFetch(model, options);
  return async (body: unknown, init: RequestInit = {}): Promise<Answer> => {
    const response = await fetch(`https://api.example.com${path}`, {
      method: "POST",
      body: typeof body === "string" ? body : JSON.stringify(body),
      ...init,
    });
    return { status: response.status, headers: response.headers, body: await response.json() };
  };
}
