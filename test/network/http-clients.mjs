// Ways to ask for a URL, each of which keeps its connections for the next one. Those of `builtIn` come with Node;
// `packages` must be installed. Each settles when its answer is read.
import http from "node:http";
import https from "node:https";
import net from "node:net";
import { Readable } from "node:stream";

const overHttp =
  (optionsOf = () => ({}), write = (request) => request.end()) =>
  (url) =>
    new Promise((done, fail) => {
      const request = (url.startsWith("https") ? https : http).request(url, optionsOf(), (response) => {
        // The agent has its connection back a moment later.
        response.resume().on("end", () => setTimeout(done, 5));
      });
      write(request.on("error", fail));
    });

const kept = new http.Agent({ keepAlive: true });
const one = new http.Agent({ keepAlive: true, maxSockets: 1 });
const secure = new https.Agent({ keepAlive: true, rejectUnauthorized: false });
const POST = { method: "POST" };

export const builtIn = {
  fetch: async (url) => (await fetch(url)).text(),
  "fetch POST": async (url) => (await fetch(url, { ...POST, body: "x".repeat(70_000) })).text(),
  "fetch of a stream": async (url) =>
    (await fetch(url, { ...POST, body: new Blob(["a"]).stream(), duplex: "half" })).text(),
  "node:http": overHttp(),
  "a kept connection": overHttp(() => ({ agent: kept })),
  "the only connection": overHttp(() => ({ agent: one })),
  "a connection for one request": overHttp(() => ({ agent: false })),
  "a connection of one's own": overHttp(() => ({ createConnection: ({ port, host }) => net.connect(port, host) })),
  "Expect: 100-continue": overHttp(
    () => ({ ...POST, headers: { expect: "100-continue" } }),
    (request) => request.on("continue", () => request.end("body")).flushHeaders(),
  ),
  "a late body": overHttp(
    () => POST,
    (request) => {
      request.flushHeaders();
      setTimeout(() => request.end("late"), 10);
    },
  ),
  "a corked body": overHttp(
    () => POST,
    (request) => {
      request.cork();
      request.write("a");
      request.write(Buffer.from("b"));
      request.uncork();
      request.end();
    },
  ),
  "a piped body": overHttp(
    () => POST,
    (request) => Readable.from(["a", "b"]).pipe(request),
  ),
  "a list of headers": overHttp(() => ({ headers: ["host", "other.example", "a", "b"] })),
  "node:https": overHttp(() => ({ agent: secure })),
};

/** Loaded when they are called: they are not installed everywhere. */
const undici = async (url, { dispatcher, ...options } = {}) => {
  const { request } = await import("undici");
  const { body } = await request(url, { dispatcher: await (dispatcher ?? agent)(), ...options });
  return body.text();
};
const once = (make) => {
  let made;
  return () => (made ??= import("undici").then(make));
};
const connect = { rejectUnauthorized: false };
const agent = once(({ Agent }) => new Agent({ connect }));
const overHttp2 = once(({ Agent }) => new Agent({ connect, allowH2: true }));
const retrying = once(({ Agent, RetryAgent }) => new RetryAgent(new Agent(), { maxRetries: 1, minTimeout: 1 }));
const redirecting = once(({ Agent, interceptors }) =>
  new Agent().compose(interceptors.redirect({ maxRedirections: 1 })),
);

export const packages = {
  undici,
  "undici POST": (url) => undici(url, { ...POST, body: "x" }),
  "undici of a stream": (url) => undici(url, { ...POST, body: Readable.from(["a", "b"]) }),
  "undici, retrying": (url) => undici(url, { dispatcher: retrying }),
  "undici, redirecting": (url) => undici(url, { dispatcher: redirecting }),
  "undici by HTTP/2": (url) => undici(url, { dispatcher: overHttp2 }),
  "undici fetch": async (url) => (await (await import("undici")).fetch(url)).text(),
  axios: async (url) => (await import("axios")).default.post(url, {}),
  got: async (url) => (await import("got")).default(url, { retry: { limit: 0 } }),
  "node-fetch": async (url) => (await (await import("node-fetch")).default(url)).text(),
};

/** Those that ask by TLS. */
export const encrypted = ["node:https", "undici by HTTP/2"];
