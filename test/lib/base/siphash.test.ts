import { expect, test } from "bun:test";

import { sipHash } from "../../../lib/base/siphash.ts";

/** Key, message and code. The first is a test vector of the authors, the others are from OpenSSL 3. */
const vectors = [
  ["000102030405060708090a0b0c0d0e0f", "0001020304050607", "3b62a9ba6258f5610f83e264f31497b4"],
  ["000102030405060708090a0b0c0d0e0f", "ffffffffffffffff", "1c34f598eafc0fe100ec4f81f2ba5e1a"],
  ["00000000000000000000000000000000", "0000000000000000", "a37bd9053abdcb875f7c92c566446d71"],
  ["ffffffffffffffffffffffffffffffff", "ffffffffffffffff", "b241cf15c23c05e96d11b3a3038bd379"],
  ["ffffffffffffffffffffffffffffffff", "8000000000000080", "7b42d41d864c9843b76cff6ac5156dd2"],
  ["a5f0e1d2c3b4968778695a4b3c2d1e0f", "0001020304050607", "1ee90b2a5c57ac8c54386e3b8ef9b352"],
  ["a5f0e1d2c3b4968778695a4b3c2d1e0f", "8000000000000080", "435ad13d0ee7def68a310f6c7012e11e"],
  ["a5f0e1d2c3b4968778695a4b3c2d1e0f", "efcdab8967452301", "62496cd910e88c046664e56fdec2d6ac"],
] as const;

/** Reads words of 32 bits, little-endian. */
function wordsOf(hex: string): readonly number[] {
  const view = new DataView(Uint8Array.fromHex(hex).buffer);
  return Array.from({ length: hex.length / 8 }, (_, index) => view.getInt32(index * 4, true));
}

test.each(vectors)("SipHash-2-4-128 with the key %s of %s is %s", (key, message, code) => {
  const [k0 = 0, k1 = 0, k2 = 0, k3 = 0] = wordsOf(key);
  const [low = 0, high = 0] = wordsOf(message);
  const { a, b, c } = sipHash({ k0, k1, k2, k3 }, low, high);
  expect([a, b, c]).toEqual(wordsOf(code).slice(0, 3));
});
