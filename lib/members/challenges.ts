import { MINUTE_MS, type Clock } from "../base/clock.ts";
import { base64url, equalBytes, utf8, type Digest } from "../base/digest.ts";
import type { Eventual } from "../base/eventual.ts";
import type { Random } from "../base/id.ts";

/**
 * Issues challenges for passkeys. A challenge is not stored until it is used: it contains its expiry and a keyed hash, so
 * that requests for millions of them take no memory. The store guarantees that each is used once.
 */
export interface Challenges {
  /** Issues a challenge that is valid for five minutes and one purpose, such as "sign in". */
  make(purpose: string): Promise<Uint8Array>;
  /** Returns when a challenge (base64url) expires; undefined if it is unknown, expired or for another purpose. */
  endOf(purpose: string, challenge: string): Promise<number | undefined>;
}

/** Checks the challenge of one response and remembers it. */
export interface ExpectedChallenge {
  readonly expects: (challenge: string) => Promise<boolean>;
  /** Returns the response's valid challenge; undefined before it was checked. */
  readonly spent: () => { readonly challenge: string; readonly expiresAt: number } | undefined;
}

export function expecting(challenges: Challenges, purpose: string): ExpectedChallenge {
  let spent: ReturnType<ExpectedChallenge["spent"]>;
  return {
    expects: async (challenge) => {
      const expiresAt = await challenges.endOf(purpose, challenge);
      spent = expiresAt === undefined ? undefined : { challenge, expiresAt };
      return spent !== undefined;
    },
    spent: () => spent,
  };
}

export const CHALLENGE_MS: number = 5 * MINUTE_MS;

const TIME_BYTES = 8;
const RANDOM_BYTES = 16;
const MAC_BYTES = 16;
/** The length in base64url, without padding. */
const LENGTH = Math.ceil(((TIME_BYTES + RANDOM_BYTES + MAC_BYTES) * 4) / 3);

export function createChallenges({
  key,
  digest,
  clock,
  random,
}: {
  readonly key: () => Eventual<Uint8Array>;
  readonly digest: Digest;
  readonly clock: Clock;
  readonly random: Random;
}): Challenges {
  const macOf = async (purpose: string, body: Uint8Array): Promise<Uint8Array> => {
    const mac = await digest.hmac(await key(), utf8(`${base64url(body)} ${purpose}`));
    return mac.subarray(0, MAC_BYTES);
  };
  return {
    make: async (purpose) => {
      const body = new Uint8Array(TIME_BYTES + RANDOM_BYTES);
      body.set(random(new Uint8Array(RANDOM_BYTES)), TIME_BYTES);
      new DataView(body.buffer).setFloat64(0, clock.now() + CHALLENGE_MS);
      return Uint8Array.from([...body, ...(await macOf(purpose, body))]);
    },
    endOf: async (purpose, challenge) => {
      const bytes = challenge.length === LENGTH ? fromBase64url(challenge) : undefined;
      if (bytes === undefined) return undefined;
      const body = bytes.slice(0, TIME_BYTES + RANDOM_BYTES);
      if (!equalBytes(await macOf(purpose, body), bytes.subarray(body.length))) return undefined;
      const endsAt = new DataView(body.buffer).getFloat64(0);
      return clock.now() < endsAt ? endsAt : undefined;
    },
  };
}

function fromBase64url(text: string): Uint8Array | undefined {
  if (!/^[\w-]+$/.test(text)) return undefined;
  const bytes = Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (character) =>
    character.charCodeAt(0),
  );
  // Refuses other spellings of the last character, whose spare bits are ignored.
  return base64url(bytes) === text ? bytes : undefined;
}
