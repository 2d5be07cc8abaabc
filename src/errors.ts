/** What a {@link ToolLoopError} carries beside its sentence. */
export interface ToolLoopErrorDetails {
  /** Where in the developer's own value, as a path: `messages[3].tool_calls[0]`. */
  readonly at?: string;
  readonly cause?: unknown;
}

/**
 * Every error this package throws by itself.
 *
 * `message` reads `[vitest-tool-loop] What failed: expected X, found Y, at Z. Fix.`; `code` is stable and meant for
 * programs. Errors are recognised by `code` and `name`, never by `instanceof`: two copies of the package may be loaded.
 */
export class ToolLoopError extends Error {
  override readonly name: string = "ToolLoopError";
  readonly code: string;
  readonly at: string | undefined;

  constructor(code: string, sentence: string, details: ToolLoopErrorDetails = {}) {
    super(`[vitest-tool-loop] ${sentence}`, details.cause === undefined ? undefined : { cause: details.cause });
    this.code = code;
    this.at = details.at;
  }
}

/** The package was used in a way that cannot work: a wrong subject, a missing `await`, a missing setup line. */
export class UsageError extends ToolLoopError {
  override readonly name = "UsageError";

  constructor(sentence: string, details: ToolLoopErrorDetails = {}) {
    super("usage", sentence, details);
  }
}

/** What a message about a script shows. Both texts are printed already, one line an entry. */
export interface ScriptEvidence {
  /** The script, numbered. */
  readonly script: string;
  /** The end of the conversation the call brought. */
  readonly sent: string;
}

/** The model was called although its script had nothing left to say. */
export class ScriptExhaustedError extends ToolLoopError {
  override readonly name = "ScriptExhaustedError";

  constructor(call: number, turns: number, { script, sent }: ScriptEvidence) {
    super(
      "script-exhausted",
      `The loop called the model more times than scripted: call ${call}, but the script has ${counted(turns, "turn")}.\n\n` +
        `The script:\n\n${script}\n\nThe last messages sent:\n\n${sent}\n\n` +
        "Check why the loop did not stop after the last turn. If it is right to call again, add the turn it should get, " +
        "or end the script with repeat(…).",
    );
  }
}

/** An endless repeat was spoken so often that the loop will not stop by itself. */
export class RunawayLoopError extends ToolLoopError {
  override readonly name = "RunawayLoopError";

  constructor(at: string, limit: number, { script, sent }: ScriptEvidence) {
    super(
      "runaway-loop",
      `The loop does not stop: ${at} is an endless repeat, and it was spoken ${counted(limit, "time")}, its safety limit.\n\n` +
        `The script:\n\n${script}\n\nThe last messages sent:\n\n${sent}\n\n` +
        "Give the loop a cap on its turns. If it may call this often, raise repeat(…, { safetyLimit }), " +
        "or say how often with { times }.",
      { at },
    );
  }
}

/** What {@link ScriptLeftoverError} reports. */
export interface ScriptLeftover {
  /** Full name of the test, where the script belongs to one. */
  readonly test?: string;
  readonly calls: number;
  /** Turns never spoken. */
  readonly left: number;
  /** The script, printed, with `>` at what is left. */
  readonly script: string;
}

/** The loop stopped before the script was spoken to its end. */
export class ScriptLeftoverError extends ToolLoopError {
  override readonly name = "ScriptLeftoverError";

  constructor({ test, calls, left, script }: ScriptLeftover) {
    const whose = test === undefined ? "" : ` of "${test}"`;
    const found = calls === 0 ? "the loop never called it" : `the loop stopped after ${counted(calls, "call")}`;
    super(
      "script-leftover",
      `The script${whose} was not spoken to its end: expected ${counted(left, "more call")} of the model, but ${found}.\n\n` +
        `${script}\n\n` +
        "Check why the loop stopped early, or take what is left out of the script. A turn that may be spoken any number " +
        "of times is repeat(…); a script that need not be spoken to its end is scriptedModel.lenient(…).",
    );
  }
}

/** A scripted fault of the provider, as it reaches a loop that calls a model function. */
export class FaultError extends ToolLoopError {
  override readonly name = "FaultError";
  /** The HTTP status the provider's SDK would report; undefined where no answer arrives. */
  readonly status: number | undefined;
  /** The name of the function that made the fault: `rateLimited`, `overloaded`, … */
  readonly kind: string;
  /** What the provider asks to wait, in seconds. */
  readonly retryAfterSeconds: number | undefined;

  constructor(kind: string, at: string, status: number | undefined, retryAfterSeconds?: number) {
    super("fault", `The model call failed, as scripted: ${kind}() with status ${status}, at ${at}.`, { at });
    this.kind = kind;
    this.status = status;
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

/** A check on a `runTool` handle did not hold: the tool did something else. */
export class OutcomeError extends ToolLoopError {
  override readonly name = "OutcomeError";

  constructor(sentence: string, details: ToolLoopErrorDetails = {}) {
    super("outcome", sentence, details);
  }
}

/**
 * A tool broke the contract of the harness while it ran: it suspended on a name it never declared, skipped an approval
 * it had asked for, or returned what no model can be sent. The run is then `threw`.
 */
export class ToolContractError extends ToolLoopError {
  override readonly name = "ToolContractError";

  constructor(sentence: string, details: ToolLoopErrorDetails = {}) {
    super("tool_contract", sentence, details);
  }
}

function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}

/** The script has the model say what no model could say in answer to this request. */
export class ImpossibleTurnError extends ToolLoopError {
  override readonly name = "ImpossibleTurnError";

  constructor({ expected, found, fix }: { expected: string; found: string; fix: string }, at: string) {
    super("impossible-turn", `No model could answer so: expected ${expected}, found ${found}, at ${at}. ${fix}`, {
      at,
    });
  }
}

/** What {@link RefusedRequestError} reports. */
export interface RefusedRequest {
  /** What the provider's API is called. */
  readonly api: string;
  /** Counted from 1. */
  readonly request: number;
  readonly rule: string;
  readonly at: string;
  /** The conversation as it was sent, printed, with `>` at the place. */
  readonly conversation: string;
  /** What the API answers, with its name. */
  readonly answer: string;
  readonly fix: string;
}

/** The loop sent a request that the provider's API refuses. */
export class RefusedRequestError extends ToolLoopError {
  override readonly name = "RefusedRequestError";

  constructor({ api, request, rule, at, conversation, answer, fix }: RefusedRequest) {
    super(
      "refused-request",
      `The loop sent what ${api} refuses: expected request ${request} to keep its rules, found ${rule} broken, at ${at}.\n\n` +
        `${conversation}\n\n${answer}\n${fix}\n` +
        "To serve such requests all the same, pass { validate: false } where the model is served.",
      { at },
    );
  }
}

/** A request, connection or name lookup that the test neither scripted nor allowed. It was blocked. */
export class StrayRequestError extends ToolLoopError {
  override readonly name = "StrayRequestError";

  /**
   * @param frame - The user's line, as a stack has it: Vitest prints the code around it. Our own frames would hide it.
   */
  constructor(sentence: string, frame: string | undefined) {
    super("stray-request", sentence, frame === undefined ? {} : { at: frame });
    this.stack = `${this.name}: ${this.message}${frame === undefined ? "" : `\n    at ${frame}`}`;
  }
}

/**
 * An argument or option that cannot be used, whatever the subject. Users see a {@link UsageError}; inside it is told
 * apart from a wrong subject, which an asymmetric matcher passes over.
 */
export class ArgumentError extends UsageError {}
