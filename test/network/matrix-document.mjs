const START = "<!-- matrix: written by test/network/matrix.mjs -->";
const END = "<!-- /matrix -->";

/**
 * Puts what the sets of versions showed between the marks of a document.
 *
 * @param found - Per set: its name, its versions by package, and one row per mode and client that held.
 */
export function withMatrix(document, found) {
  const [before] = document.split(START);
  const [, after] = document.split(END);
  return [before + START, "", versionTable(found), "", clientTable(found), "", END + after].join("\n");
}

function versionTable(found) {
  const names = Object.keys(found[0].versions);
  return table(
    ["", ...found.map(({ name }) => name)],
    names.map((name) => [name, ...found.map(({ versions }) => versions[name])]),
  );
}

function clientTable(found) {
  const clients = [...new Set(found.flatMap(({ rows }) => rows.map(({ name }) => name)))];
  return table(
    ["client", "the sentence names", ...found.map(({ name }) => `blocked and failed, ${name}`)],
    clients.map((client) => {
      const rowsOf = (rows) => rows.filter(({ name }) => name === client);
      const sample = found.flatMap(({ rows }) => rowsOf(rows))[0].sentence;
      return [client, wordsOf(sample), ...found.map(({ rows }) => modesOf(rowsOf(rows), rows))];
    }),
  );
}

function wordsOf(sentence) {
  const what = sentence.includes("request: ")
    ? "method, URL"
    : sentence.includes("host name")
      ? "host"
      : "host and port";
  return sentence.includes(", at ") ? `${what}, line` : what;
}

function modesOf(rows, all) {
  const modes = [...new Set(all.map(({ mode }) => mode))];
  const missing = modes.filter((mode) => !rows.some((row) => row.mode === mode));
  if (missing.length === modes.length) return "not there";
  return missing.length === 0 ? `all ${modes.length} modes` : `${rows.length} modes (not in ${missing.join("; ")})`;
}

function table(head, rows) {
  return [head, head.map(() => "---"), ...rows].map((cells) => `| ${cells.join(" | ")} |`).join("\n");
}
