import type { Refusal, WireError } from "../dialect.js";

interface Kind {
  readonly status: number;
  readonly type: string;
  readonly message: string;
  readonly details?: Readonly<Record<string, unknown>>;
}

/** Statuses: https://docs.anthropic.com/en/api/errors; details of threads: @anthropic-ai/sdk 1.14.0, ThreadState. */
const KINDS: Record<Refusal["reason"], Kind> = {
  "invalid-request": { status: 400, type: "invalid_request_error", message: "Invalid request" },
  "unknown-conversation": {
    status: 404,
    type: "not_found_error",
    message: "No thread was found for this `previous_message_id`",
    details: { error_code: "thread_not_found" },
  },
  "rate-limited": {
    status: 429,
    type: "rate_limit_error",
    message: "This request would exceed your organization's rate limit. Please try again later.",
  },
  overloaded: { status: 529, type: "overloaded_error", message: "Overloaded" },
  "server-error": { status: 500, type: "api_error", message: "Internal server error" },
};

export function writeError({ reason, message, violation }: Refusal): WireError {
  const { status, message: usual, ...kind } = KINDS[reason];
  const error = { ...kind, message: violation?.message ?? message ?? usual };
  return { status, body: { type: "error", error, request_id: null } };
}
