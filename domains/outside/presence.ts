import { createHmac, hkdfSync, timingSafeEqual } from "node:crypto";

import { systemRandom, type Random } from "../../lib/base/id.ts";

/** What becomes of other requests for the host that come the same way: answered, or sent to HTTPS. */
export type Manner = "served" | "redirected";

/** A question that only this service can answer, under one name and once. */
export interface Riddle {
  readonly token: string;
  readonly answers: Readonly<Record<Manner, string>>;
}

/**
 * By which this service knows itself again from outside. Tokens and answers follow from the encryption key: every node
 * knows the answer without asking anybody, and there is nothing to keep.
 */
export interface Presence {
  riddle(host: string): Riddle;
  /** Undefined for a token that is none of ours, or of another host. */
  answer(host: string, token: string, manner: Manner): string | undefined;
}

/** The path of probes; a token follows. */
export const PROBE_PREFIX = "/.well-known/petstore-probe/";

const PURPOSE = "petstore domains: the look from outside";
const NONCE_BYTES = 16;
const MARK_BYTES = 16;

/** A presence of the encryption key `root`, which is 32 bytes. Throws `TypeError` for any other length. */
export function createPresence(root: Uint8Array, random: Random = systemRandom): Presence {
  if (root.length !== 32) throw new TypeError("an encryption key has 32 bytes");
  const key = new Uint8Array(hkdfSync("sha256", root, new Uint8Array(), PURPOSE, 32));
  const digest = (...parts: readonly string[]): Buffer =>
    createHmac("sha256", key).update(JSON.stringify(parts)).digest();
  const markOf = (host: string, nonce: Uint8Array): Buffer =>
    digest("token", host, Buffer.from(nonce).toString("base64url")).subarray(0, MARK_BYTES);
  const answerOf = (host: string, token: string, manner: Manner): string =>
    digest("answer", host, token, manner).toString("base64url");
  return {
    riddle: (host) => {
      // Another one each time: nobody can answer from memory.
      const nonce = random(new Uint8Array(NONCE_BYTES));
      const token = Buffer.concat([nonce, markOf(host, nonce)]).toString("base64url");
      const [served, redirected] = [
        answerOf(host, token, "served"),
        answerOf(host, token, "redirected"),
      ];
      return { token, answers: { served, redirected } };
    },
    answer: (host, token, manner) => {
      const bytes = Buffer.from(token, "base64url");
      if (bytes.length !== NONCE_BYTES + MARK_BYTES) return undefined;
      const mark = markOf(host, bytes.subarray(0, NONCE_BYTES));
      return timingSafeEqual(mark, bytes.subarray(NONCE_BYTES))
        ? answerOf(host, token, manner)
        : undefined;
    },
  };
}
