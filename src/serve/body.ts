/** The body of an answer that began well, in the pieces it is sent in. */
export interface Body {
  readonly type: "application/json" | "text/event-stream";
  readonly chunks: readonly string[];
  /** That of the request: an abort ends the body with its reason. */
  readonly signal: AbortSignal;
}

/** A body that is sent whole is two halves: a connection that breaks breaks between them. */
export function jsonBody(value: unknown, signal: AbortSignal): Body {
  const text = JSON.stringify(value);
  const middle = Math.ceil(text.length / 2);
  return { type: "application/json", chunks: [text.slice(0, middle), text.slice(middle)], signal };
}

export function streamBody(chunks: readonly string[], signal: AbortSignal): Body {
  return { type: "text/event-stream", chunks, signal };
}

export function send(body: Body): Response {
  return respond(body, (controller) => controller.close());
}

/** The connection breaks after so many chunks. */
export function sendBroken(body: Body, afterChunks: number): Response {
  const sent = body.chunks.slice(0, Math.min(afterChunks, body.chunks.length - 1));
  return respond({ ...body, chunks: sent }, (controller) =>
    controller.error(new TypeError("terminated: the connection broke, as scripted")),
  );
}

/** The body ends as if it were whole, but something in it is no JSON: a chunk in its middle, or all of it. */
export function sendGarbled(body: Body): Response {
  const { type, chunks } = body;
  if (type === "application/json") return send({ ...body, chunks: chunks.slice(0, 1) });
  const middle = Math.floor(chunks.length / 2);
  const garbled = chunks.map((chunk, index) =>
    index === middle ? `${chunk.slice(0, Math.ceil(chunk.length / 2))}\n\n` : chunk,
  );
  return send({ ...body, chunks: garbled });
}

function respond(
  { type, chunks, signal }: Body,
  end: (controller: ReadableStreamDefaultController<Uint8Array>) => void,
): Response {
  const encoder = new TextEncoder();
  let next = 0;
  // One chunk for each pull: what is sent in pieces arrives in these pieces.
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      const chunk = chunks[next++];
      if (signal.aborted) controller.error(signal.reason);
      else if (chunk === undefined) end(controller);
      else controller.enqueue(encoder.encode(chunk));
    },
  });
  return new Response(body, { headers: { "content-type": type } });
}
