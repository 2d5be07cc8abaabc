import { runInNewContext } from "node:vm";
import { describe, expect, test, vi } from "vitest";
import { destinationOf, Pattern } from "../../src/network/patterns.js";
import { failureOf } from "../support/failure.js";

const matches = (pattern: string | RegExp | URL, url: string) =>
  new Pattern(pattern, "network.allow()").matches(destinationOf(new URL(url)));
const connects = (pattern: string | RegExp, host: string, port?: number) =>
  new Pattern(pattern, "network.allow()").matches({ host, port });

describe("a pattern", () => {
  test.each<[string | URL, string]>([
    ["localhost", "http://localhost:3000/x"],
    ["localhost", "http://127.0.0.1/"],
    ["localhost", "http://[::1]:8080/"],
    ["localhost:3000", "http://127.0.0.1:3000/"],
    ["loopback", "http://127.9.9.9/"],
    ["loopback", "http://app.localhost/"],
    ["api.example.com", "https://api.example.com/v1"],
    ["API.example.com", "https://api.example.com/v1"],
    ["*.example.com", "https://eu.api.example.com/"],
    ["[::1]:8080", "http://[::1]:8080/"],
    ["::1", "http://[::1]:8080/"],
    ["https://api.example.com", "https://api.example.com/any?thing=1"],
    [new URL("https://api.example.com"), "https://api.example.com/any"],
    ["https://api.example.com/v1/*", "https://api.example.com/v1/users/7?full=1"],
    ["https://api.example.com/v1/:kind", "https://api.example.com/v1/users"],
    ["https://api.example.com/v1?page=*", "https://api.example.com/v1?page=2"],
    ["https://*.example.com/v1", "https://eu.example.com/v1"],
    ["wss://live.example.com/*", "https://live.example.com/feed"],
    ["https://live.example.com/*", "wss://live.example.com/feed"],
    ["http://localhost:3000/*", "http://127.0.0.1:3000/x"],
    ["*://api.example.com:*/v1", "http://api.example.com:8080/v1"],
  ])("%s lets out %s", (pattern, url) => {
    expect(matches(pattern, url)).toBe(true);
  });

  test.each<[string, string]>([
    ["localhost:3000", "http://localhost:3001/"],
    ["127.0.0.1", "http://127.0.0.2/"],
    ["loopback", "http://127.example.com/"],
    ["loopback", "http://notlocalhost/"],
    ["api.example.com", "https://api.example.com.evil.com/"],
    ["api.example.com", "https://xapi.example.com/"],
    ["api.example.com", "https://apiXexample.com/"],
    ["https://api.example.com", "http://api.example.com/"],
    ["https://api.example.com", "https://api.example.com:8443/"],
    ["https://api.example.com/v1/*", "https://api.example.com/v2/users"],
    ["https://api.example.com/v1", "https://api.example.com/v1/users"],
    ["https://api.example.com/v1/:kind", "https://api.example.com/v1/users/7"],
    ["https://api.example.com/v1?page=1", "https://api.example.com/v1?page=2"],
  ])("%s does not let out %s", (pattern, url) => {
    expect(matches(pattern, url)).toBe(false);
  });

  test("with a path counts by host and port for a client that speaks no HTTP", () => {
    expect(connects("https://db.example.com/v1/*", "db.example.com", 443)).toBe(true);
    expect(connects("https://db.example.com/v1/*", "db.example.com", 5432)).toBe(false);
    expect(connects("postgres://db.internal", "db.internal", 5432)).toBe(true);
  });

  test("that is a RegExp is tried on the URL, else on host and port, every time anew", () => {
    const pattern = new Pattern(/example\.com(:5432|\/v1)/g, "network.allow()");
    for (let time = 0; time < 2; time++) {
      expect(pattern.matches(destinationOf(new URL("https://example.com/v1")))).toBe(true);
      expect(pattern.matches({ host: "example.com", port: 5432 })).toBe(true);
      expect(pattern.matches({ host: "example.com", port: 80 })).toBe(false);
    }
  });

  test("that names no destination is refused with what to write", () => {
    const junk = [
      5432,
      undefined,
      "",
      ["localhost", "db.internal"],
      { host: "localhost" },
      Symbol("localhost"),
      "api.example.com/v1",
      "(localhost",
      "localhost, db.internal",
      "https://user:pw@db.internal",
    ];
    const refusals = junk.map((pattern) => failureOf(() => new Pattern(pattern as string, "network.allow()")));
    expect(refusals).toMatchInlineSnapshot(`
      [
        "[vitest-tool-loop] network.allow() takes host names, URL patterns and regular expressions: found 5432. Write "localhost:5432" or "https://api.example.com/v1/*".",
        "[vitest-tool-loop] network.allow() takes host names, URL patterns and regular expressions: found undefined. Write "localhost:5432" or "https://api.example.com/v1/*".",
        "[vitest-tool-loop] network.allow() takes host names, URL patterns and regular expressions: found "". Write "localhost:5432" or "https://api.example.com/v1/*".",
        "[vitest-tool-loop] network.allow() takes host names, URL patterns and regular expressions: found ["localhost","db.internal"]. Spread the list: ...hosts.",
        "[vitest-tool-loop] network.allow() takes host names, URL patterns and regular expressions: found {"host":"localhost"}. Write "localhost:5432" or "https://api.example.com/v1/*".",
        "[vitest-tool-loop] network.allow() takes host names, URL patterns and regular expressions: found Symbol(localhost). Write "localhost:5432" or "https://api.example.com/v1/*".",
        "[vitest-tool-loop] network.allow() cannot read the pattern "api.example.com/v1": expected a host, or a URL with its protocol. Write "localhost:5432" or "https://api.example.com/v1/*".",
        "[vitest-tool-loop] network.allow() cannot read the pattern "(localhost": expected a host, or a URL with its protocol. Write "localhost:5432" or "https://api.example.com/v1/*".",
        "[vitest-tool-loop] network.allow() cannot read the pattern "localhost, db.internal": expected a host, or a URL with its protocol. Write "localhost:5432" or "https://api.example.com/v1/*".",
        "[vitest-tool-loop] network.allow() cannot read the pattern "https://user:pw@db.internal": expected a host, or a URL with its protocol. Write "localhost:5432" or "https://api.example.com/v1/*".",
      ]
    `);
  });

  test("with a path that URLPattern cannot read is refused, where the platform has it", () => {
    vi.stubGlobal("URLPattern", function URLPattern() {
      throw new TypeError("Invalid pathname pattern");
    });
    expect(failureOf(() => new Pattern("https://a.invalid/(", "network.drop()"))).toMatchInlineSnapshot(
      `"[vitest-tool-loop] network.drop() cannot read the pattern "https://a.invalid/(": expected a host, or a URL with its protocol. Write "localhost:5432" or "https://api.example.com/v1/*"."`,
    );
    vi.unstubAllGlobals();
  });

  test("may come from another realm", () => {
    const [pattern, url] = runInNewContext('[/example/, { href: "https://example.com/" }]');
    for (const source of [pattern, url]) {
      expect(new Pattern(source, "network.allow()").matches(destinationOf(new URL("https://example.com/")))).toBe(true);
    }
  });
});
