/**
 * Credential formats come from secretlint's recommended rules: a list that others keep up to date, in one package without
 * dependencies, whose rules can be asked synchronously. It is made for source code, where a false alarm is worse than a
 * miss; the formats below are those that it misses, or takes only with their checksum, and that agents meet most.
 */
const ALSO: readonly RegExp[] = [
  // OpenAI and the many that imitate it; the list asks for a marker that new keys may lack. The digit spares prose.
  /(?<![\w-])sk-(?=[\w-]*\d)[\w-]{20,}/,
  // Stripe: https://docs.stripe.com/keys
  /(?<!\w)[rs]k_(?:live|test)_\w{16,}/,
  // Access key ids of AWS: https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_identifiers.html
  /(?<![\w/+])A(?:KI|SI)A[A-Z0-9]{16}(?!\w)/,
  // Google API keys: https://cloud.google.com/docs/authentication/api-keys
  /(?<!\w)AIza[\w-]{35}/,
  // JSON Web Tokens (RFC 7519): header, claims, signature.
  /(?<!\w)eyJ[\w-]{8,}\.eyJ[\w-]{8,}\.[\w-]{8,}/,
  // An authorization header (RFC 6750).
  /(?<!\w)Bearer [\w.~+/-]{20,}=*/,
  // Private keys in PEM (RFC 7468), cut ones too.
  /-----BEGIN (?:[A-Z0-9]+ )*PRIVATE KEY-----/,
];

/** Shortest text that can hold a credential; below it the rules need not be asked. */
const SHORTEST = 16;

/** The first credential in a text. */
export function credentialsIn(text: string): string | undefined {
  if (text.length < SHORTEST) return undefined;
  for (const pattern of ALSO) {
    const found = pattern.exec(text)?.[0];
    if (found !== undefined) return found;
  }
  return (ask ??= loadRules())(text);
}

let ask: ((text: string) => string | undefined) | undefined;

/** The part of secretlint's rule interface that is used. */
interface SecretlintRule {
  readonly meta: { readonly id: string };
  create(context: object, options: object): { file?(source: object): unknown };
}

/**
 * Loaded when first asked: the rules would cost every test file 20 ms and more. In a browser, which cannot load them
 * synchronously, the formats above are all that is known.
 */
function loadRules(): (text: string) => string | undefined {
  const nodeModule = globalThis.process?.getBuiltinModule?.("node:module");
  if (!nodeModule) return () => undefined;
  const require = nodeModule.createRequire(import.meta.url);
  const { rules } = require("@secretlint/secretlint-rule-preset-recommend") as { rules: readonly SecretlintRule[] };
  let range: readonly [number, number] | undefined;
  const context = {
    createTranslator: () => (id: string) => ({ message: id, messageId: id, data: {} }),
    report: (found: { range: readonly [number, number] }) => void (range ??= found.range),
    // Comments that switch rules off are for source code.
    ignore: () => {},
    sharedOptions: {},
  };
  const checks = rules.map((rule) => rule.create(context, {}));
  return (text) => {
    range = undefined;
    const source = { content: text, filePath: "message.txt", ext: ".txt", contentType: "text" };
    for (const check of checks) {
      check.file?.(source);
      if (range) return text.slice(...(range as [number, number]));
    }
    return undefined;
  };
}
