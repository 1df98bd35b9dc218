import { MINUTE_MS } from "../../../../../lib/base/clock.ts";
import { done, refused, type Result } from "../../../../../lib/base/result.ts";
import type { ImportView } from "../../../../../lib/import/job/shapes.ts";
import { problemOf } from "../../../../../lib/management/client.ts";
import { fromWire } from "../../../../../lib/management/wire.ts";
import { API, at, unreachable, type Problem } from "../../../api.ts";
import type { Where } from "../catalogue.tsx";

/** Uploads a file of animals. Uses XMLHttpRequest because `fetch` reports no upload progress. */
export function sendFile(
  { account, environment }: Where,
  file: File,
  onSent: (sent: number) => void,
  stop: AbortSignal,
): Promise<Result<ImportView, Problem>> {
  return new Promise((resolve) => {
    const request = new XMLHttpRequest();
    const query = new URLSearchParams({ fileName: file.name.slice(0, 200) });
    request.open("POST", `${API}${at`/accounts/${account.id}/${environment}/imports`}?${query}`);
    request.setRequestHeader("content-type", "application/octet-stream");
    request.timeout = 10 * MINUTE_MS;
    request.upload.addEventListener("progress", ({ loaded }) => {
      onSent(loaded);
    });
    const abort = (): void => {
      request.abort();
    };
    stop.addEventListener("abort", abort, { once: true });
    request.addEventListener("loadend", () => {
      stop.removeEventListener("abort", abort);
      resolve(outcomeOf(request));
    });
    request.send(file);
  });
}

function outcomeOf(request: XMLHttpRequest): Result<ImportView, Problem> {
  let body: unknown;
  try {
    body = fromWire(JSON.parse(request.responseText));
  } catch {
    // No response, or one of a proxy.
    return refused(unreachable);
  }
  if (request.status === 201) {
    // The service declares this type for the operation.
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion
    return done(body as ImportView);
  }
  return refused(problemOf(body) ?? unreachable);
}
