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
