import { equalTexts, hmacText, type Digest } from "../base/digest.ts";
import { andThen, type Eventual } from "../base/eventual.ts";

/** A place in a list: the rows after `id` in the list's order, or before it. */
export interface Place {
  readonly direction: "next" | "prev";
  readonly id: number;
}

/**
 * Seals and opens cursors. A cursor is bound to `list`, a text with catalogue, operation, order and filters, but not to
 * the page size. It does not expire, and its row may have been deleted.
 */
export interface CursorSeal {
  seal(list: string, place: Place): Eventual<string>;
  /** Returns undefined unless the cursor was sealed for this list. */
  open(list: string, cursor: string): Eventual<Place | undefined>;
}

/** In characters of base64url: 12 bytes. */
const MAC_LENGTH = 16;
const CURSOR = /^([np])([0-9a-z]{1,11})\.([\w-]{16})$/;

export function cursorSeal(digest: Digest, key: () => Eventual<Uint8Array>): CursorSeal {
  const seal = (list: string, { direction, id }: Place): Eventual<string> => {
    const place = (direction === "next" ? "n" : "p") + id.toString(36);
    return andThen(key(), (secret) =>
      andThen(
        hmacText(digest, secret, `${list}\n${place}`),
        (mac) => `${place}.${mac.slice(0, MAC_LENGTH)}`,
      ),
    );
  };
  return {
    seal,
    open: (list, cursor) => {
      const [, mark, digits] = CURSOR.exec(cursor) ?? [];
      if (mark === undefined || digits === undefined) return undefined;
      const place: Place = {
        direction: mark === "n" ? "next" : "prev",
        id: Number.parseInt(digits, 36),
      };
      return andThen(seal(list, place), (expected) =>
        equalTexts(expected, cursor) ? place : undefined,
      );
    },
  };
}
