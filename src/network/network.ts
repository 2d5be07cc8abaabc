import type { RequestHandler } from "msw";
import type { SetupServer } from "msw/node";
import { UsageError } from "../errors.js";
import { oneLine } from "../json.js";
import { checkHandlers, globalServer, useHandlers } from "./handlers.js";
import { requireGuard } from "./installed.js";
import { Pattern, type PatternSource } from "./patterns.js";
import { type Stray, straysOf } from "./strays.js";

/** What a test says about the network. Called outside of tests (at top level, in `beforeAll`), it counts for the file. */
export interface Network {
  /**
   * Lets requests and connections out, for this test.
   *
   * @param patterns - `"localhost"` (with 127.0.0.1 and ::1), `"loopback"`, `"db.internal"`, `"127.0.0.1:5432"`,
   * `"https://api.example.com/v1/*"`, a `URL`, or a `RegExp` tried on the URL. A path counts for HTTP; for other clients
   * host and port do. A connection that carries no HTTP is closed when its test ends.
   * @throws {UsageError} for a pattern that names no destination, and when the project is `locked`.
   */
  allow(...patterns: PatternSource[]): void;
  /** What was allowed for this test, its file or the project, and let nothing out so far. */
  readonly unusedAllows: readonly PatternSource[];
  /** What strayed from this test so far, each time it did. Reading them excuses none. */
  readonly strays: readonly Stray[];
  /**
   * Blocks without calling it a stray, for telemetry: `fetch` gets an empty 204 at once, other clients a refused
   * connection. Takes the same patterns as `allow`, which wins where both match.
   *
   * @throws {UsageError} for a pattern that names no destination.
   */
  drop(...patterns: PatternSource[]): void;
  /**
   * Answers requests by MSW handlers, for this test. Those of a test come before those of its file, later ones before
   * earlier ones.
   *
   * @returns When MSW is loaded and the handlers are in force: await it before the first request.
   * @throws {UsageError} for what is no request handler, and when MSW cannot be loaded.
   */
  use(...handlers: RequestHandler[]): Promise<void>;
  /**
   * The global MSW server, which refuses every request that no handler answers. It is loaded when first asked for, and
   * closed when the file ends.
   *
   * @throws {UsageError} when MSW cannot be loaded.
   */
  msw(): Promise<SetupServer>;
}

/** What a test says about the network: what may leave, who answers, what strayed. */
export const network: Network = {
  allow(...patterns) {
    const guard = requireGuard("network.allow()");
    if (guard.settings.locked) {
      throw new UsageError(
        `network.allow() is locked in this project: found ${patterns.map((pattern) => oneLine(pattern)).join(", ")} allowed by a test file. ` +
          "Add it to test.provide.toolLoop.network.allow in the Vitest config.",
      );
    }
    guard.here().allowed.push(...patterns.map((pattern) => new Pattern(pattern, "network.allow()")));
  },
  drop(...patterns) {
    const { dropped } = requireGuard("network.drop()").here();
    dropped.push(...patterns.map((pattern) => new Pattern(pattern, "network.drop()")));
  },
  async use(...handlers) {
    checkHandlers(handlers);
    await useHandlers(async () => handlers, "network.use()");
  },
  async msw() {
    return globalServer(requireGuard("network.msw()"));
  },
  get unusedAllows() {
    const unused = requireGuard("network.unusedAllows").unused();
    return unused.map(({ source }) => source);
  },
  get strays() {
    return straysOf(requireGuard("network.strays").here());
  },
};
