import type { ProblemCode } from "../base/problem.ts";
import type { RequestEntry, RequestWindow } from "../http/request-log.ts";

/** Why requests get the answers that they get. */
export const requestReasons = [
  "served",
  "unchanged",
  "minute_limit",
  "day_limit",
  "ban",
  "inquiry_limit",
  "address_limit",
  "key_missing",
  "key_invalid",
  "key_expired",
  "key_revoked",
  "other_environment",
  "scope",
  "networks",
  "suspension",
  "https_required",
  "not_found",
  "no_route",
  "method",
  "input",
  "conflict",
  "in_progress",
  "changed",
  "removed",
  "timeout",
  "failure",
  "unavailable",
] as const;
/** Why a request got its answer. Later versions may add reasons. */
export type RequestReason = (typeof requestReasons)[number];

/** When the same request would have been served, in the order of the waits. */
export const retryAdvice = ["not_needed", "at_once", "later", "never"] as const;
/** When the same request would have been served: at a time, at once, or never, because its cause does not go away. */
export type RetryAdvice = (typeof retryAdvice)[number];

/** A limit before and after a request. */
export interface ExplainedWindow extends Pick<RequestWindow, "name" | "limit" | "resetsAt"> {
  /** How many requests were left before this one. */
  readonly before: number;
  /** How many were left after it. */
  readonly after: number;
}

/** Why a request got its answer, without words. Instants are in milliseconds since the Unix epoch. */
export interface RequestExplanation {
  readonly reason: RequestReason;
  readonly retry: RetryAdvice;
  /** When the same request would have been served, if no other one had come first; only with `later`. */
  readonly retryAt: number | null;
  readonly windows: readonly ExplainedWindow[];
}

/** Explains the answer to a request. Pure: the API, the command line and the dashboard share it. */
export function explainRequest(
  request: Pick<RequestEntry, "at" | "status" | "code" | "rule" | "cost" | "windows">,
): RequestExplanation {
  const reason = reasonOf(request);
  const retryAt = LIMITS.has(reason) ? freeAt(request) : undefined;
  return {
    reason,
    retry: retryAt === undefined ? adviceOf(reason) : "later",
    retryAt: retryAt ?? null,
    windows: request.windows.map(({ name, limit, remaining, resetsAt }) => ({
      name,
      limit,
      before: Math.min(limit, remaining + request.cost),
      after: remaining,
      resetsAt,
    })),
  };
}

/** The reasons that end by themselves, when windows reset. */
const LIMITS: ReadonlySet<RequestReason> = new Set([
  "minute_limit",
  "day_limit",
  "ban",
  "inquiry_limit",
  "address_limit",
]);

/** Returns when the windows that refused a request reset. */
function freeAt({ windows }: Pick<RequestEntry, "windows">): number | undefined {
  const resets = windows.flatMap(({ remaining, resetsAt }) => (remaining === 0 ? [resetsAt] : []));
  return resets.length === 0 ? undefined : Math.max(...resets);
}

function reasonOf({
  status,
  code,
  rule,
}: Pick<RequestEntry, "status" | "code" | "rule">): RequestReason {
  if (rule !== undefined) return rule;
  const known = code === undefined ? undefined : BY_CODE[code];
  if (known !== undefined) return known;
  if (status === 304) return "unchanged";
  if (status < 400) return "served";
  return status < 500 ? "input" : "failure";
}

/** The codes that are no fault of the request's contents. */
const BY_CODE: Readonly<Partial<Record<ProblemCode, RequestReason>>> = {
  missing_api_key: "key_missing",
  invalid_api_key: "key_invalid",
  expired_api_key: "key_expired",
  revoked_api_key: "key_revoked",
  wrong_environment: "other_environment",
  https_required: "https_required",
  not_found: "not_found",
  route_not_found: "no_route",
  method_not_allowed: "method",
  request_timeout: "timeout",
  invalid_transition: "conflict",
  category_in_use: "conflict",
  category_exists: "conflict",
  idempotency_in_progress: "in_progress",
  operation_removed: "removed",
  precondition_failed: "changed",
  internal_error: "failure",
  unavailable: "unavailable",
};

function adviceOf(reason: RequestReason): RetryAdvice {
  return ADVICE[reason] ?? "never";
}

const ADVICE: Readonly<Partial<Record<RequestReason, RetryAdvice>>> = {
  served: "not_needed",
  unchanged: "not_needed",
  in_progress: "at_once",
  timeout: "at_once",
  failure: "at_once",
  unavailable: "at_once",
};
