import type { Refusal, WireError } from "../dialect.js";

interface Kind {
  readonly status: number;
  readonly type: string;
  readonly code: string | null;
  readonly message: string;
}

/** Statuses: https://platform.openai.com/docs/guides/error-codes. */
const KINDS: Record<Refusal["reason"], Kind> = {
  "invalid-request": { status: 400, type: "invalid_request_error", code: null, message: "Invalid request." },
  "unknown-conversation": {
    status: 400,
    type: "invalid_request_error",
    code: "previous_response_not_found",
    message: "Previous response not found.",
  },
  "rate-limited": {
    status: 429,
    type: "requests",
    code: "rate_limit_exceeded",
    message: "Rate limit reached for requests.",
  },
  overloaded: {
    status: 503,
    type: "server_error",
    code: null,
    message: "The engine is currently overloaded, please try again later.",
  },
  "server-error": {
    status: 500,
    type: "server_error",
    code: null,
    message: "The server had an error while processing your request. Sorry about that!",
  },
};

export function writeError({ reason, message, violation }: Refusal): WireError {
  const { status, message: usual, ...kind } = KINDS[reason];
  const error = { message: violation?.message ?? message ?? usual, param: violation?.at ?? null, ...kind };
  return { status, body: { error } };
}
