import { UsageError } from "../errors.js";
import { oneLine } from "../json.js";
import { isScriptedModel } from "../script/index.js";

/** @throws {UsageError} when it is no scripted model. */
export function requireScriptedModel(model: unknown, caller: string): void {
  if (isScriptedModel(model)) return;
  throw new UsageError(
    `${caller} needs a scripted model: expected what scriptedModel(…) returns, found ${oneLine(model)}. ` +
      "Script the turns first, then pass the model.",
  );
}
