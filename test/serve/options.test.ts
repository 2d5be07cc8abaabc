import { expect, test } from "vitest";
import { modelFetch, scriptedModel } from "../../src/index.js";
import { matches } from "../../src/serve/when.js";
import { failureOf } from "../support/failure.js";

test("modelFetch refuses options it does not have", () => {
  const fetched = (options: unknown) => failureOf(() => modelFetch(scriptedModel.lenient("hi"), options as never));
  expect(fetched(null)).toMatchInlineSnapshot(
    `"[vitest-tool-loop] modelFetch() cannot use its options: expected an object with validate, found null."`,
  );
  expect(fetched({ validat: false })).toMatchInlineSnapshot(
    `"[vitest-tool-loop] modelFetch() has no option "validat": expected validate. Did you mean "validate"?"`,
  );
  expect(modelFetch(scriptedModel.lenient("hi"), { validate: false })).toBeTypeOf("function");
});

test("a when that throws what is no Error says so; an Error is told as it is", () => {
  const asked = (thrown: unknown) =>
    failureOf(() =>
      matches(
        () => {
          throw thrown;
        },
        { messages: [] },
      ),
    );
  expect(asked(null)).toMatchInlineSnapshot(
    `"[vitest-tool-loop] serveModel() cannot use its option when: expected a function that answers, found that it threw null, at when. Write { when: { system: /planner/ } }, or a function of the request."`,
  );
  expect(asked(new RangeError("mine"))).toBe("mine");
});
