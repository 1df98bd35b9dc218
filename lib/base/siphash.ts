/** A key of SipHash: 128 bits as four words, little-endian. */
export interface SipKey {
  readonly k0: number;
  readonly k1: number;
  readonly k2: number;
  readonly k3: number;
}

/** 96 bits, as words in little-endian order. */
export interface Signature {
  readonly a: number;
  readonly b: number;
  readonly c: number;
}

const ROUNDS = 12;
/** The number of bytes, in the upper byte of the last block. */
const LENGTH = 8 << 24;

/**
 * Returns the first 96 bits of SipHash-2-4-128 (Aumasson and Bernstein, 2012) of 8 bytes, as words, little-endian. A
 * message authentication code for short texts that needs no call into the runtime, unlike HMAC.
 */
export function sipHash({ k0, k1, k2, k3 }: SipKey, low: number, high: number): Signature {
  // Each 64-bit variable v0 to v3 as its lower (a) and upper half (b).
  let a0 = k0 ^ 0x70736575;
  let b0 = k1 ^ 0x736f6d65;
  let a1 = k2 ^ 0x6e646f6d ^ 0xee;
  let b1 = k3 ^ 0x646f7261;
  let a2 = k0 ^ 0x6e657261;
  let b2 = k1 ^ 0x6c796765;
  let a3 = k2 ^ 0x79746573 ^ low;
  let b3 = k3 ^ 0x74656462 ^ high;
  let first = 0;
  let second = 0;
  for (let round = 0; round < ROUNDS; round++) {
    if (round === 2) {
      // The message is absorbed, and its length follows.
      a0 ^= low;
      b0 ^= high;
      b3 ^= LENGTH;
    } else if (round === 4) {
      b0 ^= LENGTH;
      a2 ^= 0xee;
    } else if (round === 8) {
      first = a0 ^ a1 ^ a2 ^ a3;
      second = b0 ^ b1 ^ b2 ^ b3;
      a1 ^= 0xdd;
    }
    a0 = (a0 + a1) | 0;
    b0 = (b0 + b1 + carry(a0, a1)) | 0;
    let spare = ((a1 << 13) | (b1 >>> 19)) ^ a0;
    b1 = ((b1 << 13) | (a1 >>> 19)) ^ b0;
    a1 = spare;
    a2 = (a2 + a3) | 0;
    b2 = (b2 + b3 + carry(a2, a3)) | 0;
    spare = ((a3 << 16) | (b3 >>> 16)) ^ a2;
    b3 = ((b3 << 16) | (a3 >>> 16)) ^ b2;
    a3 = spare;
    // v0 is rotated by 32 bits: its halves change places.
    spare = a0;
    a0 = (b0 + a3) | 0;
    b0 = (spare + b3 + carry(a0, a3)) | 0;
    spare = ((a3 << 21) | (b3 >>> 11)) ^ a0;
    b3 = ((b3 << 21) | (a3 >>> 11)) ^ b0;
    a3 = spare;
    a2 = (a2 + a1) | 0;
    b2 = (b2 + b1 + carry(a2, a1)) | 0;
    spare = ((a1 << 17) | (b1 >>> 15)) ^ a2;
    b1 = ((b1 << 17) | (a1 >>> 15)) ^ b2;
    a1 = spare;
    spare = a2;
    a2 = b2;
    b2 = spare;
  }
  return { a: first, b: second, c: a0 ^ a1 ^ a2 ^ a3 };
}

/** Returns what adding `addend` carried, if the lower halves gave `sum`. */
function carry(sum: number, addend: number): number {
  return sum >>> 0 < addend >>> 0 ? 1 : 0;
}
