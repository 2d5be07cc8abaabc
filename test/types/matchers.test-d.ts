/**
 * What `tsc --noEmit` has to say about the matchers: each line compiles, or is refused where it says so. It runs nowhere.
 * The same file is compiled against a packed install, on each Vitest and TypeScript that is supported.
 */
import { expect, expectTypeOf } from "vitest";
import type { ScriptedModel, ToolLoopMatchers } from "vitest-tool-loop";

declare const messages: object[];
declare const later: Promise<object[]>;
declare const model: ScriptedModel;

// Plain, negated, soft: nothing to await.
expectTypeOf(expect(messages).toHaveAppendedToolResult("call_1", { tempC: 14 })).toBeVoid();
expectTypeOf(expect(messages).not.toHaveAppendedToolError("call_1", /timeout/)).toBeVoid();
expectTypeOf(expect.soft(messages).toMatchToolCallIds(["call_1"], { order: "any", open: ["call_2"] })).toBeVoid();
expectTypeOf(expect(model).toStopWithinTurns(8, { giveUp: /give up/, open: [] })).toBeVoid();
expectTypeOf(expect(messages).toHaveAppended([expect.anything()], { after: 1 })).toBeVoid();
expectTypeOf(expect(model).toHaveCalledTool("search", expect.anything())).toBeVoid();
expectTypeOf(expect(model).toHaveCalledToolsInOrder(["search", ["book", { seat: "12A" }]])).toBeVoid();
expectTypeOf(expect(messages).toBeAcceptedBy("anthropic", { strict: true, stage: "request" })).toBeVoid();
expectTypeOf(expect(messages).toBeAcceptedBy("a-dialect-of-my-own")).toBeVoid();
expectTypeOf(expect(model).toKeepCachePrefix({ except: [12] })).toBeVoid();
expectTypeOf(expect(model).toHaveOfferedTool("search", { type: "object" }, { request: "every" })).toBeVoid();
expectTypeOf(expect(model).toHaveFinishedScript()).toBeVoid();
expectTypeOf(expect(model).not.toLeak("secret", /DE\d{20}/)).toBeVoid();

// With a promise there is something to await.
expectTypeOf(expect(later).resolves.toMatchToolCallIds()).toEqualTypeOf<Promise<void>>();
expectTypeOf(expect(later).resolves.toLeak()).toEqualTypeOf<Promise<void>>();
expectTypeOf(expect(later).resolves.not.toHaveFinishedScript()).toEqualTypeOf<Promise<void>>();
expectTypeOf(expect(later).rejects.toHaveCalledTool("search")).toEqualTypeOf<Promise<void>>();
expectTypeOf(expect.poll(() => messages).toHaveCalledTool("search")).toEqualTypeOf<Promise<void>>();

// As asymmetric matchers they stand for any value.
expectTypeOf(expect.toHaveCalledTool("search")).toBeAny();
expectTypeOf(expect.not.toLeak("secret")).toBeAny();
expect({ messages }).toEqual({ messages: expect.toMatchToolCallIds(), count: expect.any(Number) });

// @ts-expect-error a call is an id or a name
expect(messages).toHaveAppendedToolResult(1);
// @ts-expect-error a call is needed
expect(messages).toHaveAppendedToolError();
// @ts-expect-error ids are a list
expect(messages).toMatchToolCallIds("call_1");
// @ts-expect-error there is no such order
expect(messages).toMatchToolCallIds([], { order: "reverse" });
// @ts-expect-error a number of turns is needed
expect(model).toStopWithinTurns();
// @ts-expect-error messages are a list
expect(messages).toHaveAppended({ role: "user" });
// @ts-expect-error a tool is meant by its name
expect(model).toHaveCalledTool(/search/);
// @ts-expect-error a name with arguments is a pair
expect(model).toHaveCalledToolsInOrder([["search"]]);
// @ts-expect-error there is no such stage
expect(messages).toBeAcceptedBy("anthropic", { stage: "response" });
// @ts-expect-error requests are a list
expect(model).toKeepCachePrefix({ except: 1 });
// @ts-expect-error there is no such request
expect(model).toHaveOfferedTool("search", {}, { request: "last" });
// @ts-expect-error it takes nothing
expect(model).toHaveFinishedScript(2);
// @ts-expect-error a secret is a text or a pattern
expect(model).not.toLeak(47110815);

// The names are there for whoever wraps them.
expectTypeOf<ToolLoopMatchers>().toHaveProperty("toHaveAppendedToolResult");
