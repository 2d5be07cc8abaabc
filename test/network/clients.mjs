// Every way out that a test may take. Each client tries to reach 127.0.0.1 at the given port, once, and settles soon
// whatever becomes of it. Those of `builtIn` come with Node; `packages` must be installed.
import dgram from "node:dgram";
import dns from "node:dns";
import http, { request as namedRequest } from "node:http";
import http2 from "node:http2";
import https from "node:https";
import net from "node:net";
import tls from "node:tls";

const soon = () => AbortSignal.timeout(1500);

const overHttp = (request, options) =>
  new Promise((done, fail) => {
    const sent = request({ host: "127.0.0.1", path: "/x", ...options }, (response) =>
      response.resume().on("end", done),
    );
    sent.on("error", fail).setTimeout(1500, () => sent.destroy(new Error("timed out")));
    sent.end();
  });

const overSocket = (socket) =>
  new Promise((done, fail) => {
    socket.on("error", fail).on("close", done);
    socket.setTimeout(1500, () => socket.destroy());
    socket.write("hello\n");
  });

/** `words`: what the sentence calls it; `url` where the client speaks HTTP/1, else the endpoint. */
export const builtIn = {
  fetch: { words: "GET url", go: (port) => fetch(`http://127.0.0.1:${port}/x`, { signal: soon() }) },
  "fetch of a .json file": { words: "GET url", go: (port) => fetch(`http://127.0.0.1:${port}/data.json`) },
  "fetch POST": {
    words: "POST url",
    go: (port) => fetch(`http://127.0.0.1:${port}/x`, { method: "POST", body: "{}" }),
  },
  "fetch with accept: msw/passthrough": {
    words: "GET url",
    go: (port) => fetch(`http://127.0.0.1:${port}/x`, { headers: { accept: "msw/passthrough" } }),
  },
  "fetch to a name": { words: "GET url", host: "stray.invalid", go: () => fetch("http://stray.invalid/x") },
  "fetch to [::1]": { words: "GET url", go: (port) => fetch(`http://[::1]:${port}/x`) },
  "fetch to localhost": { words: "GET url", go: (port) => fetch(`http://localhost:${port}/x`) },
  "node:http": { words: "GET url", go: (port) => overHttp(http.request, { port }) },
  "node:http, named import": { words: "GET url", go: (port) => overHttp(namedRequest, { port }) },
  "node:http, keep-alive agent": {
    words: "GET url",
    go: (port) => overHttp(http.request, { port, agent: new http.Agent({ keepAlive: true }) }),
  },
  "node:http to localhost": { words: "GET url", go: (port) => overHttp(http.request, { port, host: "localhost" }) },
  "node:https": { words: "GET url", go: (port) => overHttp(https.request, { port, rejectUnauthorized: false }) },
  "node:http2": {
    words: "TCP",
    go: (port) =>
      new Promise((done, fail) => {
        const session = http2.connect(`http://127.0.0.1:${port}`).on("error", fail);
        const stream = session.request({ ":path": "/x" }).on("error", fail).on("response", done);
        stream.setTimeout(1500, () => session.destroy());
        stream.end();
      }),
  },
  "global WebSocket": {
    words: "GET url",
    missing: () => typeof WebSocket === "undefined",
    go: (port) =>
      new Promise((done, fail) => {
        const socket = new WebSocket(`ws://127.0.0.1:${port}/x`);
        socket.onopen = done;
        socket.onerror = () => fail(new Error("no connection"));
        // Under happy-dom, whose events are not Node's, it says nothing at all.
        setTimeout(() => fail(new Error("no answer")), 1500);
      }),
  },
  "XMLHttpRequest of the DOM environment": {
    words: "GET url",
    missing: () => typeof XMLHttpRequest === "undefined",
    go: (port) =>
      new Promise((done, fail) => {
        const request = new XMLHttpRequest();
        request.onload = done;
        request.onerror = () => fail(new Error("no answer"));
        request.open("GET", `http://127.0.0.1:${port}/x`);
        request.send();
      }),
  },
  "synchronous XMLHttpRequest": {
    words: "GET url",
    missing: () => typeof XMLHttpRequest === "undefined",
    go: async (port) => {
      const request = new XMLHttpRequest();
      request.open("GET", `http://127.0.0.1:${port}/x`, false);
      request.send();
    },
  },
  "net.connect": { words: "TCP", go: (port) => overSocket(net.connect(port, "127.0.0.1")) },
  "new net.Socket().connect": { words: "TCP", go: (port) => overSocket(new net.Socket().connect(port, "127.0.0.1")) },
  "tls.connect": {
    words: "TCP",
    go: (port) => overSocket(tls.connect({ port, host: "127.0.0.1", rejectUnauthorized: false })),
  },
  "UDP send": {
    words: "UDP",
    go: (port) =>
      new Promise((done, fail) => {
        const socket = dgram.createSocket("udp4").on("error", fail);
        socket.send("hi", port, "127.0.0.1", (error) => socket.close(() => (error ? fail(error) : done())));
      }),
  },
  "UDP connect": {
    words: "UDP",
    go: (port) =>
      new Promise((done, fail) => {
        const socket = dgram.createSocket("udp4").on("error", fail);
        socket.connect(port, "127.0.0.1", (error) => {
          if (error) return socket.close(() => fail(error));
          socket.send("hi", () => socket.close(done));
        });
      }),
  },
  "dns.lookup": { words: "DNS", go: () => dns.promises.lookup("stray.invalid") },
  "dns.lookupService": { words: "DNS address", go: () => dns.promises.lookupService("192.0.2.1", 80) },
  "dns.resolve": {
    words: "DNS",
    go: (port) => {
      const resolver = new dns.promises.Resolver({ timeout: 200, tries: 1 });
      resolver.setServers([`127.0.0.1:${port}`]);
      return resolver.resolve4("stray.invalid");
    },
  },
};

