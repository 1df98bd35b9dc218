import { base36Time, HOUR_MS, SECOND_MS, type Clock } from "../base/clock.ts";
import { base64url, equalTexts, utf8, type Digest } from "../base/digest.ts";
import type { Eventual } from "../base/eventual.ts";
import { randomBase62, type Random } from "../base/id.ts";
import type { EnquirySubject } from "../publishing/enquiry-desk.ts";

/** People need longer to fill in the form. */
const SOONEST_MS: number = 3 * SECOND_MS;
/** How long a form can be sent. */
const LATEST_MS: number = 12 * HOUR_MS;

/** What a stamp says about the form that has it. */
export type StampState =
  /** `nonce` is different for each form. */
  | { readonly kind: "good"; readonly nonce: string }
  /** Sent so soon that a program may have done it; the same stamp is good later. */
  | { readonly kind: "fast" }
  /** Too old, of another form, or forged. */
  | { readonly kind: "unknown" };

/** Signs when a form was shown, and for which animal, so that nothing of it has to be stored. */
export interface Stamps {
  make(subject: EnquirySubject): Promise<string>;
  read(stamp: string, subject: EnquirySubject): Promise<StampState>;
}

export function createStamps({
  key,
  digest,
  clock,
  random,
}: {
  readonly key: () => Eventual<Uint8Array>;
  readonly digest: Digest;
  readonly clock: Pick<Clock, "now">;
  readonly random: Random;
}): Stamps {
  const sign = async (
    { projectId, catalogueId, petId }: EnquirySubject,
    at: string,
    nonce: string,
  ): Promise<string> => {
    const signed = utf8(JSON.stringify([projectId, catalogueId, petId, at, nonce]));
    return base64url(await digest.hmac(await key(), signed)).slice(0, SIGNATURE);
  };
  return {
    make: async (subject) => {
      const [at, nonce] = [base36Time(clock.now()), randomBase62(random, NONCE)];
      return `${at}.${nonce}.${await sign(subject, at, nonce)}`;
    },
    read: async (stamp, subject) => {
      const [, at, nonce, signature] = FORM.exec(stamp) ?? [];
      if (at === undefined || nonce === undefined || signature === undefined) return UNKNOWN;
      if (!equalTexts(signature, await sign(subject, at, nonce))) return UNKNOWN;
      const age = clock.now() - Number.parseInt(at, 36);
      // A clock that was set back makes it negative: such a stamp would not become good soon.
      if (age > LATEST_MS || age < -SOONEST_MS) return UNKNOWN;
      return age < SOONEST_MS ? { kind: "fast" } : { kind: "good", nonce };
    },
  };
}

const UNKNOWN: StampState = { kind: "unknown" };

const NONCE = 16;
const SIGNATURE = 27;
const FORM = new RegExp(`^([0-9a-z]{1,10})\\.([0-9A-Za-z]{${NONCE}})\\.([\\w-]{${SIGNATURE}})$`);
