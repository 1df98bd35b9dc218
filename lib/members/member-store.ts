import type { Eventual } from "../base/eventual.ts";
import type { Result } from "../base/result.ts";
import type { Role } from "../management/model/principal.ts";
import type { Member } from "./model/member.ts";
import type { Passkey } from "./model/passkey.ts";
import type { ResetLink } from "./model/reset-link.ts";
import type { Session } from "./model/session.ts";

/**
 * A write, as data. `at` is the instant it was decided. What changes who may do something writes the notice `member`
 * in the same commit; those who are made, changed and removed an event besides.
 */
export type MemberChange =
  /**
   * Whoever has that e-mail address in an account that is gone makes way. Event `member.created`. Refused `missing`
   * without its account, `exists` where somebody has the address, `limit` when its account, or the operators
   * together, have `max` members.
   */
  | {
      readonly kind: "member.create";
      readonly member: Member;
      readonly max: number;
      readonly at: number;
    }
  /** What is absent stays. Event `member.updated`. Refused `missing`. */
  | {
      readonly kind: "member.update";
      readonly memberId: string;
      readonly name?: string;
      readonly role?: Role;
      readonly at: number;
    }
  /**
   * Sets the hash of the password, and ends all sessions and the reset link. Refused `missing`, also when `before` is
   * said and is not the member's hash any more.
   */
  | {
      readonly kind: "member.password";
      readonly memberId: string;
      readonly password: string;
      readonly before?: string;
      readonly at: number;
    }
  /**
   * With all sessions, passkeys and links. Event `member.removed`. Refused `missing`, and `last` for the only
   * operator who has a password.
   */
  | { readonly kind: "member.remove"; readonly memberId: string; readonly at: number }
  /**
   * Of the member's sessions the `max` seen last stay. Refused `missing` without its member, and when `password` is
   * said and is not the member's hash any more.
   */
  | {
      readonly kind: "session.create";
      readonly session: Session;
      readonly password?: string;
      readonly max: number;
    }
  /** When sessions were last seen; unknown ones are passed over. No notice. */
  | { readonly kind: "session.use"; readonly uses: readonly SessionUse[] }
  /** Refused `missing` when the member has no such session. */
  | {
      readonly kind: "session.end";
      readonly sessionId: string;
      readonly memberId: string;
      readonly at: number;
    }
  /** All sessions of the member but `except`. */
  | {
      readonly kind: "session.end_others";
      readonly memberId: string;
      readonly except: string;
      readonly at: number;
    }
  /**
   * Refused `exists` for a known id or credential, `limit` when the member has `max` of them, `missing` without it, and
   * when `sessionId` is said and is no session of the member any more.
   */
  | {
      readonly kind: "passkey.create";
      readonly passkey: Passkey;
      readonly sessionId?: string;
      readonly max: number;
    }
  /** Refused `missing` when it is gone, or its counter is `before` no more. */
  | {
      readonly kind: "passkey.use";
      readonly passkeyId: string;
      readonly before: number;
      readonly counter: number;
      readonly at: number;
    }
  /** Refused `missing` when the member has no such passkey. */
  | { readonly kind: "passkey.remove"; readonly passkeyId: string; readonly memberId: string }
  /** All passkeys of the member, if any. */
  | { readonly kind: "passkey.remove_all"; readonly memberId: string }
  /** Puts this link in the place of any other of the member. Refused `missing` without it. */
  | { readonly kind: "reset.offer"; readonly link: ResetLink }
  /** Takes the link away. Refused `missing` when there is none, or when it is over at `at`. */
  | { readonly kind: "reset.take"; readonly linkId: string; readonly at: number }
  /** Takes the management's setup link away. Refused `missing` when there is none, or when it is over at `at`. */
  | { readonly kind: "setup.take"; readonly linkId: string; readonly at: number }
  /** A challenge was answered. Refused `exists` for one that was before. It is remembered until `expiresAt`. */
  | { readonly kind: "challenge.spend"; readonly challenge: string; readonly expiresAt: number }
  /**
   * Removes at most `limit` of each: sessions that are over, or were last seen before `seenBefore`; links and spent
   * challenges that are over; members whose account is gone.
   */
  | {
      readonly kind: "purge";
      readonly at: number;
      readonly seenBefore: number;
      readonly limit: number;
    };

export interface SessionUse {
  readonly sessionId: string;
  readonly at: number;
}

/** A member, and how many passkeys they have. */
export interface ListedMember extends Member {
  readonly passkeys: number;
}

export type MemberRefusal = "missing" | "exists" | "limit" | "last";

/**
 * Those who can sign in, and what they have for it: beside the store's and the management's tables, in the same
 * database. What every adapter must promise (test/contract/member-store.ts):
 *
 * - `commit` applies all of its changes or none, in order, and resolves only when they are durable. It resolves with
 *   the first refusal when there is one.
 * - A read sees every commit that had resolved, in this process, before it was called.
 * - Of two commits that take the same link, or spend the same challenge, one is refused.
 */
export interface MemberStore {
  byId(id: string): Eventual<ListedMember | undefined>;
  /** `email` is normal. */
  byEmail(email: string): Eventual<ListedMember | undefined>;
  /** Oldest first: of an account, or the operators. */
  list(accountId: string | undefined): Eventual<readonly ListedMember[]>;
  /** Whether anybody can sign in already. */
  any(): Eventual<boolean>;
  session(id: string): Eventual<Session | undefined>;
  /** Seen last first. */
  sessions(memberId: string): Eventual<readonly Session[]>;
  passkey(credentialId: string): Eventual<Passkey | undefined>;
  /** Oldest first. */
  passkeys(memberId: string): Eventual<readonly Passkey[]>;
  resetLink(id: string): Eventual<ResetLink | undefined>;
  commit(changes: readonly MemberChange[]): Promise<Result<undefined, MemberRefusal>>;
}
