import { utf8 } from "../../../../../lib/base/digest.ts";
import type { Problem } from "../../../../../lib/base/problem.ts";
import { done, refused, type Result } from "../../../../../lib/base/result.ts";
import { problemOf } from "../../../../../lib/management/http-client-call.ts";
import { serverSentEvents } from "../../../../../lib/management/http-client-events.ts";
import { fromWire } from "../../../../../lib/management/wire.ts";
import type { Deploy, DeployProgress } from "../../../../../lib/publishing/model/deploy.ts";
import { API, at, unreachable } from "../../../api.ts";

export interface Shipment {
  readonly projectId: string;
  readonly archive: Blob;
  readonly message: string | undefined;
  /** False: it becomes ready, and is not published. */
  readonly activate: boolean;
  /** How many bytes have left. */
  readonly onSent: (sent: number, total: number) => void;
  /** How far the service has come with what arrived. */
  readonly onProgress: (progress: DeployProgress) => void;
  /** Breaks it off: then it resolves with `undefined`. */
  readonly signal: AbortSignal;
}

/** Sends a site. By XMLHttpRequest: nothing else in a browser tells how much of a body has left. */
export async function sendArchive(
  shipment: Shipment,
): Promise<Result<Deploy, Problem> | undefined> {
  const { projectId, archive, message, activate, signal } = shipment;
  const query = new URLSearchParams({
    ...(message === undefined ? {} : { message }),
    ...(activate ? {} : { activate: "false" }),
  });
  const request = new XMLHttpRequest();
  request.open("POST", `${API}${at`/projects/${projectId}/deploys`}?${query}`);
  request.setRequestHeader("accept", "text/event-stream");
  request.setRequestHeader("content-type", "application/gzip");
  request.upload.addEventListener("progress", ({ loaded, total }) => {
    shipment.onSent(loaded, total);
  });
  const abort = (): void => {
    request.abort();
  };
  signal.addEventListener("abort", abort, { once: true });
  const answer = answerOf(request);
  request.send(archive);
  try {
    return await outcomeOf(request, answer, shipment.onProgress);
  } catch {
    // Broken off by us, or on the way.
    return signal.aborted ? undefined : refused(unreachable);
  } finally {
    signal.removeEventListener("abort", abort);
  }
}

/** What is answered, as it arrives; breaks when nothing does. */
function answerOf(request: XMLHttpRequest): ReadableStream<Uint8Array> {
  // Whoever has read enough listens no more.
  const reading = new AbortController();
  const { signal } = reading;
  return new ReadableStream({
    start: (controller) => {
      let read = 0;
      const next = (): void => {
        controller.enqueue(utf8(request.responseText.slice(read)));
        read = request.responseText.length;
      };
      request.addEventListener("progress", next, { signal });
      request.addEventListener(
        "load",
        () => {
          next();
          controller.close();
        },
        { signal },
      );
      for (const type of ["error", "abort", "timeout"]) {
        request.addEventListener(
          type,
          () => {
            controller.error(new Error(`The upload ended: ${type}.`));
          },
          { signal },
        );
      }
    },
    cancel: () => {
      reading.abort();
    },
  });
}

async function outcomeOf(
  request: XMLHttpRequest,
  answer: ReadableStream<Uint8Array>,
  onProgress: Shipment["onProgress"],
): Promise<Result<Deploy, Problem>> {
  for await (const { event, data } of serverSentEvents(answer)) {
    const value = fromWire(JSON.parse(data));
    // The three kinds of events that the operation has, of the service's own types.
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion
    if (event === "progress") onProgress(value as DeployProgress);
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion
    if (event === "done") return done(value as Deploy);
    const refusal = event === "problem" ? problemOf(value) : undefined;
    if (refusal !== undefined) return refused(refusal);
  }
  // What is refused before anything of it is read is no stream but an Error body.
  const told =
    request.status < 400 ? undefined : problemOf(fromWire(JSON.parse(request.responseText)));
  return refused(told ?? unreachable);
}
