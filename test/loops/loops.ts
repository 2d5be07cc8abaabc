import { readFileSync } from "node:fs";
import { basename, resolve } from "node:path";
import type { Model } from "../../src/index.js";

export type Message = Record<string, unknown>;
export type Tools = Record<string, (args: never) => Promise<unknown>>;
export type RunLoop = (
  model: Model<Message>,
  tools: Tools,
  messages: Message[],
  maxTurns?: number,
) => Promise<Message[]>;

export type LoopDialect = "openai-chat" | "anthropic";

const FOLDER = resolve(import.meta.dirname, "../../fixtures/loops");

/** A line of `mutants.jsonl` or `alternates.jsonl`. */
export interface IndexedLoop {
  /** Relative to `fixtures/loops`. */
  readonly file: string;
  readonly dialect: LoopDialect;
}

/** The lines of an index. */
export function indexOf(index: "mutants" | "alternates"): readonly IndexedLoop[] {
  const lines = readFileSync(resolve(FOLDER, `${index}.jsonl`), "utf8")
    .trim()
    .split("\n");
  return lines.map((line) => JSON.parse(line) as IndexedLoop);
}

/** `anthropic/role-tool` of `mutants/anthropic/role-tool.ts`. */
export function nameOf({ file, dialect }: IndexedLoop): string {
  return `${dialect}/${basename(file, ".ts")}`;
}

/** Where a loop's file is. */
export function pathOf(file: string): string {
  return resolve(FOLDER, file);
}

/** Loads a loop. The path is no literal, so that the type check leaves the fixtures alone. */
export async function loadLoop(file: string): Promise<RunLoop> {
  const loaded = (await import(pathOf(file))) as { readonly runLoop: RunLoop };
  return loaded.runLoop;
}

export function loadReference(dialect: LoopDialect): Promise<RunLoop> {
  return loadLoop(`reference.${dialect}.ts`);
}
