import { MINUTE_MS, type Clock } from "../base/clock.ts";
import { problem, type Problem } from "../base/problem.ts";
import { done, refused, type Result } from "../base/result.ts";
import { nextTurn } from "../base/steps.ts";
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

/** Shorter pieces of a picture are joined as they arrive: a client decides how many there are, and each takes memory. */
const PART_BYTES: number = 64 * 1_024;
/** Pieces that are read between two pauses, in which the server handles other requests. */
const STEP_PIECES = 1_000;

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
  const { add, parts } = fewParts();
  let size = 0;
  let pieces = 0;
  try {
    for (let next = await reader.read(); !next.done; next = await reader.read()) {
      size += next.value.length;
      if (size > MAX_PICTURE_BYTES) {
        reader.cancel(pictureTooLarge).catch(() => undefined);
        return refused(pictureTooLarge);
      }
      add(next.value);
      // Pieces that have arrived already are read without a turn of the event loop.
      if (++pieces % STEP_PIECES === 0) await nextTurn();
    }
  } catch {
    return refused(late ? tooSlow : brokenOff);
  } finally {
    over.abort();
  }
  if (late) return refused(tooSlow);
  return size === 0 ? refused(empty) : done(parts());
}

/** Collects bytes: long pieces as they are, and short ones joined. */
function fewParts(): {
  readonly add: (piece: Uint8Array) => void;
  readonly parts: () => readonly Uint8Array[];
} {
  const parts: Uint8Array[] = [];
  const short = new Uint8Array(PART_BYTES);
  let filled = 0;
  const flush = (): void => {
    if (filled > 0) parts.push(short.slice(0, filled));
    filled = 0;
  };
  return {
    add: (piece) => {
      if (filled + piece.length > PART_BYTES) flush();
      if (piece.length > PART_BYTES) {
        parts.push(piece);
        return;
      }
      short.set(piece, filled);
      filled += piece.length;
    },
    parts: () => {
      flush();
      return parts;
    },
  };
}
