import { createHmac, hkdfSync, timingSafeEqual } from "node:crypto";

/** The domain that a share link shows, and until when. */
export interface SharedDomain {
  readonly domainId: string;
  /** In milliseconds. */
  readonly expiresAt: number;
}

/**
 * Makes and reads the tokens of share links. A token names its domain and its end, and is signed with a key derived from
 * the encryption key. Every node can read it, and nothing is stored.
 */
export interface ShareLinks {
  token(shared: SharedDomain): string;
  /** Returns what a token shows; undefined if this service did not make it, or it has expired by `now`. */
  read(token: string, now: number): SharedDomain | undefined;
}

const PURPOSE = "petstore domains: share links";
const MARK_BYTES = 16;
const TOKEN = /^pet_share_([0-9A-Za-z]{1,16})_([0-9a-z]{1,9})_([\w-]{22})$/;

/** Creates share links from the encryption key `root`. Throws `TypeError` unless it has 32 bytes. */
export function createShareLinks(root: Uint8Array): ShareLinks {
  if (root.length !== 32) throw new TypeError("an encryption key has 32 bytes");
  const key = new Uint8Array(hkdfSync("sha256", root, new Uint8Array(), PURPOSE, 32));
  const markOf = (id: string, end: string): Buffer =>
    createHmac("sha256", key)
      .update(JSON.stringify([id, end]))
      .digest()
      .subarray(0, MARK_BYTES);
  return {
    token: ({ domainId, expiresAt }) => {
      const id = domainId.slice("dom_".length);
      const end = Math.floor(expiresAt / 1_000).toString(36);
      return `pet_share_${id}_${end}_${markOf(id, end).toString("base64url")}`;
    },
    read: (token, now) => {
      const [, id, end, mark] = TOKEN.exec(token) ?? [];
      if (id === undefined || end === undefined || mark === undefined) return undefined;
      const right = Buffer.from(markOf(id, end).toString("base64url"));
      if (!timingSafeEqual(right, Buffer.from(mark))) return undefined;
      const expiresAt = Number.parseInt(end, 36) * 1_000;
      return now < expiresAt ? { domainId: `dom_${id}`, expiresAt } : undefined;
    },
  };
}
