import { test as base, expectTypeOf, type Mock, vi } from "vitest";
import {
  type AssistantTurn,
  cutStream,
  type Model,
  type ModelRequest,
  overloaded,
  rateLimited,
  refusal,
  repeat,
  type ScriptedModel,
  scriptedModel,
  type ToolCall,
  type ToolLoopFixtures,
  test,
  toolCall,
  toolLoopFixtures,
  turn,
} from "../../src/index.js";

// A loop as people write it: its own types, none of ours, arrays it may change.
interface Message {
  role: string;
  content: string | null;
}
type OwnTurn =
  | { kind: "text"; content: string }
  | { kind: "tool_calls"; calls: { id: string; name: string; arguments: string }[] };
type OwnModel = (messages: Message[]) => Promise<OwnTurn>;
declare function runLoop(
  model: OwnModel,
  tools: Record<string, (args: unknown) => Promise<unknown>>,
): Promise<Message[]>;
declare function runCancellable(
  model: (messages: Message[], options: { tools: string[]; signal: AbortSignal }) => Promise<OwnTurn>,
): Promise<void>;

const model = scriptedModel(
  { kind: "tool_calls", calls: [{ id: "call_1", name: "get_weather", arguments: '{"city":"Paris"}' }] },
  { kind: "text", content: "It is 14 degrees in Paris." },
);
void runLoop(model, { get_weather: vi.fn(async () => ({ tempC: 14 })) });
void runCancellable(model);

// Without a message type, messages are anything; with one, they are that.
// biome-ignore lint/suspicious/noExplicitAny: it is what is tested.
expectTypeOf(model).toEqualTypeOf<ScriptedModel<any>>();
const typed = scriptedModel<Message>("hi");
expectTypeOf(typed.seen).toEqualTypeOf<readonly (readonly Message[])[]>();
expectTypeOf(typed.requests).toEqualTypeOf<readonly ModelRequest<Message>[]>();
expectTypeOf(typed.turns).toEqualTypeOf<readonly AssistantTurn[]>();
expectTypeOf(typed.remaining).toBeNumber();
expectTypeOf(typed.overruns).toBeNumber();
expectTypeOf(typed.verify).returns.toBeVoid();
expectTypeOf(typed).toExtend<Model<Message>>();
expectTypeOf(typed).toExtend<Mock>();
expectTypeOf(typed.mock.calls[0]![0]).toEqualTypeOf<Message[]>();
// @ts-expect-error: these are no messages of this model.
void typed([{ nothing: true }]);
// @ts-expect-error: what it saw is not for changing.
typed.seen.push([]);

// Every kind of item.
scriptedModel<Message>(
  "words",
  toolCall("a"),
  toolCall("a", { b: 1 }, "id"),
  toolCall.unchecked("a", '{"malformed":'),
  [toolCall("a"), toolCall("b")],
  [toolCall("a"), toolCall("b")] as const,
  turn("words", toolCall("a"), { usage: { inputTokens: 1, outputTokens: 1 }, finish: "length" }),
  turn(),
  turn({ reasoning: "hm" }),
  { kind: "text", content: "a", finish: "stop" },
  new Error("down"),
  rateLimited({ retryAfterSeconds: 2 }),
  overloaded(),
  refusal("no"),
  cutStream(toolCall("a"), { afterChunks: 2 }),
  (messages, request) => {
    expectTypeOf(messages).toEqualTypeOf<readonly Message[]>();
    expectTypeOf(request).toEqualTypeOf<ModelRequest<Message>>();
    return messages[0]?.content ?? toolCall("a");
  },
  async () => () => "words",
  repeat(toolCall("a"), { times: 2 }),
  repeat("again", { safetyLimit: 10 }),
);
scriptedModel((messages) => `${messages.at(-1).content}`);
scriptedModel.lenient<Message>("hi");
expectTypeOf(scriptedModel.lenient("hi")).toEqualTypeOf(model);

const spoken = await typed([]);
if (spoken.kind === "tool_calls") expectTypeOf(spoken.calls).toEqualTypeOf<ToolCall[]>();
else expectTypeOf(spoken.content).toBeString();

// @ts-expect-error: undefined is no item.
scriptedModel.lenient("hi", undefined);
// @ts-expect-error: a promise is no item; a function that returns one is.
scriptedModel.lenient(Promise.resolve("hi"));
// @ts-expect-error: the kind is misspelt.
scriptedModel.lenient({ kind: "tool_call", calls: [] });
// @ts-expect-error: a call written out needs an id; toolCall(…) gives one.
scriptedModel.lenient({ kind: "tool_calls", calls: [{ name: "a", arguments: "{}" }] });
// @ts-expect-error: words beside calls are turn(…).
scriptedModel.lenient(["words", toolCall("a")]);
// @ts-expect-error: a repeat holds an item, not another repeat.
repeat(repeat("again"));
// @ts-expect-error: an error has no turn to cut.
cutStream(new Error("down"));
// @ts-expect-error: what a turn carries beside its words and calls stands last.
turn({ finish: "stop" }, "words");
// @ts-expect-error: no such finish reason.
turn("words", { finish: "finished" });

test("a test of ours", ({ scriptedModel: fixture }) => {
  expectTypeOf(fixture).toEqualTypeOf<typeof scriptedModel>();
});
const mine = base.extend<{ city: string }>({ city: "Paris" }).extend<ToolLoopFixtures>(toolLoopFixtures);
mine("a test of one's own", ({ scriptedModel: fixture, city }) => {
  expectTypeOf(fixture).toEqualTypeOf<typeof scriptedModel>();
  expectTypeOf(city).toBeString();
});
