import { base64url, equalTexts, utf8, type Digest } from "../base/digest.ts";
import type { Eventual } from "../base/eventual.ts";
import type { SignedInMember } from "../accounts/principal.ts";
import type { Sessions } from "../management/sessions.ts";
import { sentProofs } from "./cookie.ts";
import type { MemberStore } from "./member-store.ts";
import { isFresh } from "./model/member.ts";

/**
 * Tells a member from a thief of their session. A member who proves their identity again gets a proof for this browser,
 * in a separate cookie that a previously stolen session does not include. Proofs are not stored: each contains its time
 * and a keyed hash, and ends with its session.
 */
export interface Presence extends Pick<Sessions, "isPresent"> {
  /** Returns the proof, given at `now`, for the cookie. A secret. */
  prove(me: SignedInMember, now: number): Promise<string>;
}

export function createPresence({
  memberStore,
  digest,
  key,
}: {
  readonly memberStore: Pick<MemberStore, "session">;
  readonly digest: Digest;
  readonly key: () => Eventual<Uint8Array>;
}): Presence {
  const proofOf = async ({ id, sessionId }: SignedInMember, at: number): Promise<string> => {
    const mac = await digest.hmac(await key(), utf8(`${at} ${id} ${sessionId}`));
    return `${at}.${base64url(mac)}`;
  };
  return {
    prove: proofOf,
    isPresent: async (me, cookies, now) => {
      const session = await memberStore.session(me.sessionId);
      if (session === undefined) return false;
      if (isFresh(session.createdAt, now)) return true;
      for (const sent of sentProofs(cookies)) {
        const at = Number(FORM.exec(sent)?.[1] ?? Number.NaN);
        if (isFresh(at, now) && equalTexts(await proofOf(me, at), sent)) return true;
      }
      return false;
    },
  };
}

/** The time in milliseconds, and the hash. */
const FORM = /^(\d{1,15})\.[\w-]+$/;
