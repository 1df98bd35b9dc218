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

/** Collects parts of a file in one array that is as long as the file. */
export function partsOf(bytes: Uint8Array): {
  readonly keep: (start: number, end: number) => void;
  readonly kept: () => Uint8Array;
} {
  const out = new Uint8Array(bytes.length);
  let size = 0;
  return {
    keep: (start, end) => {
      out.set(bytes.subarray(start, end), size);
      size += end - start;
    },
    kept: () => out.subarray(0, size),
  };
}

/** Joins arrays of bytes. */
export function joined(parts: readonly Uint8Array[]): Uint8Array {
  const all = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}
