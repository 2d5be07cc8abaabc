import { UsageError } from "../errors.js";
import { cutText, oneLine } from "../json.js";
import { type OptionsShape, requireOptions } from "../options.js";
import type { OfferedTool } from "../rules/rule.js";
import { readTools } from "../rules/tools.js";
import {
  diffOf,
  hintFor,
  isEqual,
  type MatcherResult,
  type MatcherReturn,
  type MatcherState,
  requireArgument,
} from "./matcher.js";
import { type Request, requestsIn, requireRequest } from "./requests.js";
import { word } from "./wording.js";

export interface HaveOfferedToolOptions {
  /** The number of a request, from 0, or `"every"`. Default: some request. */
  readonly request?: number | "every";
}

export interface ToHaveOfferedTool {
  /**
   * Passes when the model was offered this tool, with this schema if one is given.
   *
   * @param schema - The schema of its arguments as the loop passed it; asymmetric matchers are allowed. Left out, or
   *   undefined, any schema will do.
   * @throws {UsageError} when the subject is no scripted model or request, or its requests carry no tools.
   * @example
   * expect(model).toHaveOfferedTool("get_weather");
   * expect(model).toHaveOfferedTool("get_weather", expect.objectContaining({ required: ["city"] }), { request: "every" });
   */
  toHaveOfferedTool(name: string, schema?: unknown, options?: HaveOfferedToolOptions): MatcherReturn<this>;
}

const NAME = "toHaveOfferedTool";
const OPTIONS: OptionsShape<HaveOfferedToolOptions> = {
  request: {
    wanted: 'the number of a request, or "every"',
    values: ["every"],
    holds: (value) => value === "every" || (Number.isInteger(value) && (value as number) >= 0),
  },
};

export function toHaveOfferedTool(
  this: MatcherState,
  received: unknown,
  name: string,
  schema?: unknown,
  options: HaveOfferedToolOptions = {},
): MatcherResult {
  requireArgument(typeof name === "string", NAME, "the name of a tool as first argument", name);
  requireOptions(options, OPTIONS, `${NAME}()`);
  const { request } = options;
  const all = requestsIn(received, `${NAME}()`);
  requireTools(all);
  if (typeof request === "number") requireRequest(request, all, "request", `${NAME}()`);
  const asked = typeof request === "number" ? all.slice(request, request + 1) : all;
  const offers = asked.map(offersOf);
  const fits = (tool: OfferedTool) =>
    tool.name === name && (schema === undefined || isEqual(this, tool.schema, schema));
  const offering = offers.filter(({ tools }) => tools.some(fits));
  const pass = offering.length > 0 && (request !== "every" || offering.length === offers.length);

  const hint = hintFor(this, NAME, received, oneLine(name, 80), ...(schema === undefined ? [] : ["schema"]));
  const where = request === undefined ? "some request" : request === "every" ? "every request" : `requests[${request}]`;
  const tool = `${cutText(name, 60)}${schema === undefined ? "" : " with this schema"}`;
  const evidence = listOffers(offers);
  if (pass) {
    const claim = `Expected ${tool} not to be offered in ${request === undefined ? "any request" : where}, but ${offering.length === 1 ? offering[0]!.at : `${offering.length} of ${offers.length}`} offered it.`;
    return { pass, message: () => word({ hint, claim, evidence }) };
  }
  const without = offers.find((offer) => !offering.includes(offer));
  const other = without?.tools.find((candidate) => candidate.name === name);
  const found = () => {
    if (!without) return "no request was made";
    if (other) return `${other.at} offers it with ${other.schema === undefined ? "no schema" : "another"}`;
    return request === undefined ? "none offered it" : `${without.at} does not offer it`;
  };
  const claim = `Expected ${tool} to be offered in ${where}, but ${found()}.`;
  const advice = other
    ? "Pass the schema on as the tool declares it, or correct what the test expects."
    : "Pass the tool on in the request; look for the mode, the filter or the failed server that takes it out.";
  const message = () => word({ hint, claim, evidence, advice });
  return { pass, message, ...(other && diffOf(this, other.schema, schema)) };
}

interface Offers {
  readonly at: string;
  readonly tools: readonly OfferedTool[];
}

function offersOf({ at, tools = [] }: Request): Offers {
  return { at, tools: readTools(tools, `${at}.tools`) };
}

/** @throws {UsageError} when requests were made and none of them says what it offered. */
function requireTools(requests: readonly Request[]): void {
  if (requests.length === 0 || requests.some(({ tools, onWire }) => tools || onWire)) return;
  throw new UsageError(
    `${NAME}() needs to know the tools offered, and no request carries them. Pass them on where the loop calls the model, ` +
      "model(messages, { tools }), or serve the model over HTTP or through an adapter.",
  );
}

function listOffers(offers: readonly Offers[]): string {
  if (offers.length === 0) return "    (no requests)";
  const lines = offers.slice(0, 8).map(({ at, tools }) => {
    const names = tools.map((tool) => tool.name).join(", ");
    return `    ${at}  offered ${tools.length === 0 ? "nothing" : oneLine(names).slice(1, -1)}`;
  });
  if (offers.length > 8) lines.push(`    … ${offers.length - 8} more …`);
  return lines.join("\n");
}
