import { MINUTE_MS, type Clock } from "../base/clock.ts";
import { base64url, equalBytes, utf8, type Digest } from "../base/digest.ts";
import type { Eventual } from "../base/eventual.ts";
import type { Random } from "../base/id.ts";

/**
 * Challenges of passkeys. They are remembered by nobody until they are answered: each carries its end and a keyed
 * hash, so that whoever asks for millions of them costs no memory. That one is answered once is the store's promise.
 */
export interface Challenges {
  /** Good for five minutes, for that purpose alone: "sign in", or one that names who adds a passkey. */
  make(purpose: string): Promise<Uint8Array>;
  /** When the challenge (base64url) ends; undefined when it is not ours, of another purpose, or over. */
  endOf(purpose: string, challenge: string): Promise<number | undefined>;
}

/** Judges the challenge of one answer, and knows afterwards which it was. */
export interface ExpectedChallenge {
  readonly expects: (challenge: string) => Promise<boolean>;
  /** Undefined until a challenge of ours was found in the answer. */
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
/** In base64url, without padding. */
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
  // One text for one challenge: spare bits in the last character would make it many.
  return base64url(bytes) === text ? bytes : undefined;
}
