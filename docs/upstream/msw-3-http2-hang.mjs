// Run: npm install msw@3 && node msw-3-http2-hang.mjs
// Prints "response 200" without the server, and with it nothing but "no response after 2000 ms".
import http2 from "node:http2";
import { setupServer } from "msw/node";

function get(url) {
  return new Promise((done) => {
    const session = http2.connect(url);
    const timer = setTimeout(() => end("no response after 2000 ms"), 2000);
    const end = (text) => {
      clearTimeout(timer);
      session.destroy();
      done(text);
    };
    session.on("error", (error) => end(`session error: ${error.message}`));
    const stream = session.request({ ":path": "/" });
    stream.on("error", (error) => end(`stream error: ${error.message}`));
    stream.on("response", (headers) => end(`response ${headers[":status"]}`));
    stream.resume().end();
  });
}

const target = http2.createServer((_request, response) => response.end("ok"));
await new Promise((done) => target.listen(0, "127.0.0.1", done));
const url = `http://127.0.0.1:${target.address().port}`;

console.log("without msw:   ", await get(url));
const server = setupServer();
server.listen({ onUnhandledFrame: "bypass" });
console.log("while listening:", await get(url));
server.close();
console.log("after close:   ", await get(url));
process.exit();
