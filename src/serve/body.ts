/** The body of an answer that began well, in the pieces it is sent in. */
export interface Body {
  readonly type: "application/json" | "text/event-stream";
  readonly chunks: readonly string[];
}

/** A body that is sent whole is two halves: a connection that breaks breaks between them. */
export function jsonBody(value: unknown): Body {
  const text = JSON.stringify(value);
  const middle = Math.ceil(text.length / 2);
  return { type: "application/json", chunks: [text.slice(0, middle), text.slice(middle)] };
}

export function streamBody(chunks: readonly string[]): Body {
  return { type: "text/event-stream", chunks };
}

export function send({ type, chunks }: Body): Response {
  return respond(type, chunks, (controller) => controller.close());
}

/** The connection breaks after so many chunks. */
export function sendBroken({ type, chunks }: Body, afterChunks: number): Response {
  const sent = chunks.slice(0, Math.min(afterChunks, chunks.length - 1));
  return respond(type, sent, (controller) =>
    controller.error(new TypeError("terminated: the connection broke, as scripted")),
  );
}

/** The body ends as if it were whole, but something in it is no JSON: a chunk in its middle, or all of it. */
export function sendGarbled({ type, chunks }: Body): Response {
  if (type === "application/json") return send({ type, chunks: chunks.slice(0, 1) });
  const middle = Math.floor(chunks.length / 2);
  const garbled = chunks.map((chunk, index) =>
    index === middle ? `${chunk.slice(0, Math.ceil(chunk.length / 2))}\n\n` : chunk,
  );
  return send({ type, chunks: garbled });
}

function respond(
  type: Body["type"],
  chunks: readonly string[],
  end: (controller: ReadableStreamDefaultController<Uint8Array>) => void,
): Response {
  const encoder = new TextEncoder();
  let next = 0;
  // One chunk for each pull: what is sent in pieces arrives in these pieces.
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      const chunk = chunks[next++];
      if (chunk === undefined) end(controller);
      else controller.enqueue(encoder.encode(chunk));
    },
  });
  return new Response(body, { headers: { "content-type": type } });
}
