import { MAX_WAIT_SECONDS, retryAfterSecondsIn } from "../base/retry-after.ts";
import type { FieldError, ProblemCode } from "../base/problem.ts";

/** The codes of `PetstoreError`; `unexpected_answer` if the response was broken or not from the service. */
export type PetstoreErrorCode = ProblemCode | "unexpected_answer";

/** A refusal by the service, as the client throws it. */
export interface Refusal {
  readonly code: PetstoreErrorCode;
  readonly message: string;
  /** HTTP status. */
  readonly status: number;
  /** Quote it when you contact the operator; absent if the client refused before sending. */
  readonly requestId?: string | undefined;
  /** All faults of a body; only with 400. */
  readonly errors?: readonly FieldError[] | undefined;
  /** Seconds to wait before another attempt. */
  readonly retryAfterSeconds?: number | undefined;
}

/** A refusal by the service. Distinguish cases by `code`, which is stable; the message is for people. */
export class PetstoreError extends Error implements Refusal {
  override readonly name = "PetstoreError";
  declare readonly code: PetstoreErrorCode;
  declare readonly status: number;
  declare readonly requestId: string | undefined;
  declare readonly errors: readonly FieldError[];
  declare readonly retryAfterSeconds: number | undefined;

  constructor({ message, errors = [], ...rest }: Refusal) {
    super(message);
    Object.assign(this, { ...rest, errors });
  }
}

/** Returns whether the service has no such resource. */
export function isMissing(error: unknown): boolean {
  return error instanceof PetstoreError && error.code === "not_found";
}

/** The service did not respond: the network failed or the time ran out. `cause` is the last error. */
export class PetstoreUnreachable extends Error {
  override readonly name = "PetstoreUnreachable";
}

/** A complete response. */
export interface CompleteResponse {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

/** Returns the failure that a response reports, even if a proxy sent it. `hint` ends its message. */
export function failureOf(reply: CompleteResponse, hint = ""): PetstoreError {
  const { status, headers, text } = reply;
  const refusal = refusalIn(text);
  return new PetstoreError({
    code: refusal?.code ?? "unexpected_answer",
    message: (refusal?.message ?? unexpected(reply)) + hint,
    status,
    errors: refusal?.errors,
    requestId: headers.get("x-request-id") ?? undefined,
    retryAfterSeconds: retryAfterSecondsIn(headers, MAX_WAIT_SECONDS),
  });
}

function unexpected({ status, headers }: CompleteResponse): string {
  // Browsers hide the status of a redirect, and where it leads.
  return status === 0 || (status > 299 && status < 400)
    ? `The server redirects to ${headers.get("location") ?? "another address"}.`
    : `The response (HTTP ${status}) is not from the service.`;
}

function refusalIn(text: string): Pick<Refusal, "code" | "message" | "errors"> | undefined {
  try {
    const body = JSON.parse(text);
    return typeof body?.code === "string" && typeof body.message === "string" ? body : undefined;
  } catch {
    // A proxy's page: only the status is known.
    return undefined;
  }
}
