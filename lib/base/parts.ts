import { systemClock } from "./clock.ts";
import { nextTurn } from "./steps.ts";

/** Shorter pieces of a body are joined as they arrive. */
const PART_BYTES: number = 64 * 1_024;
/** Pieces that are read between two pauses: those that have arrived already are read without a turn of the event loop. */
const STEP_PIECES = 1_000;

/** A body that arrives in pieces. The reader of a stream is one. */
export interface Pieces {
  read(): Promise<Piece>;
}

/** A piece of a body; the end if it has no value. */
interface Piece {
  readonly value?: Uint8Array | undefined;
}

const NONE: Piece = {};

/** When a part is complete that has less than 64 KiB. */
type Patience = "until no more has arrived" | "until the end";

/**
 * Returns a function that reads the next part of a body; undefined at the end. Parts are few, whatever pieces the client sends:
 * each takes time and memory. A piece that is joined is copied. Other requests have a turn after every 1,000 pieces.
 */
export function partReader(
  pieces: Pieces,
  patience: Patience = "until no more has arrived",
): () => Promise<Uint8Array | undefined> {
  let count = 0;
  /** A piece that is not in a part yet, and may not have arrived. */
  let ahead: Promise<Piece> | undefined;
  return async () => {
    let part: Uint8Array = new Uint8Array();
    let filled = 0;
    let turn: Promise<Piece> | undefined;
    for (;;) {
      if (ahead === undefined) {
        if (++count % STEP_PIECES === 0) {
          await nextTurn();
          turn = undefined;
        }
        ahead = pieces.read();
      }
      let next = ahead;
      if (filled > 0 && patience === "until no more has arrived") {
        turn ??= systemClock.sleep(0).then(() => NONE);
        // If the body fails, the next call does.
        next = Promise.race([ahead, turn]).catch(() => NONE);
      }
      const { value: piece } = await next;
      if (filled > 0 && (piece === undefined || filled + piece.length > PART_BYTES)) {
        return part.subarray(0, filled);
      }
      ahead = undefined;
      if (piece === undefined || piece.length >= PART_BYTES) return piece;
      if (filled + piece.length > part.length) part = grown(part, filled + piece.length);
      part.set(piece, filled);
      filled += piece.length;
    }
  };
}

function grown(part: Uint8Array, least: number): Uint8Array {
  const larger = new Uint8Array(Math.max(least, Math.min(2 * part.length, PART_BYTES)));
  larger.set(part);
  return larger;
}

/** Reads a body to its end, in few parts. Resolves with undefined once there are more than `maxBytes`. */
export async function readParts(
  pieces: Pieces,
  maxBytes: number,
): Promise<readonly Uint8Array[] | undefined> {
  const parts: Uint8Array[] = [];
  return (await readUpTo(pieces, maxBytes, (part) => parts.push(part))) ? parts : undefined;
}

/** Reads a body and drops it. Resolves with true at its end, and with false once there were more than `maxBytes`. */
export function readAway(pieces: Pieces, maxBytes: number): Promise<boolean> {
  return readUpTo(pieces, maxBytes, () => undefined);
}

async function readUpTo(
  pieces: Pieces,
  maxBytes: number,
  take: (part: Uint8Array) => void,
): Promise<boolean> {
  let size = 0;
  const read = async (): Promise<Piece> => {
    if (size > maxBytes) return NONE;
    const piece = await pieces.read();
    size += piece.value?.length ?? 0;
    return piece;
  };
  const next = partReader({ read }, "until the end");
  for (let part = await next(); part !== undefined; part = await next()) take(part);
  return size <= maxBytes;
}

/** Returns all parts as one; a single one as it is. */
export function joined<Memory extends ArrayBufferLike>(
  parts: readonly Uint8Array<Memory>[],
): Uint8Array<Memory | ArrayBuffer> {
  const [first] = parts;
  if (first !== undefined && parts.length === 1) return first;
  const whole = new Uint8Array(parts.reduce((size, part) => size + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}
