import { diff } from "jest-diff";
import { ToolContractError } from "../errors.js";
import { oneLine } from "../json.js";
import { copyOf, recordOf } from "./copies.js";
import type { Suspension } from "./define-tool.js";
import { type Outcome, wordReason } from "./outcome.js";
import type { Runnable } from "./runnable.js";
import { type Reading, readThrough } from "./schema.js";

/** A pause that was answered: what `resume` was handed, and what its schema made of it. */
export interface Answered {
  readonly name: string;
  readonly input: unknown;
  readonly payload: unknown;
  readonly parsed: unknown;
}

/** A pause nobody has answered yet. `declared` is its declaration, in the nested tool where it was asked for. */
export interface Waiting {
  readonly name: string;
  readonly input: unknown;
  readonly declared: Suspension;
}

interface Question {
  readonly tool: Runnable;
  readonly name: string;
  readonly input: unknown;
  /** Counted from 0 over the attempt. */
  readonly nth: number;
}

type InputProblem = () => Promise<string | undefined>;

/**
 * The suspensions of one attempt: answers those that were answered before, in call order, and stops at the next.
 *
 * What happens here outweighs what the tool does afterwards. It may catch the pause, but it did not get its answer, so
 * it cannot have completed.
 */
export class AttemptSuspensions {
  readonly answered: readonly Answered[];
  readonly #pending: Promise<unknown>[] = [];
  readonly #asked: string[] = [];
  #waiting: Waiting | undefined;
  #problem: ToolContractError | undefined;

  constructor(answered: readonly Answered[]) {
    this.answered = answered;
  }

  /**
   * One `ctx.suspend`.
   *
   * @param inputProblem - What is wrong with the input of the run, which may be why this one is wrong too.
   */
  ask(tool: Runnable, name: string, input: unknown, inputProblem: InputProblem): Promise<unknown> {
    // Counted at the call, not after the schema answered: that is what "in call order" means.
    const nth = this.#asked.push(name) - 1;
    const answer = this.#answer({ tool, name, input, nth }, inputProblem);
    // A tool that forgets to await its suspension must not bring the test run down with an unhandled rejection.
    this.#pending.push(answer.catch(() => {}));
    return answer;
  }

  /** What the attempt comes to, given how `execute` ended. */
  async conclude(ended: Outcome): Promise<Outcome> {
    await Promise.all(this.#pending);
    if (this.#problem) return { status: "threw", error: this.#problem };
    if (this.#waiting) return { status: "suspended", suspend: this.#waiting };
    if (ended.status === "completed" && this.#asked.length < this.answered.length) {
      return { status: "threw", error: this.#notAskedAgain() };
    }
    return ended;
  }

  async #answer({ tool, name, input, nth }: Question, inputProblem: InputProblem): Promise<unknown> {
    const declared = Object.hasOwn(tool.suspends, name) ? tool.suspends[name] : undefined;
    if (!declared) throw this.#remember(undeclared(tool, name));
    const answered = this.answered[nth];
    if (answered) {
      if (answered.name !== name) throw this.#remember(this.#otherOrder());
      return copyOf(answered.parsed);
    }
    const reading = await this.#readInput(tool, name, declared, input);
    if (!reading.ok) {
      const problem = await inputProblem();
      throw this.#remember(
        new ToolContractError(
          `The tool ${tool.name} suspended on ${name} with an input its inputSchema does not allow: ${reading.issues}.` +
            (problem === undefined ? "" : ` ${problem}`),
        ),
      );
    }
    // Of concurrent suspensions the first wins; the others only stop their own branch of the tool.
    if (nth === this.answered.length) this.#waiting = { name, input: recordOf(reading.value), declared };
    throw new Error(`The run waits for an answer to ${name}.`);
  }

  async #readInput(tool: Runnable, name: string, { inputSchema }: Suspension, input: unknown): Promise<Reading> {
    try {
      return await readThrough(inputSchema, input);
    } catch (cause) {
      const found = `found that it threw ${wordReason(cause)}. Correct the schema.`;
      throw this.#remember(
        new ToolContractError(
          `The tool ${tool.name} could not suspend on ${name}: expected its inputSchema to judge ${oneLine(input)}, ${found}`,
          { cause },
        ),
      );
    }
  }

  #remember(problem: ToolContractError): ToolContractError {
    this.#problem ??= problem;
    return problem;
  }

  #otherOrder(): ToolContractError {
    return new ToolContractError(
      "The resumed tool asked for other suspensions than it had before; each must be asked again, in the same order. " +
        `Answered before, and asked this time:\n\n${this.#diff()}`,
    );
  }

  #notAskedAgain(): ToolContractError {
    const skipped = this.answered.slice(this.#asked.length).map(({ name }) => name);
    return new ToolContractError(
      `The resumed tool returned without asking again for ${oneLine(skipped)}: an approval could be skipped so. ` +
        `A resumed tool runs from the start and must ask again. Answered before, and asked this time:\n\n${this.#diff()}`,
    );
  }

  #diff(): string {
    const before = this.answered.map(({ name }) => name);
    return diff(before, this.#asked, { aAnnotation: "Answered", bAnnotation: "Asked again" }) ?? "";
  }
}

function undeclared(tool: Runnable, name: string): ToolContractError {
  const known = Object.keys(tool.suspends);
  return new ToolContractError(
    `The tool ${tool.name} suspended on a name it does not declare: expected ` +
      `${known.length === 0 ? "none, for it declares no suspends" : `one of ${known.join(", ")}`}, found ${oneLine(name)}. ` +
      `Add suspends: { ${name}: {} } to its definition.`,
  );
}
