import { createSocket } from "node:dgram";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";

/** A place on loopback that stands for the outside: what arrives there got out. */
export interface Outside {
  readonly port: number;
  /** What arrived, in order: `connection`, `GET /x`, `datagram`. */
  readonly arrivals: string[];
  close(): Promise<void>;
}

/** Listens for TCP and UDP on one free port of 127.0.0.1, and answers HTTP requests with `{}`. */
export async function startOutside(): Promise<Outside> {
  const arrivals: string[] = [];
  const server = createServer((request, response) => {
    arrivals.push(`${request.method} ${request.url}`);
    response.writeHead(200, { "content-type": "application/json" }).end("{}");
  });
  server.on("connection", () => arrivals.push("connection"));
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  const { port } = server.address() as AddressInfo;
  const datagrams = createSocket("udp4").on("message", () => arrivals.push("datagram"));
  await new Promise<void>((done) => datagrams.bind(port, "127.0.0.1", done));
  return { port, arrivals, close: () => close(server, () => datagrams.close()) };
}

function close(server: Server, before: () => void): Promise<void> {
  before();
  server.closeAllConnections();
  return new Promise((done) => server.close(() => done()));
}