export const packages = {
  axios: { words: "GET url", go: async (port) => (await import("axios")).default.get(`http://127.0.0.1:${port}/x`) },
  got: {
    words: "GET url",
    go: async (port) => (await import("got")).default(`http://127.0.0.1:${port}/x`, { retry: { limit: 0 } }),
  },
  "node-fetch": {
    words: "GET url",
    go: async (port) => (await import("node-fetch")).default(`http://127.0.0.1:${port}/x`),
  },
  "undici request": {
    words: "GET url",
    go: async (port) => (await import("undici")).request(`http://127.0.0.1:${port}/x`),
  },
  "undici fetch": {
    words: "GET url",
    go: async (port) => (await import("undici")).fetch(`http://127.0.0.1:${port}/x`),
  },
  "undici stream": {
    words: "GET url",
    go: async (port) => {
      const { PassThrough } = await import("node:stream");
      const { stream } = await import("undici");
      await stream(`http://127.0.0.1:${port}/x`, { method: "GET" }, () => new PassThrough().resume());
    },
  },
  "undici Pool": {
    words: "GET url",
    go: async (port) => {
      const pool = new (await import("undici")).Pool(`http://127.0.0.1:${port}`);
      await pool.request({ path: "/x", method: "GET" }).finally(() => pool.destroy());
    },
  },
  "fetch with an undici Agent": {
    words: "GET url",
    // Node refuses the Agent of an undici much newer than its own, before anything is sent.
    missing: () => Number(process.versions.node.split(".")[0]) > 20,
    go: async (port) => fetch(`http://127.0.0.1:${port}/x`, { dispatcher: new (await import("undici")).Agent() }),
  },
  ws: {
    words: "GET url",
    go: async (port) => {
      const { WebSocket } = await import("ws");
      await new Promise((done, fail) => new WebSocket(`ws://127.0.0.1:${port}/x`).on("open", done).on("error", fail));
    },
  },
  eventsource: {
    words: "GET url",
    go: async (port) => {
      const { EventSource } = await import("eventsource");
      await new Promise((done) => {
        const source = new EventSource(`http://127.0.0.1:${port}/x`);
        source.onopen = source.onerror = () => done(source.close());
      });
    },
  },
  "@grpc/grpc-js": {
    words: "TCP",
    go: async (port) => {
      const { default: grpc } = await import("@grpc/grpc-js");
      const bytes = { requestStream: false, responseStream: false, requestSerialize: () => Buffer.from("x") };
      const method = {
        path: "/a/B",
        requestDeserialize: (x) => x,
        responseSerialize: (x) => x,
        responseDeserialize: (x) => x,
      };
      const Client = grpc.makeGenericClientConstructor({ Ping: { ...bytes, ...method } }, "a");
      const client = new Client(`127.0.0.1:${port}`, grpc.credentials.createInsecure());
      const call = (done, fail) =>
        client.Ping({}, { deadline: Date.now() + 1000 }, (error) => (error ? fail(error) : done()));
      await new Promise(call).finally(() => client.close());
    },
  },
  pg: {
    words: "TCP",
    go: async (port) => {
      const { default: pg } = await import("pg");
      const client = new pg.Client({
        host: "127.0.0.1",
        port,
        user: "u",
        password: "p",
        connectionTimeoutMillis: 1000,
      });
      await client.on("error", () => {}).connect();
    },
  },
  redis: {
    words: "TCP",
    go: async (port) => {
      const { createClient } = await import("redis");
      const socket = { host: "127.0.0.1", port, reconnectStrategy: false, connectTimeout: 1000 };
      await createClient({ socket })
        .on("error", () => {})
        .connect();
    },
  },
};
