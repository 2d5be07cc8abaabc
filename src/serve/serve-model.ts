import { useHandlers } from "../network/handlers.js";
import { requireGuard } from "../network/installed.js";
import type { Scope } from "../network/scope.js";
import { type ScriptedModel, verifyWhereServed } from "../script/index.js";
import { createHandler } from "./handler.js";
import { checkServeModelOptions, type ServeModelOptions } from "./options.js";
import { requireScriptedModel } from "./require-model.js";
import { findRoute } from "./route.js";
import { choose, ServedModelEntry } from "./served-models.js";

/** A scripted model while it is served in process. */
export interface ServedModel {
  readonly model: ScriptedModel;
  /** Stops serving it before its test, or its file, ends: another can then take its place. */
  close(): void;
}

/**
 * Serves the scripted model in process, as the provider's API would, to every client in this thread: no port, and no
 * change to the code under test, whose clients may be made at module level. The request's path decides the API:
 * `…/chat/completions` or `…/v1/messages`. What asks for neither goes on to other handlers.
 *
 * Called in a test it serves until that test ends, and the test answers for the model as with {@link modelFetch}. Called
 * outside of tests (at top level, in `beforeAll`) it serves the file, after what the test itself serves; a request that is
 * refused then fails the test that made it.
 *
 * Several models are told apart by `when`. A request that two of them match, or none, gets an error that no SDK tries
 * again, and fails the test that made it even if the loop swallows that.
 *
 * A scripted `Error` reaches the client as a connection that broke.
 *
 * @returns When requests are answered: await it before the first one.
 * @throws {UsageError} when it is given no scripted model or an option that cannot be used, without the setup line, and
 * when MSW cannot be loaded.
 * @example await serveModel(scriptedModel(toolCall("get_weather", { city: "Paris" }), "It is 14 degrees."));
 */
export async function serveModel(model: ScriptedModel, options: ServeModelOptions = {}): Promise<ServedModel> {
  requireScriptedModel(model, "serveModel()");
  checkServeModelOptions(options);
  const entries = servedHere();
  const entry = new ServedModelEntry(model, options);
  verifyWhereServed(model, serveModel);
  entries.list.push(entry);
  await entries.ready;
  return {
    model,
    close() {
      entries.list = entries.list.filter((other) => other !== entry);
    },
  };
}

/** What one test serves, or a file: all of it behind one handler. */
interface Entries {
  list: ServedModelEntry[];
  readonly ready: Promise<unknown>;
}

const served = new WeakMap<Scope, Entries>();

function servedHere(): Entries {
  const scope = requireGuard("serveModel()").here();
  const known = served.get(scope);
  if (known !== undefined) return known;
  const ready = useHandlers(async () => {
    const { http } = await import("msw");
    const answer = answerer(() => [scope, scope.file].map((owner) => (owner && served.get(owner)?.list) ?? []));
    return [http.all("*", ({ request }) => answer(request))];
  }, "serveModel()");
  const entries = { list: [], ready };
  served.set(scope, entries);
  return entries;
}

/** Answers what is asked of a served model, and nothing else. */
function answerer(owners: () => readonly (readonly ServedModelEntry[])[]) {
  const handle = createHandler((request, url) => choose(owners(), request, url));
  return async (request: Request): Promise<Response | undefined> => {
    const url = new URL(request.url);
    if (request.method !== "POST" || findRoute(url.pathname) === undefined) return undefined;
    const isServed = owners().some((entries) => entries.some((entry) => entry.isServedAt(url)));
    // MSW would answer 500 for an error that is thrown.
    return isServed ? handle(request).catch(() => Response.error()) : undefined;
  };
}
