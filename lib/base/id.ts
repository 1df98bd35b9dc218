/** The largest id of a row: the largest integer that every JSON parser reads exactly (2^53 − 1). */
export const MAX_ID: number = 9_007_199_254_740_991;

/** Fills `into` with random bytes fit for secrets. */
export type Random = (into: Uint8Array) => Uint8Array;

export const systemRandom: Random = (into) =>
  // Web Crypto refuses a shared buffer itself.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  crypto.getRandomValues(into as Uint8Array<ArrayBuffer>);

const BASE62 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

/** Returns `length` characters of `0-9A-Za-z`, each equally likely. */
export function randomBase62(random: Random, length: number): string {
  let text = "";
  while (text.length < length) {
    for (const byte of random(new Uint8Array(length))) {
      // 248 is the largest multiple of 62 that fits a byte; higher bytes would favor some characters.
      if (byte < 248 && text.length < length) text += BASE62[byte % 62];
    }
  }
  return text;
}

/** Returns an integer from 0 up to but not including `bound` (at most 65,536), each equally likely. */
export function randomBelow(random: Random, bound: number): number {
  const fair = 0x1_0000 - (0x1_0000 % bound);
  for (;;) {
    const [high = 0, low = 0] = random(new Uint8Array(2));
    const drawn = high * 0x100 + low;
    if (drawn < fair) return drawn % bound;
  }
}

/** Returns `length` characters of `0-9A-Za-z` that follow from bytes, which should hold 8 bits more than the text. */
export function bytesAsBase62(bytes: Uint8Array, length: number): string {
  let rest = bytes.reduce((value, byte) => value * 256n + BigInt(byte), 0n);
  let text = "";
  while (text.length < length) {
    text += BASE62[Number(rest % 62n)];
    rest /= 62n;
  }
  return text;
}

/** Formats a uint32 as exactly six characters of base 62. */
export function base62(value: number): string {
  let text = "";
  for (let rest = value, digit = 0; digit < 6; digit++) {
    text = BASE62[rest % 62] + text;
    rest = Math.floor(rest / 62);
  }
  return text;
}

/** Returns whether a client may choose this ID for its request. What looks like one of our keys is none: IDs are shown. */
export function isRequestId(id: string): boolean {
  return /^(?!pet_)[\w-]{8,64}$/.test(id);
}
