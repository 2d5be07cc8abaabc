import { UsageError } from "../errors.js";
import { isRecord, oneLine } from "../json.js";
import { checkWhen, type When } from "./when.js";

/** How a scripted model is served over HTTP. */
export interface ServeOptions {
  /**
   * Whether requests are judged by the rules of the provider's API. A request that breaks one of severity error gets the
   * provider's own 4xx, and fails the test even if the loop swallows that. Default: true.
   */
  readonly validate?: boolean;
}

/** How a scripted model is served in process, and for which requests. */
export interface ServeModelOptions extends ServeOptions {
  /**
   * The hosts it is served at: `"api.openai.com"`, `"localhost:8080"`, `"*.openai.azure.com"`. Requests to others go on
   * to other handlers, or are strays. Default: any.
   */
  readonly hosts?: readonly string[];
  /** Which requests it is for, where several models are served. Default: all. */
  readonly when?: When;
}

/** @throws {UsageError} at an option that cannot be used. */
export function checkServeModelOptions(options: unknown): void {
  if (!isRecord(options)) {
    throw new UsageError(
      `serveModel() cannot use its options: expected an object such as { when: { model: "gpt-5" } }, found ${oneLine(options)}.`,
    );
  }
  const { hosts = [], when } = options;
  checkWhen(when);
  const isList = Array.isArray(hosts);
  if (isList && hosts.every(isHost)) return;
  throw new UsageError(
    `serveModel() cannot use its option hosts: expected a list of host names, found ${oneLine(isList ? hosts.find((host) => !isHost(host)) : hosts)}, at hosts. ` +
      'Write { hosts: ["api.openai.com"] }: a host and perhaps a port, without protocol and path.',
    { at: "hosts" },
  );
}

function isHost(host: unknown): boolean {
  return typeof host === "string" && /^[^\s/@?#]+$/.test(host) && URL.canParse(`http://${host}`);
}
