import { UsageError } from "../errors.js";
import { oneLine } from "../json.js";
import { isScriptedModel, type ScriptedModel } from "../script/index.js";

/** How a scripted model is served over HTTP. */
export interface ServeOptions {
  /**
   * Whether requests are judged by the rules of the provider's API. A request that breaks one of severity error gets the
   * provider's own 4xx, and fails the test even if the loop swallows that. Default: true.
   */
  readonly validate?: boolean;
}

/** @throws {UsageError} for anything that `scriptedModel` did not return. */
export function requireScriptedModel(model: unknown, asker: string): asserts model is ScriptedModel {
  if (isScriptedModel(model)) return;
  throw new UsageError(
    `${asker} needs a scripted model: expected what scriptedModel(…) returns, found ${oneLine(model)}. ` +
      "Script the turns first, then pass the model.",
  );
}
