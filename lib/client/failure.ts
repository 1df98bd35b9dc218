import type { FieldError, ProblemCode } from "../base/problem.ts";

/** What `PetstoreError` can carry; `unexpected_answer` when what came was not from the service, or broken. */
export type PetstoreErrorCode = ProblemCode | "unexpected_answer";

export interface Refusal {
  readonly code: PetstoreErrorCode;
  readonly message: string;
  /** HTTP status. */
  readonly status: number;
  /** To be quoted when asking the operator; absent when the client refused before sending. */
  readonly requestId?: string | undefined;
  /** Every fault of a body; empty for all but 400. */
  readonly errors?: readonly FieldError[] | undefined;
  /** From then on trying again makes sense. */
  readonly retryAfterSeconds?: number | undefined;
}

/** The service refused. Tell cases apart by `code`: it is contract, the message is for people. */
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

/** No answer came: the network failed or the time for it ran out. `cause` is what happened last. */
export class PetstoreUnreachable extends Error {
  override readonly name = "PetstoreUnreachable";
}

/** A whole answer. */
export interface Reply {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

/** The failure that `reply` tells of, whoever wrote it. */
export function failureOf(reply: Reply): PetstoreError {
  const { status, headers, text } = reply;
  const told = refusalIn(text);
  return new PetstoreError({
    code: told?.code ?? "unexpected_answer",
    message: told?.message ?? `The answer was HTTP ${status}, and not from the service.`,
    status,
    errors: told?.errors,
    requestId: headers.get("x-request-id") ?? undefined,
    retryAfterSeconds: secondsIn(headers.get("retry-after")),
  });
}

function refusalIn(text: string): Pick<Refusal, "code" | "message" | "errors"> | undefined {
  try {
    const body: Partial<Refusal> | null = JSON.parse(text);
    if (typeof body?.code !== "string" || typeof body.message !== "string") return undefined;
    return { code: body.code, message: body.message, errors: body.errors };
  } catch {
    // A proxy's page: the status has to do.
    return undefined;
  }
}

/** Whole seconds of a `Retry-After`; the service never sends the form with a date. */
function secondsIn(header: string | null): number | undefined {
  return header !== null && /^\d{1,9}$/.test(header) ? Number(header) : undefined;
}
