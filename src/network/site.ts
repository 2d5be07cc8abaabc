// In two steps: of `new URL("…", import.meta.url)` Vitest makes a URL of the page where there is a DOM.
const here = import.meta.url;

/** This package's own folder, as stacks write it. What is built in one piece has no folder `network`. */
const OWN_FOLDER = decodeURIComponent(new URL(".", here).pathname)
  .replace(/network\/$/, "")
  .replace(/^\/(?=[A-Za-z]:)/, "");

/** The stack as it is now, deep enough to reach the user's line from inside an SDK. */
export function captureStack(): string {
  const limit = Error.stackTraceLimit;
  Error.stackTraceLimit = 60;
  const { stack } = new Error() as { stack?: unknown };
  // Whoever prepares stack traces of their own, to map lines, may make something else than text of them.
  const text = typeof stack === "string" && stack.includes("\n") ? stack : plainStack();
  Error.stackTraceLimit = limit;
  return text;
}

/** The stack as Node writes it, whoever prepares stack traces of their own. */
export function plainStack(): string {
  const errors: { prepareStackTrace?: unknown } = Error;
  const { prepareStackTrace } = errors;
  if (prepareStackTrace !== undefined) errors.prepareStackTrace = undefined;
  const { stack = "" } = new Error();
  if (prepareStackTrace !== undefined) errors.prepareStackTrace = prepareStackTrace;
  return stack;
}

/** The innermost frame that is the user's own code: `/app/agent.ts:12:7`. */
export function userFrame(stack: string): string | undefined {
  for (const line of stack.split("\n")) {
    const [, location] = /^\s+at (?:.*\()?(?:file:\/\/)?((?:\/|[A-Za-z]:[\\/]).+:\d+:\d+)\)?$/.exec(line) ?? [];
    if (location && !location.includes("node_modules") && !location.startsWith(OWN_FOLDER)) return location;
  }
  return undefined;
}

/** The same place as a person reads it, relative to the working directory. */
export function readable(frame: string): string {
  const folder = `${process.cwd()}/`;
  return frame.startsWith(folder) ? frame.slice(folder.length) : frame;
}
