import type { ToolLoopMatchers } from "../../src/index.js";
import type { ScenarioTitle } from "./scenarios.js";

/** What else than a matcher of ours catches a bug, where none is about it. */
type Plainly = "the script" | "the tool's spy" | "resolves or rejects" | "toEqual";

/** How each planted bug is caught: in which scenario, by which assertion, and what the message has to say about it. */
export const catches: {
  readonly [title in ScenarioTitle]?: Partial<Record<keyof ToolLoopMatchers | Plainly, Record<string, RegExp>>>;
} = {
  "a call is answered": {
    toHaveAppendedToolResult: {
      "openai-chat/role-user": /call_1.*messages\[2\].*role "user"/,
      "openai-chat/omits-tool-call-id": /messages\[2\] answers without an id.*tool_call_id: "call_1"/s,
      "openai-chat/camel-case-id-key": /without an id \(its keys are role, toolCallId, content\)/,
      "openai-chat/tool-name-as-id": /messages\[2\] answers "next_ferry", which no turn asked for/,
      "openai-chat/random-result-id": /messages\[2\] answers .*which no turn asked for/,
      "openai-chat/content-is-object": /messages\[2\].*expected a string, but got an object/s,
      "openai-chat/content-object-object": /to hold \{"leaves":"14:20"\}, but messages\[2\] holds "\[object Object\]"/,
      "openai-chat/result-double-encoded": /to hold \{"leaves":"14:20"\}, but messages\[2\] holds "\\"\{/,
      "openai-chat/assistant-turn-missing": /messages\[1\] answers it and no turn before it asked/,
      "openai-chat/assistant-turn-without-calls": /messages\[2\] answers it and no turn before it asked/,
      "openai-chat/results-before-call": /messages\[1\] answers it before messages\[2\] asks/,
      "anthropic/role-tool": /messages\[2\].*role "tool"/,
      "anthropic/role-assistant": /messages\[2\].*role "assistant"/,
      "anthropic/result-id-missing": /messages\[2\]\.content\[0\] answers without an id/,
      "anthropic/result-id-wrong-key": /without an id \(its keys are type, tool_call_id, content\)/,
      "anthropic/content-is-object": /messages\[2\]\.content\[0\].*Input should be a valid string or list/s,
    },
    "the script": {
      "anthropic/extra-call-after-text": /more times than scripted: call 3, but the script has 2 turns/,
    },
  },
  "a run appends exactly the call, the result and the words": {
    toHaveAppended: {
      "openai-chat/call-type-missing": /messages\[1\] is not the one expected.*"type": "function"/s,
      "openai-chat/arguments-double-encoded": /messages\[1\] is not the one expected.*\\\\"from/s,
      "openai-chat/final-text-lost": /Expected 3 messages appended.*but 2 messages were.*At 14:20/s,
    },
  },
  "what a tool returned reaches the model": {
    toHaveAppendedToolResult: {
      "openai-chat/results-never-sent": /call_1.*asked for it in turn 1.*the last request holds no such call/,
    },
  },
  "words beside a call stay with it": {
    toHaveAppended: {
      "openai-chat/text-beside-calls-lost": /messages\[1\] is not the one expected.*Let me look/s,
      "anthropic/text-beside-calls-lost": /messages\[1\] is not the one expected.*Let me look/s,
    },
    toMatchToolCallIds: {
      "openai-chat/text-splits-call-and-result": /result of call_1.*stands behind messages\[2\]/,
    },
  },
  "parallel calls are answered in the order they were asked": {
    toMatchToolCallIds: {
      "openai-chat/one-result-for-all": /nothing answers call_2/,
      "openai-chat/completion-order": /order of the calls \(call_1, call_2\).*call_2, call_1/,
      "anthropic/last-call-only": /nothing answers call_1/,
      "anthropic/completion-order": /order of the calls \(call_1, call_2\).*call_2, call_1/,
      "anthropic/text-between-results": /result of call_2.*stands behind messages\[2\]\.content\[1\]/,
    },
  },
  "parallel calls run at the same time": {
    toEqual: {
      "openai-chat/sequential": /- +"quick starts",\s+"slow ends",\s+\+ +"quick starts"/,
    },
  },
  "each turn goes on from the one before": {
    toKeepCachePrefix: {
      "openai-chat/only-new-messages-sent": /request.*messages\[0\]/,
      "openai-chat/old-results-blanked": /messages\[2\].*\[removed\]/s,
    },
    toMatchToolCallIds: {
      "anthropic/ids-restart-each-turn": /messages\[3\].*unique/s,
    },
  },
  "the same call runs again in a later turn": {
    toHaveAppendedToolResult: {
      "openai-chat/results-cached-across-runs": /call_2 to hold \{"cars":11\}, but messages\[4\] holds .*10/,
    },
  },
  "an unknown tool is an error the model hears of": {
    toHaveAppendedToolResult: {
      "openai-chat/unknown-tool-drops-batch": /call_2, but messages\[2\] answers only call_1/,
    },
    toHaveAppendedToolError: {
      "openai-chat/unknown-tool-ends-run": /call_1, but nothing was appended after messages\[1\]/,
      "anthropic/unknown-tool-skipped": /call_1, but messages\[2\] answers only call_2/,
    },
  },
  "a name every object inherits is an unknown tool": {
    toHaveAppendedToolError: {
      "openai-chat/inherited-tool-name": /call_1.*messages\[2\].*object Object/,
    },
  },
  "a throwing tool fails its own call only": {
    "resolves or rejects": {
      "openai-chat/tool-error-escapes": /rejected.*card refused.*instead of resolving/,
      "openai-chat/missing-await-in-try": /rejected.*card refused.*instead of resolving/,
      "anthropic/tool-error-escapes": /rejected.*card refused.*instead of resolving/,
    },
    toHaveAppendedToolResult: {
      "openai-chat/throw-drops-siblings":
        /call_2 to hold "14:20", but messages\[3\] holds .*A tool of this batch failed/,
    },
    "the tool's spy": {
      "openai-chat/failing-tool-retried": /charge.*called 1 time.*2 times/,
    },
    toHaveAppendedToolError: {
      "anthropic/is-error-empty": /call_1.*messages\[2\]\.content\[0\].*content cannot be empty/s,
    },
  },
  "a thrown value that is no Error is a failure like any other": {
    "resolves or rejects": {
      "openai-chat/only-error-instances-caught": /rejected.*card refused.*instead of resolving/,
    },
  },
  "nothing private of a failure reaches the model": {
    toLeak: {
      "openai-chat/leaks-message": /requests\[1\]\.messages\[2\].*sk-/,
      "openai-chat/leaks-stack": /requests\[1\]\.messages\[2\].*secret 3/,
      "anthropic/leaks-message": /requests\[1\]\.messages\[2\].*sk-/,
      "anthropic/leaks-cause-chain": /requests\[1\]\.messages\[2\].*secret 2/,
    },
  },
  "arguments that are not JSON run nothing": {
    toHaveAppendedToolError: {
      "openai-chat/bad-json-runs-empty": /call_1.*messages\[2\].*14:20/,
      "anthropic/bad-json-runs-empty":
        /call_1.*messages\[2\]\.content\[0\] says "14:20" and is not marked as a failure/,
    },
  },
  "arguments that are no object run nothing": {
    toHaveAppendedToolError: {
      "openai-chat/non-object-reaches-tool": /call_1.*messages\[2\].*14:20/,
    },
  },
  "the conversation with a malformed call is still accepted": {
    toBeAcceptedBy: {
      "anthropic/bad-json-input-null": /messages\[1\]\.content\[0\].*valid dictionary/s,
    },
  },
  "arguments go back as the model wrote them": {
    toHaveAppended: {
      "openai-chat/arguments-rewritten": /messages\[1\] is not the one expected.*12345678901234567000/s,
    },
  },
  "a __proto__ key is a key": {
    toHaveAppendedToolResult: {
      "openai-chat/proto-key-becomes-prototype": /\{"admin":false\}, but messages\[2\] holds .*admin\\":true/,
    },
  },
  "a tool that edits its arguments edits no other call": {
    toHaveAppendedToolResult: {
      "openai-chat/empty-arguments-shared": /call_2.*messages\[3\] holds .*edited/,
    },
  },
  "a result that JSON cannot hold does not end the run": {
    "resolves or rejects": {
      "anthropic/bigint-result-escapes": /rejected.*TypeError.*serialize.*instead of resolving/,
    },
  },
  "a loop that is never told to stop stops at its cap": {
    toStopWithinTurns: {
      "openai-chat/cap-one-too-many": /within 3 turns, but the model was called 4 times/,
      "anthropic/cap-leaves-call-open": /nothing answers call_3/,
    },
  },
  "without a cap of one's own it is 8": {
    toStopWithinTurns: {
      "openai-chat/cap-other-default": /within 8 turns, but the model was called 10 times/,
    },
  },
  "the cap counts turns, and the last one may still be words": {
    toHaveFinishedScript: {
      "openai-chat/cap-counts-calls": /stopped after 1 call and 2 turns are left/,
      "anthropic/cap-one-too-few": /stopped after 2 calls and 1 turn is left/,
    },
  },
  "a model that fails ends the run, and is asked once": {
    "resolves or rejects": {
      "openai-chat/model-error-swallowed": /resolved.*instead of rejecting/,
    },
    "the script": {
      "openai-chat/model-retried": /more times than scripted: call 2, but the script has 1 turn/,
    },
  },
  "the caller's messages stay as they were": {
    toEqual: {
      "openai-chat/system-message-grows": /Tools: next_ferry/,
      "anthropic/callers-array-mutated": /next ferry\?.*tool_use/s,
    },
  },
};
