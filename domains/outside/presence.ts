import { createHmac, hkdfSync, timingSafeEqual } from "node:crypto";

import { systemRandom, type Random } from "../../lib/base/id.ts";

/** How other requests that arrive the same way are handled: served, or redirected to HTTPS. */
export type Handling = "served" | "redirected";

/** A one-time question that only this service can answer, and only for one host. */
export interface ProbeQuestion {
  readonly token: string;
  readonly answers: Readonly<Record<Handling, string>>;
}

/**
 * Recognizes this service from outside. Tokens and answers are derived from the encryption key, so every node knows
 * the answer and nothing is stored.
 */
export interface Presence {
  question(host: string): ProbeQuestion;
  /** Returns the answer; undefined for an unknown token or another host's. */
  answer(host: string, token: string, handling: Handling): string | undefined;
}

/** The path of probes, followed by a token. */
export const PROBE_PREFIX = "/.well-known/petstore-probe/";

const PURPOSE = "petstore domains: the look from outside";
const NONCE_BYTES = 16;
const MARK_BYTES = 16;

/** Creates a presence from the encryption key `root`. Throws `TypeError` unless it has 32 bytes. */
export function createPresence(root: Uint8Array, random: Random = systemRandom): Presence {
  if (root.length !== 32) throw new TypeError("an encryption key has 32 bytes");
  const key = new Uint8Array(hkdfSync("sha256", root, new Uint8Array(), PURPOSE, 32));
  const digest = (...parts: readonly string[]): Buffer =>
    createHmac("sha256", key).update(JSON.stringify(parts)).digest();
  const markOf = (host: string, nonce: Uint8Array): Buffer =>
    digest("token", host, Buffer.from(nonce).toString("base64url")).subarray(0, MARK_BYTES);
  const answerOf = (host: string, token: string, manner: Handling): string =>
    digest("answer", host, token, manner).toString("base64url");
  return {
    question: (host) => {
      // A nonce per riddle prevents replayed answers.
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
