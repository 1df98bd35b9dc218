import { utf8 } from "../../../../../lib/base/digest.ts";
import type { Problem } from "../../../../../lib/base/problem.ts";
import { refused, type Result } from "../../../../../lib/base/result.ts";
import { problemOf } from "../../../../../lib/management/client.ts";
import { readDeploy } from "../../../../../lib/management/client-deploys.ts";
import { fromWire } from "../../../../../lib/base/wire.ts";
import type { Deploy, DeployProgress } from "../../../../../lib/publishing/model/deploy.ts";
import { API, at, unreachable } from "../../../api.ts";

export interface Upload {
  readonly projectId: string;
  readonly archive: Blob;
  readonly message: string | undefined;
  /** Reports the bytes sent. */
  readonly onSent: (sent: number, total: number) => void;
  /** Reports the service's progress. */
  readonly onProgress: (progress: DeployProgress) => void;
  /** Cancels the upload, which then resolves with `undefined`. */
  readonly signal: AbortSignal;
}

/** Uploads a site, without publishing it. Uses XMLHttpRequest because `fetch` reports no upload progress. */
export async function sendArchive(upload: Upload): Promise<Result<Deploy, Problem> | undefined> {
  const { projectId, archive, message, signal } = upload;
  const query = new URLSearchParams({
    ...(message === undefined ? {} : { message }),
    activate: "false",
  });
  const request = new XMLHttpRequest();
  request.open("POST", `${API}${at`/projects/${projectId}/deploys`}?${query}`);
  request.setRequestHeader("accept", "text/event-stream");
  request.setRequestHeader("content-type", "application/gzip");
  request.upload.addEventListener("progress", ({ loaded, total }) => {
    upload.onSent(loaded, total);
  });
  const abort = (): void => {
    request.abort();
  };
  signal.addEventListener("abort", abort, { once: true });
  const response = responseOf(request);
  request.send(archive);
  try {
    return await outcomeOf(request, response, upload.onProgress);
  } catch {
    // Cancelled, or the connection failed.
    return signal.aborted ? undefined : refused(unreachable);
  } finally {
    signal.removeEventListener("abort", abort);
  }
}

/** Streams the response body; fails with the connection. */
function responseOf(request: XMLHttpRequest): ReadableStream<Uint8Array> {
  // Removes the listeners when the reader is done.
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
  response: ReadableStream<Uint8Array>,
  onProgress: Upload["onProgress"],
): Promise<Result<Deploy, Problem>> {
  const outcome = await readDeploy(response, onProgress);
  if (outcome !== undefined) return outcome;
  // An early refusal is an Error body instead of a stream.
  const refusal =
    request.status < 400 ? undefined : problemOf(fromWire(JSON.parse(request.responseText)));
  return refused(refusal ?? unreachable);
}
