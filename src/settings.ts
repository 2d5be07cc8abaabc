/** What `test.provide.toolLoop` in the Vitest config may hold. */
export interface ToolLoopSettings {
  readonly network?: NetworkSettings;
  /** Which scripted models are verified when their test ends. Default `true`: leftover turns and overruns fail it. */
  readonly verifyScripts?: boolean | "overruns";
}

/** How the network is guarded, for all files. */
export interface NetworkSettings {
  /** Allowed in every test, as by `network.allow()`. Default: nothing, loopback included. */
  readonly allow?: readonly (string | RegExp)[];
  /** Dropped in every test, as by `network.drop()`. */
  readonly drop?: readonly (string | RegExp)[];
  /** `"report"` lists strays when the file ends instead of failing; they are blocked all the same. Default `"fail"`. */
  readonly mode?: "fail" | "report";
  /** Makes `network.allow()` in a test file an error: only this list counts. Default `false`. */
  readonly locked?: boolean;
  /** Replaces well-known `*_API_KEY` variables of the test process by a placeholder. Default `false`. */
  readonly protectKeys?: boolean;
}

declare module "vitest" {
  interface ProvidedContext {
    toolLoop?: ToolLoopSettings;
  }
}
