import { MINUTE_MS, type Clock } from "../base/clock.ts";
import { readParts } from "../base/parts.ts";
import { problem, type Problem } from "../base/problem.ts";
import { done, refused, type Result } from "../base/result.ts";
import { MAX_PICTURE_BYTES } from "./limits.ts";

const MIB = 1_024 * 1_024;
/** How long a picture may take to arrive: 25 MiB at 1.7 Mbit/s. */
const RECEIVE_MS: number = 2 * MINUTE_MS;

export const pictureTooLarge: Problem = problem(
  "payload_too_large",
  `A picture may have at most ${MAX_PICTURE_BYTES / MIB} MiB. Make it smaller, and send it again.`,
);
const tooSlow: Problem = problem(
  "request_timeout",
  `The picture did not arrive within ${RECEIVE_MS / MINUTE_MS} minutes.`,
);
const brokenOff: Problem = problem("invalid_picture", "The upload was interrupted. Send it again.");
const empty: Problem = problem(
  "invalid_picture",
  "Nothing was sent. Send the picture as the body.",
);

/** Reads a picture within a size and a time limit. Returns it in parts, which are few. */
export async function receivePicture(
  body: ReadableStream<Uint8Array> | null,
  clock: Pick<Clock, "sleep">,
): Promise<Result<readonly Uint8Array[], Problem>> {
  if (body === null) return refused(empty);
  const reader = body.getReader();
  const over = new AbortController();
  let late = false;
  // Rejects if `over` is aborted, because the picture has arrived.
  clock.sleep(RECEIVE_MS, over.signal).then(
    () => {
      late = true;
      // The client may have disconnected already.
      reader.cancel(tooSlow).catch(() => undefined);
    },
    () => undefined,
  );
  let parts: readonly Uint8Array[] | undefined;
  try {
    parts = await readParts(reader, MAX_PICTURE_BYTES);
  } catch {
    return refused(late ? tooSlow : brokenOff);
  } finally {
    over.abort();
  }
  if (late) return refused(tooSlow);
  if (parts === undefined) {
    reader.cancel(pictureTooLarge).catch(() => undefined);
    return refused(pictureTooLarge);
  }
  return parts.every(({ length }) => length === 0) ? refused(empty) : done(parts);
}
