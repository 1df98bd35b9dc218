import { nextTurn } from "../../base/steps.ts";
import { STEP_BYTES } from "../limits.ts";

/** Reads an unsigned number of two bytes, the high one first; -1 beyond the end. */
export function u16(bytes: Uint8Array, at: number): number {
  const [high, low] = [bytes[at], bytes[at + 1]];
  return high === undefined || low === undefined ? -1 : (high << 8) | low;
}

/** Reads an unsigned number of four bytes, the highest one first; -1 beyond the end. */
export function u32(bytes: Uint8Array, at: number): number {
  const [high, low] = [u16(bytes, at), u16(bytes, at + 2)];
  return high < 0 || low < 0 ? -1 : high * 65_536 + low;
}

/** Reads an unsigned number of up to four bytes, the lowest one first; -1 beyond the end. */
export function little(bytes: Uint8Array, at: number, length: 2 | 3 | 4): number {
  if (at + length > bytes.length) return -1;
  let value = 0;
  for (let index = length - 1; index >= 0; index--) value = value * 256 + (bytes[at + index] ?? 0);
  return value;
}

/** Returns whether the bytes at a place are these characters of ASCII. */
export function isAt(bytes: Uint8Array, at: number, text: string): boolean {
  for (let index = 0; index < text.length; index++) {
    if (bytes[at + index] !== text.charCodeAt(index)) return false;
  }
  return true;
}

/** Returns a text of ASCII as bytes. */
export function ascii(text: string): Uint8Array {
  return Uint8Array.from(text, (character) => character.charCodeAt(0));
}

/** Collects parts of a file in their order. `kept` joins them within the bytes of the file, which it changes. */
export function partsOf(bytes: Uint8Array): {
  readonly keep: (start: number, end: number) => void;
  readonly kept: () => Uint8Array;
} {
  const parts: Part[] = [];
  return {
    keep: (start, end) => {
      const last = parts.at(-1);
      if (last?.end === start) last.end = end;
      else parts.push({ start, end });
    },
    kept: () => together(bytes, parts),
  };
}

interface Part {
  readonly start: number;
  end: number;
}

/** Moves the parts next to the longest one, which stays in place: it is nearly all of a picture. */
function together(bytes: Uint8Array, parts: readonly Part[]): Uint8Array {
  let longest = 0;
  for (const [index, { start, end }] of parts.entries()) {
    const most = parts[longest];
    if (most !== undefined && end - start > most.end - most.start) longest = index;
  }
  let { start, end } = parts[longest] ?? { start: 0, end: 0 };
  for (const part of parts.slice(0, longest).toReversed()) {
    start -= part.end - part.start;
    bytes.copyWithin(start, part.start, part.end);
  }
  for (const part of parts.slice(longest + 1)) {
    bytes.copyWithin(end, part.start, part.end);
    end += part.end - part.start;
  }
  return bytes.subarray(start, end);
}

/** Joins arrays of bytes in steps between which other work has a turn. */
export async function joinedInSteps(parts: readonly Uint8Array[]): Promise<Uint8Array> {
  const all = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let [at, step] = [0, STEP_BYTES];
  for (const part of parts) {
    for (let from = 0; from < part.length; from += STEP_BYTES) {
      if (at >= step) {
        await nextTurn();
        step = at + STEP_BYTES;
      }
      const piece = part.subarray(from, from + STEP_BYTES);
      all.set(piece, at);
      at += piece.length;
    }
  }
  return all;
}
