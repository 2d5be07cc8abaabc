import { UsageError } from "../errors.js";
import { requireGuard } from "./installed.js";
import { Pattern, type PatternSource } from "./patterns.js";
import { type Stray, straysOf } from "./strays.js";

export const network = {
  allow(...patterns: PatternSource[]): void {
    const guard = requireGuard("network.allow()");
    if (guard.settings.locked) {
      throw new UsageError(
        "network.allow() is locked for this project: only test.provide.toolLoop.network.allow in the Vitest config " +
          `counts. Add ${patterns.map((pattern) => JSON.stringify(String(pattern))).join(", ")} there.`,
      );
    }
    guard.here().allowed.push(...patterns.map((pattern) => new Pattern(pattern, "allow")));
  },
  drop(...patterns: PatternSource[]): void {
    requireGuard("network.drop()")
      .here()
      .dropped.push(...patterns.map((pattern) => new Pattern(pattern, "drop")));
  },
  get strays(): readonly Stray[] {
    return straysOf(requireGuard("network.strays").here());
  },
};
