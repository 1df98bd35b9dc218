import { base64url, equalBytes, utf8, type Digest } from "../base/digest.ts";
import type { Eventual } from "../base/eventual.ts";
import type { SignedInMember } from "../management/model/principal.ts";
import type { Sessions } from "../management/sessions.ts";
import { sentProof } from "./cookie.ts";
import type { MemberStore } from "./member-store.ts";
import { isFresh } from "./model/session.ts";

/**
 * Whether a person is at a session, and not whoever got hold of it. Who proves anew who they are gets a proof for that
 * very browser: a cookie of its own, so that one who stole the session before has no part in it. Proofs are remembered by
 * nobody: each carries its instant and a keyed hash, and is over with its session.
 */
export interface Presence extends Pick<Sessions, "isPresent"> {
  /** For the cookie: that the member was there at `now`. A secret. */
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
      const sent = sentProof(cookies);
      if (sent.kind !== "token") return false;
      const at = Number(FORM.exec(sent.token)?.[1] ?? Number.NaN);
      if (!isFresh(at, now)) return false;
      return equalBytes(utf8(await proofOf(me, at)), utf8(sent.token));
    },
  };
}

/** The instant in milliseconds, and the hash. */
const FORM = /^(\d{1,15})\.[\w-]+$/;
