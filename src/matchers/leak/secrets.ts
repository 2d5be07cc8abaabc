import { stateless } from "../says-text.js";
import { credentialsIn } from "./credentials.js";
import { inBase64, readingsOf } from "./encodings.js";

/** Something that must not be in a conversation. */
export interface Secret {
  /** What it is called in a message, which must not print it: `secret 1`, `stack frame`. */
  readonly label: string;
  /** How to keep it out. */
  readonly advice: string;
  /** The part of a text that gives it away. */
  find(text: string): string | undefined;
}

const OWN_WORDS =
  "Where a tool failed, answer its call with a sentence of your own instead of the error, its stack and its paths.";
const RELATIVE = "Write paths relative to the project, and leave them out of what a failed tool answers.";
const KEEP_OUT =
  "Keep secrets out of prompts, arguments and results: the error of a failed tool may hold one, so answer in words of your own.";

/**
 * What was planted: strings and patterns, looked for in each text as it stands and as it reads once its escapes are
 * resolved; strings in their base64 too.
 */
export function plantedSecrets(secrets: readonly (string | RegExp)[]): Secret[] {
  return secrets.map((secret, index) => {
    const label = secrets.length === 1 ? "the secret" : `secret ${index + 1}`;
    return { label, advice: KEEP_OUT, find: typeof secret === "string" ? findText(secret) : findPattern(secret) };
  });
}

function findText(secret: string): Secret["find"] {
  const encoded = inBase64(secret);
  return (text) => {
    const isThere =
      readingsOf(text).some((reading) => reading.includes(secret)) || encoded.some((form) => text.includes(form));
    return isThere ? secret : undefined;
  };
}

function findPattern(secret: RegExp): Secret["find"] {
  const pattern = stateless(secret);
  return (text) => firstMatch(readingsOf(text), (reading) => pattern.exec(reading)?.[0]);
}

/** What no conversation should hold: stack frames, paths of this machine, credentials. */
export function knownSecrets(): Secret[] {
  const paths = pathsOfThisMachine();
  return [
    {
      label: "stack frame",
      advice: OWN_WORDS,
      find: (text) => firstMatch(STACK_FRAMES, (pattern) => pattern.exec(text)?.[0]),
    },
    {
      label: "path of this machine",
      advice: RELATIVE,
      find: (text) => firstMatch(paths, (pattern) => pattern.exec(text)?.[0]),
    },
    { label: "credential", advice: KEEP_OUT, find: credentialsIn },
  ];
}

const STACK_FRAMES = [
  // V8, also with the lines of the stack joined to one. A time ("at 10:30:15") has no path.
  /\bat (?:async )?(?:new )?(?:[\w$.<>[\]# ]+ )?\(?(?:(?:file|node|https?|webpack[\w-]*):|[^\s():]*[/\\.]|[A-Za-z]:[/\\])[^\s()]*:\d+:\d+\)?/,
  // SpiderMonkey and JavaScriptCore.
  /(?:^|\n)\s*[\w$.<>/]*@(?:file|https?|webpack[\w-]*):\S+:\d+:\d+/,
  // Python, for tools behind a process.
  /File "[^"\n]+", line \d+, in \S+/,
];

/**
 * The folders in which this test runs and its user lives. Others' paths are no leak: a tool may well talk about
 * `/etc/hosts`.
 */
function pathsOfThisMachine(): RegExp[] {
  const os = globalThis.process?.getBuiltinModule?.("node:os");
  const folders = [globalThis.process?.cwd?.(), os?.homedir(), os?.tmpdir()];
  return folders
    .filter((folder) => folder !== undefined && folder !== "/" && folder !== "/tmp")
    .map((folder) => {
      // A path reads the same with either slash, and doubled ones inside escaped text.
      const steps = folder!.split(/[/\\]+/).map((step) => step.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"));
      return new RegExp(`(?<![\\w.~-])${steps.join("[/\\\\]+")}(?![\\w-])[^\\s"'\`<>|)]*`);
    });
}

function firstMatch<Item>(items: readonly Item[], find: (item: Item) => string | undefined): string | undefined {
  for (const item of items) {
    const found = find(item);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Enough of a secret to recognise it, never enough to use it: `sk-p… (4 of 51 characters shown)`. */
export function mask(secret: string): string {
  const shown = secret.trimStart().slice(0, Math.min(4, Math.floor(secret.length / 4)));
  return `${shown.replace(/\s+/g, " ")}… (${shown.length} of ${secret.length} characters shown)`;
}
