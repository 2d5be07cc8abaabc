import { UsageError } from "../errors.js";
import { useHandlers } from "../network/handlers.js";
import { requireGuard } from "../network/installed.js";
import type { Scope } from "../network/scope.js";
import { currentTest } from "../running-test.js";
import { type ModelRequest, type ScriptedModel, verifyWhereServed } from "../script/index.js";
import { createHandler, type Served } from "./handler.js";
import { requireScriptedModel, type ServeOptions } from "./options.js";
import { findRoute } from "./route.js";
import { isMet, nameWhen, type When } from "./when.js";

/** How a scripted model is served to every client of a test. */
export interface ServeModelOptions extends ServeOptions {
  /** Host names, with or without port, at which it is served. Default: any. */
  readonly hosts?: readonly string[];
  /** Which requests are meant for it, where several models are served. Default: all. */
  readonly when?: When;
}

/** A scripted model while it is served. */
export interface ServedModel {
  readonly model: ScriptedModel;
  /** Stops serving it before the test ends. */
  close(): void;
}

interface Entry extends Served {
  readonly options: ServeModelOptions;
}

/** What is served in a test, or in a file outside of its tests. */
const entriesOf = new WeakMap<Scope, Entry[]>();

/**
 * Serves a scripted model to every client in the test, clients made at module level included: in process, on the global
 * MSW server, without a port. The request's path decides the API: `…/chat/completions` or `…/v1/messages`.
 *
 * It is gone when the test ends; called at the top of a file or in `beforeAll`, when the file ends. The test in which it
 * is called answers for the model, as with {@link modelFetch}. A request that two served models take, or none, is
 * answered 400 and fails the test.
 *
 * @returns When requests are answered: await it before the first one.
 * @throws {UsageError} when it is not given a scripted model, without the setup line, and when MSW cannot be loaded.
 * @example
 * await serveModel(scriptedModel(toolCall("spawn", { n: 2 }), "merged"), { when: { system: /planner/ } });
 * await serveModel(scriptedModel("a", "b"), { when: { system: /worker/ } });
 */
export async function serveModel(model: ScriptedModel, options: ServeModelOptions = {}): Promise<ServedModel> {
  requireScriptedModel(model, "serveModel()");
  const scope = requireGuard("serveModel()").here();
  verifyWhereServed(model, serveModel);
  const entry: Entry = { model, options };
  const entries = entriesOf.get(scope) ?? [];
  entriesOf.set(scope, entries);
  entries.push(entry);
  if (entries.length === 1) await listen(scope);
  else await useHandlers([], "serveModel()");
  return {
    model,
    close() {
      const index = entries.indexOf(entry);
      if (index >= 0) entries.splice(index, 1);
    },
  };
}

/** One handler for all that a scope serves. What is served for the file is served in its tests too. */
async function listen(scope: Scope): Promise<void> {
  const { http } = await import("msw");
  const servedAt = (host: string) =>
    [scope, ...(scope.file ? [scope.file] : [])]
      .flatMap((each) => entriesOf.get(each) ?? [])
      .filter(({ options: { hosts } }) => hosts?.some((name) => host === name || host.startsWith(`${name}:`)) ?? true);
  const misfits: UsageError[] = [];
  currentTest()?.checks.push(() => misfits[0]);
  const handle = createHandler((request, { url }) => {
    const chosen = choose(request, servedAt(new URL(url).host));
    if (chosen instanceof UsageError) misfits.push(chosen);
    return chosen;
  });

  const answer = http.post("*", async ({ request }) => {
    const { pathname, host } = new URL(request.url);
    // Undefined leaves the request to other handlers, and at last to the guard.
    if (!findRoute(pathname) || servedAt(host).length === 0) return undefined;
    return handle(request).catch(() => Response.error());
  });
  await useHandlers([answer], "serveModel()");
}

function choose(request: ModelRequest, entries: readonly Entry[]): Served | UsageError {
  const meant = entries.filter(({ options }) => isMet(options.when, request));
  const [only] = meant;
  if (only && meant.length === 1) return only;
  const list = (some: readonly Entry[]) =>
    some.map((entry) => `model ${entries.indexOf(entry) + 1} (${nameWhen(entry.options.when)})`).join(" and ");
  return only
    ? new UsageError(
        `Two served models take the same request: expected one, found ${list(meant)}. Give each a \`when\` that only its own requests meet.`,
      )
    : new UsageError(
        `No served model takes the request: expected one of ${list(entries)}, found a request for ${request.model ?? "no model"}. Serve a model whose \`when\` it meets.`,
      );
}
