import { MINUTE_MS } from "../../lib/base/clock.ts";
import { done, refused, type Result } from "../../lib/base/result.ts";
import { problemOf } from "../../lib/management/client.ts";
import { fromWire } from "../../lib/base/wire.ts";
import { unreachable, type Problem } from "./api.ts";

/** A file to be sent. */
export interface SentBody {
  readonly method: "POST" | "PUT";
  /** The address of the request, with that of the API. */
  readonly address: string;
  readonly body: Blob;
  readonly type: string;
  /** Called with the bytes that are sent, of all of them. */
  readonly onSent: (sent: number, total: number) => void;
  readonly stop: AbortSignal;
}

/** Longer than any upload that makes progress takes on a slow line. */
const TIMEOUT_MS = 60 * MINUTE_MS;

/**
 * Sends a file to an operation whose answer has the type `Value`. Uses XMLHttpRequest because `fetch` reports no upload
 * progress.
 */
export function sendBody<Value>({
  method,
  address,
  body,
  type,
  onSent,
  stop,
}: SentBody): Promise<Result<Value, Problem>> {
  return new Promise((resolve) => {
    const request = new XMLHttpRequest();
    request.open(method, address);
    request.setRequestHeader("content-type", type);
    request.timeout = TIMEOUT_MS;
    request.upload.addEventListener("progress", ({ loaded, total }) => onSent(loaded, total));
    const abort = (): void => request.abort();
    stop.addEventListener("abort", abort, { once: true });
    request.addEventListener("loadend", () => {
      stop.removeEventListener("abort", abort);
      resolve(outcomeOf(request));
    });
    request.send(body);
  });
}

function outcomeOf<Value>(request: XMLHttpRequest): Result<Value, Problem> {
  let body: unknown;
  try {
    body = fromWire(JSON.parse(request.responseText));
  } catch {
    // No response, or one of a proxy.
    return refused(unreachable);
  }
  if (request.status === 200 || request.status === 201) {
    // The service declares this type for the operation.
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion
    return done(body as Value);
  }
  const headers = new Headers();
  const after = request.getResponseHeader("retry-after");
  if (after !== null) headers.set("retry-after", after);
  return refused(problemOf(body, headers) ?? unreachable);
}
