import type { Destination } from "./patterns.js";

/** Hosts that serve models. A request there costs money and is retried for seconds by every SDK. */
const HOSTS = new RegExp(
  `^(${[
    String.raw`api\.(openai|anthropic|mistral|groq|deepseek|perplexity|cerebras|sambanova|replicate|voyageai|minimax|minimaxi)\.(com|ai)`,
    String.raw`api\.(cohere\.(com|ai)|x\.ai|together\.(xyz|ai)|fireworks\.ai|z\.ai|moonshot\.(ai|cn)|studio\.nebius\.(com|ai))`,
    String.raw`(codestral|[\w-]+\.api)\.(mistral\.ai|openai\.com|cognitive\.microsoft\.com)`,
    String.raw`[\w-]+\.(openai|services\.ai|inference\.ai)\.azure\.com`,
    String.raw`models\.(github\.ai|inference\.ai\.azure\.com)`,
    String.raw`generativelanguage\.googleapis\.com|([\w-]+-)?aiplatform\.googleapis\.com`,
    String.raw`bedrock-(runtime|agent-runtime|mantle)(-fips)?\.[\w-]+\.(amazonaws\.com|api\.aws)`,
    String.raw`openrouter\.ai|ai-gateway\.vercel\.sh|gateway\.ai\.cloudflare\.com|integrate\.api\.nvidia\.com`,
    String.raw`(router|api-inference)\.huggingface\.co|dashscope(-intl)?\.aliyuncs\.com|ollama\.com`,
  ].join("|")})$`,
  "i",
);

/** What a model's API is asked for, whatever the host: gateways, proxies, local servers. */
const PATHS =
  /\/(chat\/completions|v\d+(beta)?\/(completions|responses|messages)|openai\/responses|v2\/chat|api\/(chat|generate))$|:(stream)?generateContent$|\/model\/[^/]+\/(converse|converse-stream|invoke|invoke-with-response-stream)$/i;

/** Whether a model is behind this destination: a known host, or any host asked for a model API's path. */
export function isModelProvider({ host, url }: Destination): boolean {
  return HOSTS.test(host) || (url !== undefined && PATHS.test(new URL(url).pathname));
}
