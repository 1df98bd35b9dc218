import { base64url, equalTexts, utf8, type Digest } from "../base/digest.ts";
import { andThen, type Eventual } from "../base/eventual.ts";
import { sipHash, type Signature, type SipKey } from "../base/siphash.ts";

/** A place in a list: the rows after `id` in the list's order, or before it. */
export interface Place {
  readonly direction: "next" | "prev";
  readonly id: number;
}

/** Seals and opens the cursors of one list. They do not expire, and their rows may have been deleted. */
export interface Cursors {
  seal(place: Place): string;
  /** Returns undefined unless the cursor was sealed for this list, by this version or an earlier one. */
  open(cursor: string): Eventual<Place | undefined>;
}

/** Returns the cursors of `list`, a text with catalogue, operation, order and filters, but not the page size. */
export type CursorSeal = (list: string) => Eventual<Cursors>;

/** Recently requested lists. Their number is bounded because their filters are free. */
const MAX_LISTS = 1_000;
const MAX_LIST_LENGTH = 300;

/** Each list has a key of its own, derived once, so that signing a place in it is cheap. */
export function cursorSeal(digest: Digest, key: () => Eventual<Uint8Array>): CursorSeal {
  const known = new Map<string, Cursors>();
  const derive = (list: string): Eventual<Cursors> =>
    andThen(key(), (secret) =>
      andThen(digest.hmac(secret, utf8(list)), (derived) => {
        const cursors = cursorsOf(sipKey(derived), async (place) => {
          const mac = await digest.hmac(secret, utf8(`${list}\n${place}`));
          return `${place}.${base64url(mac.subarray(0, EARLIER_MAC_BYTES))}`;
        });
        if (known.size >= MAX_LISTS) known.clear();
        if (list.length <= MAX_LIST_LENGTH) known.set(list, cursors);
        return cursors;
      }),
    );
  return (list) => known.get(list) ?? derive(list);
}

function sipKey({ buffer, byteOffset }: Uint8Array): SipKey {
  const view = new DataView(buffer, byteOffset, 16);
  const word = (index: number): number => view.getInt32(index * 4, true);
  return { k0: word(0), k1: word(1), k2: word(2), k3: word(3) };
}

/** The length of the signature in characters: 96 bits as base64url. */
const SIGNATURE_LENGTH = 16;

/** Until November 2026, the signature was the beginning of an HMAC over the list and the place, of the same length. */
const EARLIER_MAC_BYTES = 12;

/**
 * `n1i5a.A7iUvGmxESh1QYG9`: the direction, the id to base 36, and the signature of both. `earlier` returns the cursor of
 * earlier versions for the part before the dot.
 */
function cursorsOf(key: SipKey, earlier: (place: string) => Promise<string>): Cursors {
  const seal = ({ direction, id }: Place): string => {
    const next = direction === "next";
    // An id has 53 bits, which leaves the highest one for the direction.
    const high = Math.floor(id / 2 ** 32) | (next ? 1 << 31 : 0);
    return `${next ? "n" : "p"}${id.toString(36)}.${signatureText(sipHash(key, id | 0, high))}`;
  };
  return {
    seal,
    open: (cursor) => {
      const direction = cursor.startsWith("n") ? "next" : "prev";
      const id = Number.parseInt(cursor.slice(1, -SIGNATURE_LENGTH - 1), 36);
      if (!(id >= 0 && id <= Number.MAX_SAFE_INTEGER)) return undefined;
      const place: Place = { direction, id };
      const sealed = seal(place);
      if (equalTexts(sealed, cursor)) return place;
      const written = sealed.slice(0, -SIGNATURE_LENGTH - 1);
      return earlier(written).then((old) => (equalTexts(old, cursor) ? place : undefined));
    },
  };
}

const DIGITS = Uint8Array.from(
  "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_",
  (character) => character.charCodeAt(0),
);

function digit(bits: number): number {
  return DIGITS[bits & 63] ?? 0;
}

/** Writes 96 bits. One call with all characters is several times as fast as joining them. */
function signatureText({ a, b, c }: Signature): string {
  return String.fromCharCode(
    digit(a >>> 26),
    digit(a >>> 20),
    digit(a >>> 14),
    digit(a >>> 8),
    digit(a >>> 2),
    digit((a << 4) | (b >>> 28)),
    digit(b >>> 22),
    digit(b >>> 16),
    digit(b >>> 10),
    digit(b >>> 4),
    digit((b << 2) | (c >>> 30)),
    digit(c >>> 24),
    digit(c >>> 18),
    digit(c >>> 12),
    digit(c >>> 6),
    digit(c),
  );
}
