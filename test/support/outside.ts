import { createSocket } from "node:dgram";
import { createServer, type RequestListener } from "node:http";
import { createSecureServer } from "node:http2";
import type { AddressInfo, Server } from "node:net";
import type { Duplex } from "node:stream";
import { certificate } from "./certificate.js";

/** A place on loopback that stands for the outside: what arrives there got out. */
export interface Outside {
  readonly port: number;
  /** The same place by TLS, HTTP/1 or 2, with a certificate that nobody trusts. */
  readonly securePort: number;
  /** What arrived, in order: `connection`, `GET /x`, `CONNECT host:1`, `datagram`. */
  readonly arrivals: string[];
  close(): Promise<void>;
}

/**
 * Listens for TCP and UDP on one free port of 127.0.0.1, and answers HTTP requests with `{}`: at once, or under
 * `/after-300` in 300 milliseconds. As a proxy it leads to itself, by TLS for the port of that.
 */
export async function startOutside(): Promise<Outside> {
  const arrivals: string[] = [];
  const answer: RequestListener = (request, response) => {
    arrivals.push(`${request.method} ${request.url}`);
    const [, wait] = /\/after-(\d+)/.exec(request.url!) ?? [];
    const end = () => response.writeHead(200, { "content-type": "application/json" }).end("{}");
    request.resume().on("end", () => (wait === undefined ? end() : setTimeout(end, Number(wait))));
  };
  const server = createServer(answer);
  const secure = createSecureServer({ ...certificate, allowHTTP1: true }, answer as never);
  const sockets: Duplex[] = [];
  server.on("connection", () => arrivals.push("connection"));
  for (const each of [server, secure]) each.on("connection", (socket) => sockets.push(socket.on("error", () => {})));
  server.on("upgrade", ({ method, url }, socket) => {
    arrivals.push(`${method} ${url}`);
    socket.write("HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: websocket\r\n\r\n");
  });
  server.on("connect", ({ url }, socket) => {
    arrivals.push(`CONNECT ${url}`);
    socket.write("HTTP/1.1 200 Connection established\r\n\r\n");
    (url!.endsWith(`:${securePort}`) ? secure : server).emit("connection", socket);
  });
  const [port, securePort] = await Promise.all([server, secure].map(listen));
  const datagrams = createSocket("udp4").on("message", () => arrivals.push("datagram"));
  await new Promise<void>((done) => datagrams.bind(port, "127.0.0.1", done));
  return {
    port: port!,
    securePort: securePort!,
    arrivals,
    async close() {
      datagrams.close();
      for (const socket of sockets) socket.destroy();
      await Promise.all([server, secure].map(close));
    },
  };
}

async function listen(server: Server): Promise<number> {
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  return (server.address() as AddressInfo).port;
}

function close(server: Server): Promise<void> {
  return new Promise((done) => server.close(() => done()));
}
