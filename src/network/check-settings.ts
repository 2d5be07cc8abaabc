import { UsageError } from "../errors.js";
import { isRecord, oneLine } from "../json.js";
import type { NetworkSettings, ToolLoopSettings } from "../settings.js";

const KEYS = ["network", "verifyScripts"] satisfies (keyof ToolLoopSettings)[];

const isBoolean = (value: unknown) => typeof value === "boolean";

/** What each setting may be; patterns are read one by one where they are used. */
const NETWORK: Record<keyof NetworkSettings, readonly [expected: string, accepts: (value: unknown) => boolean]> = {
  allow: ["a list of patterns", Array.isArray],
  drop: ["a list of patterns", Array.isArray],
  mode: ['"fail" or "report"', (value) => value === "fail" || value === "report"],
  locked: ["true or false", isBoolean],
  protectKeys: ["true or false", isBoolean],
};

/**
 * Reads the settings of the network from `test.provide.toolLoop`. A setting that is misspelled must not be taken for one
 * that is left out: a guard would be off that is believed to be on.
 *
 * @throws {UsageError} at a setting that is not known, or cannot be used.
 */
export function networkSettings(toolLoop: unknown = {}): NetworkSettings {
  const { network = {} } = known(toolLoop, KEYS, "toolLoop");
  for (const [name, value] of Object.entries(known(network, Object.keys(NETWORK), "toolLoop.network"))) {
    const [expected, accepts] = NETWORK[name as keyof NetworkSettings];
    if (value !== undefined && !accepts(value)) throw unusable(expected, value, `toolLoop.network.${name}`);
  }
  return network as NetworkSettings;
}

function known(settings: unknown, keys: readonly string[], path: string): Record<string, unknown> {
  const expected = `an object with the keys ${keys.join(", ")}`;
  if (!isRecord(settings)) throw unusable(expected, settings, path);
  const stranger = Object.keys(settings).find((key) => !keys.includes(key));
  if (stranger === undefined) return settings;
  throw unusable(expected, stranger, path);
}

function unusable(expected: string, found: unknown, path: string): UsageError {
  const at = `test.provide.${path}`;
  return new UsageError(
    `A setting cannot be used: expected ${expected}, found ${oneLine(found)}, at ${at} of the Vitest configuration.`,
    { at },
  );
}
