/** Variables in which SDKs look for a credential by themselves. */
const CREDENTIAL =
  /(^|_)API_KEY$|^(AWS_SECRET_ACCESS_KEY|AWS_BEARER_TOKEN_BEDROCK|HF_TOKEN|REPLICATE_API_TOKEN|GITHUB_TOKEN)$/;

/** Set, so that an SDK does not refuse to start; worth nothing to whoever receives it. */
const PLACEHOLDER = "protected-by-vitest-tool-loop";

/** Replaces the credentials in this process's environment, so that a test cannot send, print or snapshot a real one. */
export function protectKeys(): void {
  for (const name of Object.keys(process.env)) if (CREDENTIAL.test(name)) process.env[name] = PLACEHOLDER;
}
