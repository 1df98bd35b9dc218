import { nextTurn } from "./steps.ts";

/** Shorter pieces of a body are joined as they arrive. */
const PART_BYTES: number = 64 * 1_024;
/** Pieces that are read between two pauses: those that have arrived already are read without a turn of the event loop. */
const STEP_PIECES = 1_000;

/**
 * Reads a body to its end, in parts that are few: a client decides how short its pieces are, and each takes memory. Resolves with
 * undefined once there are more than `maxBytes`; the reader then has the rest.
 */
export async function readParts(
  reader: Pick<ReadableStreamDefaultReader<Uint8Array>, "read">,
  maxBytes: number,
): Promise<readonly Uint8Array[] | undefined> {
  const parts: Uint8Array[] = [];
  let short: Uint8Array | undefined;
  let filled = 0;
  const flush = (): void => {
    if (short !== undefined && filled > 0) parts.push(short.slice(0, filled));
    filled = 0;
  };
  let size = 0;
  for (let pieces = 1; ; pieces++) {
    const { value } = await reader.read();
    if (value === undefined) break;
    size += value.length;
    if (size > maxBytes) return undefined;
    if (filled + value.length > PART_BYTES) flush();
    if (value.length > PART_BYTES) parts.push(value);
    else {
      short ??= new Uint8Array(PART_BYTES);
      short.set(value, filled);
      filled += value.length;
    }
    if (pieces % STEP_PIECES === 0) await nextTurn();
  }
  flush();
  return parts;
}

/** Returns all parts as one; a single one as it is. */
export function joined(parts: readonly Uint8Array[]): Uint8Array {
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
