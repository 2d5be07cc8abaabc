import { recordOf } from "./copies.js";

/** One `ctx.data.write`. */
export interface DataWrite {
  readonly name: string;
  readonly value: unknown;
}

/** One `ctx.agents.run`. `output` is absent while the agent had not answered, or where it never did. */
export interface AgentRun {
  readonly agent: string;
  readonly input: unknown;
  readonly output?: unknown;
}

/** One `ctx.tools.KEY(input)`. `output` is absent where the nested tool did not return. */
export interface ToolRun {
  readonly tool: string;
  readonly input: unknown;
  readonly output?: unknown;
}

/** One pause. `payload` is what was handed to `resume`; absent while the run waits. */
export interface SuspensionRecord {
  readonly name: string;
  readonly input: unknown;
  readonly payload?: unknown;
}

/**
 * What one branch of a run did, over all its attempts. Everything is copied when it is written, and nothing is written
 * once the attempt is over: a tool that goes on after an abort leaves no trace.
 */
export class Journal {
  readonly dataWrites: DataWrite[];
  readonly agentRuns: AgentRun[];
  readonly toolRuns: ToolRun[];
  attempts: number;
  #closed = false;

  constructor(earlier?: Journal) {
    this.dataWrites = [...(earlier?.dataWrites ?? [])];
    this.agentRuns = [...(earlier?.agentRuns ?? [])];
    this.toolRuns = [...(earlier?.toolRuns ?? [])];
    this.attempts = earlier?.attempts ?? 0;
  }

  close(): void {
    this.#closed = true;
  }

  write(name: string, value: unknown): void {
    if (!this.#closed) this.dataWrites.push({ name, value: recordOf(value) });
  }

  /** Records the start of an agent; the returned function records its output. */
  startAgent(agent: string, input: unknown): (output: unknown) => void {
    return this.#start(this.agentRuns, { agent, input: recordOf(input) });
  }

  /** Records the start of a nested tool; the returned function records its output. */
  startTool(tool: string, input: unknown): (output: unknown) => void {
    return this.#start(this.toolRuns, { tool, input: recordOf(input) });
  }

  #start<Entry extends object>(list: Entry[], entry: Entry): (output: unknown) => void {
    if (this.#closed) return () => {};
    const index = list.push(entry) - 1;
    return (output) => {
      if (!this.#closed) list[index] = { ...entry, output: recordOf(output) };
    };
  }
}
