import { flag, requireOptions } from "../options.js";
import { currentTest } from "../running-test.js";
import { type ScriptedModel, verifyWhereServed } from "../script/index.js";
import { createHandler } from "./handler.js";
import type { ServeOptions } from "./options.js";
import { requireScriptedModel } from "./require-model.js";

/**
 * A `fetch` that answers with the scripted model, as the provider's API would: for a client that takes one. Nothing
 * leaves the process. The request's path decides the API: `…/chat/completions` or `…/v1/messages`.
 *
 * The test in which it is called answers for the model: turns left over, calls past the end, requests that the API would
 * refuse, and scripted calls that the request does not allow fail it, even if the loop swallows the error it gets.
 * Called outside of tests, the test that makes a refused request answers for it; turns left over and calls past the end
 * are then not verified.
 *
 * @throws {UsageError} when it is not given a scripted model, or an option that it does not have.
 * @example const client = new OpenAI({ apiKey: "test", fetch: modelFetch(model) });
 */
export function modelFetch(model: ScriptedModel, options: ServeOptions = {}): typeof fetch {
  requireScriptedModel(model, "modelFetch()");
  requireOptions(options, { validate: flag }, "modelFetch()");
  verifyWhereServed(model, modelFetch);
  const hasOwner = currentTest() !== undefined;
  const handle = createHandler(() => ({ model, options, hasOwner }));
  return async (input, init) => handle(new Request(input, init));
}
