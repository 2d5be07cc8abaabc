import type { DialectDefinition } from "../dialects/dialect.js";
import { flag, listOf, type OptionKind, type OptionsShape, oneOf, requireOptions, text } from "../options.js";
import type { CheckOptions } from "../rules/rule.js";

/** @throws {ArgumentError} at an option that would be ignored silently. */
export function requireCheckOptions(options: unknown, definition: DialectDefinition, asker: string): void {
  const shape: OptionsShape<CheckOptions> = {
    stage: oneOf("auto", "request", "after-model"),
    strict: flag,
    profile: profileOf(definition),
    thinking: flag,
    model: text,
    tokenizer: text,
    toolConfig: flag,
    prefill: flag,
    tools: listOf("tools"),
    spoken: listOf("turns"),
  };
  requireOptions(options, shape, asker);
}

function profileOf({ name, profiles }: DialectDefinition): OptionKind {
  if (!profiles) return text;
  return profiles.length > 0
    ? oneOf(...profiles)
    : { wanted: `it left out, for "${name}" has no profiles`, holds: () => false };
}
