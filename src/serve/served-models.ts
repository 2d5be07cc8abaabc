import { UsageError } from "../errors.js";
import { cutText, oneLine } from "../json.js";
import { destinationOf, Pattern } from "../network/patterns.js";
import { printableUrl } from "../network/redact.js";
import { currentTest } from "../running-test.js";
import type { ModelRequest, ScriptedModel } from "../script/index.js";
import { spokenBy } from "../transcript/spoken.js";
import type { Served } from "./handler.js";
import type { ServeModelOptions } from "./options.js";
import { describeWhen, matches, systemTextOf } from "./when.js";

/** A model served in process, for some requests or all. */
export class ServedModelEntry implements Served {
  readonly model: ScriptedModel;
  readonly options: ServeModelOptions;
  readonly hasOwner = currentTest() !== undefined;
  readonly #hosts: readonly Pattern[] | undefined;

  constructor(model: ScriptedModel, options: ServeModelOptions) {
    this.model = model;
    this.options = options;
    this.#hosts = options.hosts?.map((host) => new Pattern(host, "serveModel()"));
  }

  isServedAt(url: URL): boolean {
    const to = destinationOf(url);
    return this.#hosts === undefined || this.#hosts.some((host) => host.matches(to));
  }

  /** How sentences name it: by its first turn, and by what it is served for. */
  toString(): string {
    const { hosts, when } = this.options;
    const terms = [
      ...(hosts === undefined ? [] : [`hosts: ${oneLine(hosts)}`]),
      ...(when === undefined ? [] : [`when: ${describeWhen(when)}`]),
    ];
    const opening = cutText(spokenBy(this.model)!.opening, 80);
    return `script[0] is ${opening}, served ${terms.length === 0 ? "for every request" : `with ${terms.join(", ")}`}`;
  }
}

/**
 * Finds the one model that a request is for.
 *
 * @param owners - What is served by the test, then what is served by its file: they are asked in this order.
 * @throws {UsageError} when two match, naming both, or when none does, listing what is served.
 */
export function choose(
  owners: readonly (readonly ServedModelEntry[])[],
  request: ModelRequest,
  url: URL,
): ServedModelEntry {
  const served = owners.map((entries) => entries.filter((entry) => entry.isServedAt(url)));
  for (const entries of served) {
    const found = entries.filter((entry) => matches(entry.options.when, request));
    if (found.length > 1) {
      throw new UsageError(
        `A request is for more than one served model: expected one whose when matches, found ${found.length}, for ${describe(request, url)}.\n\n` +
          `${list(found)}\n\n` +
          "Tell them apart: await serveModel(model, { when: { system: /planner/ } }); or stop serving the first with its close().",
      );
    }
    if (found[0] !== undefined) return found[0];
  }
  throw new UsageError(
    `A request is for no served model: expected one whose when matches, found none, for ${describe(request, url)}.\n\nServed are:\n\n` +
      `${list(served.flat())}\n\n` +
      "Correct the when, or serve a model for this request too.",
  );
}

function list(entries: readonly ServedModelEntry[]): string {
  return entries.map((entry) => `    ${entry}`).join("\n");
}

function describe(request: ModelRequest, url: URL): string {
  const system = systemTextOf(request);
  return [
    `POST ${printableUrl(url.href)}`,
    request.model === undefined ? "no model" : `model ${oneLine(request.model, 80)}`,
    system === "" ? "no system text" : `system text ${oneLine(system, 80)}`,
  ].join(", ");
}
