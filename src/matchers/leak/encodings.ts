/** How often a text may have been put into a JSON text again. */
const LAYERS = 3;

/** What a text can be read as: as it stands, with its JSON escapes resolved layer by layer, with its percent signs resolved. */
export function readingsOf(text: string): readonly string[] {
  const readings = [text];
  for (let layer = 0, inner = text; layer < LAYERS && inner.includes("\\"); layer++) {
    inner = inner.replace(/\\(?:u([\da-fA-F]{4})|(["\\/bfnrt]))/g, (_escape, code, letter) =>
      code === undefined ? (LETTERS[letter] ?? letter) : String.fromCharCode(Number.parseInt(code, 16)),
    );
    readings.push(inner);
  }
  if (/%[\da-fA-F]{2}/.test(text)) {
    const decoded = text.replace(/(?:%[\da-fA-F]{2})+/g, resolve);
    // In a query and in a form, a plus sign is a blank.
    readings.push(decoded, text.replaceAll("+", " ").replace(/(?:%[\da-fA-F]{2})+/g, resolve));
  }
  return readings;
}

const LETTERS: Readonly<Record<string, string>> = { b: "\b", f: "\f", n: "\n", r: "\r", t: "\t" };

function resolve(escapes: string): string {
  try {
    return decodeURIComponent(escapes);
  } catch {
    return escapes;
  }
}

/** Shorter ones may stand in any long base64 text by chance. */
const SHORTEST = 8;

/**
 * The letters that stand in a base64 text for a secret in it, whatever stands before and after: three bytes are four
 * letters, so there are three ways to lie, and the letters it shares with its neighbours are left out.
 */
export function inBase64(secret: string): readonly string[] {
  const bytes = new TextEncoder().encode(secret);
  if (bytes.length < SHORTEST) return [];
  let binary = "";
  for (const byte of bytes) binary += String.fromCharCode(byte);
  const forms = [0, 1, 2].map((before) => {
    const first = Math.ceil((before * 8) / 6);
    const last = Math.floor(((before + binary.length) * 8) / 6);
    return btoa("\0".repeat(before) + binary).slice(first, last);
  });
  return [...new Set([...forms, ...forms.map((form) => form.replaceAll("+", "-").replaceAll("/", "_"))])];
}
