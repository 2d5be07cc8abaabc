import type { Endpoint, WireRequest } from "../dialects/dialect.js";

/** The conversations a provider holds between requests, so that a request need carry only what is new. */
export class HeldConversations {
  readonly #byId = new Map<string, WireRequest>();

  /** The whole request; undefined when it continues a conversation that was never held. */
  complete(request: WireRequest, endpoint: Endpoint): WireRequest | undefined {
    if (request.continues === undefined) return request;
    const held = this.#byId.get(request.continues);
    return held && endpoint.join?.(held, request);
  }

  /** Holds a conversation under the id of the response, where its request asks for that. */
  keep(responseId: string, request: WireRequest, answer: readonly unknown[]): void {
    if (request.held) this.#byId.set(responseId, { ...request, messages: [...request.messages, ...answer] });
  }
}
