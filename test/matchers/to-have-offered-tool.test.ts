import { expect, test } from "vitest";
import { scriptedModel } from "../../src/index.js";
import { diffOf, failureOf } from "../support/failure.js";

const question = [{ role: "user", content: "go" }];
const schema = { type: "object", properties: { city: { type: "string" } }, required: ["city"] };
const weatherTool = { name: "get_weather", description: "The weather in a city", inputSchema: schema };
const searchTool = { name: "search" };

async function asked(...offers: unknown[]) {
  const model = scriptedModel.lenient(...offers.map(() => "hello"));
  for (const tools of offers) await model(question, tools === undefined ? {} : { tools });
  return model;
}

test("passes when some request offered it", async () => {
  expect(await asked([searchTool], [weatherTool])).toHaveOfferedTool("get_weather");
  expect(await asked([searchTool])).not.toHaveOfferedTool("get_weather");
  expect(await asked([])).not.toHaveOfferedTool("get_weather");
});

test("compares the schema", async () => {
  const model = await asked([weatherTool]);
  expect(model).toHaveOfferedTool("get_weather", schema);
  expect(model).toHaveOfferedTool("get_weather", expect.objectContaining({ required: ["city"] }));
  expect(model).not.toHaveOfferedTool("get_weather", { type: "object" });
});

test("asks one request, or every one", async () => {
  const model = await asked([weatherTool, searchTool], [searchTool]);
  expect(model).toHaveOfferedTool("get_weather", undefined, { request: 0 });
  expect(model).not.toHaveOfferedTool("get_weather", undefined, { request: 1 });
  expect(model).toHaveOfferedTool("search", undefined, { request: "every" });
  expect(model).not.toHaveOfferedTool("get_weather", undefined, { request: "every" });
});

test("a request without tools offered none, where others carry them", async () => {
  expect(await asked([weatherTool], undefined)).not.toHaveOfferedTool("get_weather", undefined, { request: "every" });
});

test("reads request bodies in the provider's own shape", () => {
  const body = { messages: question, tools: [{ type: "function", function: { name: "search", parameters: schema } }] };
  expect(body).toHaveOfferedTool("search", schema);
  expect([body, { messages: question, tools: [{ name: "search", input_schema: schema }] }]).toHaveOfferedTool(
    "search",
    schema,
    { request: "every" },
  );
});

test("says what was offered instead", async () => {
  const model = await asked([searchTool], []);
  expect(failureOf(() => expect(model).toHaveOfferedTool("get_weather"))).toMatchInlineSnapshot(`
    "expect(model).toHaveOfferedTool("get_weather")

    Expected get_weather to be offered in some request, but none offered it.

        requests[0]  offered search
        requests[1]  offered nothing

    Pass the tool on in the request; look for the mode, the filter or the failed server that takes it out."
  `);
});

test("says which request does not offer it", async () => {
  const model = await asked([weatherTool], [searchTool]);
  const assertion = () => expect(model).toHaveOfferedTool("get_weather", undefined, { request: "every" });
  expect(failureOf(assertion)).toMatchInlineSnapshot(`
    "expect(model).toHaveOfferedTool("get_weather")

    Expected get_weather to be offered in every request, but requests[1] does not offer it.

        requests[0]  offered get_weather
        requests[1]  offered search

    Pass the tool on in the request; look for the mode, the filter or the failed server that takes it out."
  `);
});

test("says that the schema is another, and leaves the diff to Vitest", async () => {
  const model = await asked([weatherTool]);
  const assertion = () => expect(model).toHaveOfferedTool("get_weather", { type: "object" });
  expect(failureOf(assertion)).toMatchInlineSnapshot(`
    "expect(model).toHaveOfferedTool("get_weather", schema)

    Expected get_weather with this schema to be offered in some request, but requests[0].tools[0] offers it with another.

        requests[0]  offered get_weather

    Pass the schema on as the tool declares it, or correct what the test expects."
  `);
  expect(diffOf(assertion)).toEqual({ actual: schema, expected: { type: "object" } });
});

test("refuses a request that was never made", async () => {
  const model = await asked([weatherTool], [weatherTool]);
  const sentence = failureOf(() => expect(model).toHaveOfferedTool("get_weather", undefined, { request: 2 }));
  expect(sentence).toMatchInlineSnapshot(
    `"[vitest-tool-loop] toHaveOfferedTool() cannot use the option request: expected the number of a request that was made (there are requests[0] to [1]), found 2."`,
  );
  expect(failureOf(() => expect(model).not.toHaveOfferedTool("get_weather", undefined, { request: 2 }))).toBe(sentence);
});

test(".not says which request offered it", async () => {
  const model = await asked([searchTool], [weatherTool]);
  expect(failureOf(() => expect(model).not.toHaveOfferedTool("get_weather"))).toMatchInlineSnapshot(`
    "expect(model).not.toHaveOfferedTool("get_weather")

    Expected get_weather not to be offered in any request, but requests[1] offered it.

        requests[0]  offered search
        requests[1]  offered get_weather"
  `);
});

test("says what to do where the loop passes no tools on", async () => {
  const model = await asked(undefined);
  expect(failureOf(() => expect(model).toHaveOfferedTool("search"))).toMatchInlineSnapshot(
    `"[vitest-tool-loop] toHaveOfferedTool() needs to know the tools offered, and no request carries them. Pass them on where the loop calls the model, model(messages, { tools }), or serve the model over HTTP or through an adapter."`,
  );
  expect(failureOf(() => expect(model).not.toHaveOfferedTool("search"))).toMatch("no request carries them");
});

test("refuses messages: they do not say what was offered", () => {
  expect(failureOf(() => expect(question).toHaveOfferedTool("search"))).toMatchInlineSnapshot(
    `"[vitest-tool-loop] toHaveOfferedTool() needs requests: expected a list of messages or an object with messages at requests[0], found an object with role, content. These are messages: pass the scripted model that got them."`,
  );
});

test("refuses a request that is no number", () => {
  // @ts-expect-error one word is known
  expect(failureOf(() => expect([]).toHaveOfferedTool("search", {}, { request: "last" }))).toMatchInlineSnapshot(
    `"[vitest-tool-loop] toHaveOfferedTool() cannot use the option request: expected the number of a request, or "every", found "last"."`,
  );
});
