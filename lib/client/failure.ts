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
  readonly code: PetstoreErrorCode;
  readonly status: number;
  readonly requestId: string | undefined;
  readonly errors: readonly FieldError[];
  readonly retryAfterSeconds: number | undefined;

  constructor({ code, message, status, requestId, errors = [], retryAfterSeconds }: Refusal) {
    super(message);
    this.code = code;
    this.status = status;
    this.requestId = requestId;
    this.errors = errors;
    this.retryAfterSeconds = retryAfterSeconds;
  }
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

/** Returns the failure that a response reports, even if a proxy sent it. */
export function failureOf(reply: CompleteResponse): PetstoreError {
  const { status, headers, text } = reply;
  const refusal = refusalIn(text);
  return new PetstoreError({
    code: refusal?.code ?? "unexpected_answer",
    message: refusal?.message ?? `The response (HTTP ${status}) is not from the service.`,
    status,
    errors: refusal?.errors,
    requestId: headers.get("x-request-id") ?? undefined,
    retryAfterSeconds: retryAfterSecondsIn(headers, MAX_WAIT_SECONDS),
  });
}

function refusalIn(text: string): Pick<Refusal, "code" | "message" | "errors"> | undefined {
  try {
    const body: Partial<Refusal> | null = JSON.parse(text);
    if (typeof body?.code !== "string" || typeof body.message !== "string") return undefined;
    return { code: body.code, message: body.message, errors: body.errors };
  } catch {
    // A proxy's page: only the status is known.
    return undefined;
  }
}
