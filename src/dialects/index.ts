import { ArgumentError, UsageError } from "../errors.js";
import { oneLine } from "../json.js";
import { anthropic } from "./anthropic/index.js";
import type { Dialect, DialectDefinition } from "./dialect.js";
import { openaiChat } from "./openai-chat/index.js";

/** Every dialect of the package. The first one that may be it reads what several share. */
const builtIn: readonly DialectDefinition[] = [openaiChat, anthropic];

// Setup file and tests may load two copies of this module: what one registers, the other knows.
const KEY = Symbol.for("vitest-tool-loop/dialects");
const shared = globalThis as { [KEY]?: Map<string, DialectDefinition> };
const registered = (shared[KEY] ??= new Map<string, DialectDefinition>());

/** All dialects known here and now, the registered ones last. */
export function dialects(): readonly DialectDefinition[] {
  return [...builtIn, ...registered.values()];
}

/** @throws {UsageError} when nothing of that name is known; the sentence lists what is. */
export function findDialect(name: Dialect): DialectDefinition {
  const found = dialects().find((dialect) => dialect.name === name);
  if (found) return found;
  const known = dialects().map((dialect) => `"${dialect.name}"`);
  throw new ArgumentError(
    `There is no dialect ${oneLine(name, 60)}: expected one of ${known.join(", ")}. Register your own with registerDialect(definition).`,
  );
}

/**
 * Adds a dialect, for frameworks with message types of their own. Registering the same name again replaces the earlier
 * definition; a name of this package is refused.
 *
 * @throws {UsageError} when the definition lacks a part, or its name is taken.
 */
export function registerDialect(definition: DialectDefinition): void {
  const functions = ["detect", "read", "write", "writeTurn", "writeResults"] as const;
  const missing = [
    ...(typeof definition?.name === "string" ? [] : ["name"]),
    ...functions.filter((key) => typeof definition?.[key] !== "function").map((key) => `${key}()`),
    ...(Array.isArray(definition?.rules) ? [] : ["rules"]),
  ];
  if (missing.length > 0) {
    throw new UsageError(
      `registerDialect() cannot use the definition: it lacks ${missing.join(", ")}. See the DialectDefinition type.`,
    );
  }
  if (builtIn.some((dialect) => dialect.name === definition.name)) {
    throw new UsageError(`registerDialect(): "${definition.name}" is a dialect of this package. Choose another name.`);
  }
  registered.set(definition.name, definition);
}
