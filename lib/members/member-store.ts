import type { Eventual } from "../base/eventual.ts";
import type { Result } from "../base/result.ts";
import type { Actor } from "../model/actor.ts";
import type { Role } from "../accounts/principal.ts";
import type { SwitchedMail } from "./model/mail-switches.ts";
import type { Member, Passkey, ResetLink, Session } from "./model/member.ts";

/** How a member proved who they are. */
export type SignInMethod = "password" | "passkey" | "link";

/**
 * A write, as data. `at` is when it was decided. Changes that affect access write the notice `member` in the same
 * commit; creating, updating or removing a member also writes an event. Sessions, passwords, passkeys and links write
 * entries that only the audit log has. Instants are in milliseconds since the Unix epoch.
 */
export type MemberChange =
  /**
   * Creates a member. Replaces a member with the same email address whose account was deleted. Event `member.created`.
   * Refused `missing` without the account, `exists` if another member has the address, `limit` if the account, or the
   * operators together, already have `max` members.
   */
  | {
      readonly kind: "member.create";
      readonly member: Member;
      readonly max: number;
      readonly at: number;
    }
  /** Absent fields stay unchanged. Event `member.updated`. Refused `missing`. */
  | {
      readonly kind: "member.update";
      readonly memberId: string;
      readonly name?: string;
      readonly role?: Role;
      readonly at: number;
    }
  /** Keeps the language that a member chose. Refused `missing`. */
  | {
      readonly kind: "member.language";
      readonly memberId: string;
      readonly language: string;
      readonly at: number;
    }
  /** Turns mails of a kind on or off. Refused `missing`. */
  | {
      readonly kind: "member.mails";
      readonly memberId: string;
      readonly mail: SwitchedMail;
      readonly on: boolean;
    }
  /**
   * Sets the password's hash, and ends all sessions and the reset link. Refused `missing`, also if `before` is given and
   * is no longer the member's hash.
   */
  | {
      readonly kind: "member.password";
      readonly memberId: string;
      readonly password: string;
      readonly before?: string;
      readonly at: number;
    }
  /**
   * Removes the member with all sessions, passkeys and links. Event `member.removed`. Refused `missing`; `last` for the
   * only operator with a password.
   */
  | { readonly kind: "member.remove"; readonly memberId: string; readonly at: number }
  /**
   * Creates a session and keeps the member's `max` most recently seen ones. Refused `missing` without the member, or if
   * `password` is given and is no longer the member's hash. With `newDevice`, event `member.device_added`.
   */
  | {
      readonly kind: "session.create";
      readonly session: Session;
      readonly newDevice?: boolean;
      readonly password?: string;
      readonly max: number;
      /** The audit log shows it. Default: it is not recorded. */
      readonly method?: SignInMethod;
    }
  /** Records that a person did not prove who they are: a member, or with an unknown email address. Changes nothing else. */
  | {
      readonly kind: "session.refuse";
      readonly memberId: string | undefined;
      readonly at: number;
    }
  /** Saves when sessions were last seen. Ignores unknown ids. No notice. */
  | { readonly kind: "session.use"; readonly uses: readonly SessionUse[] }
  /** Refused `missing` if the member has no such session. */
  | {
      readonly kind: "session.end";
      readonly sessionId: string;
      readonly memberId: string;
      readonly at: number;
    }
  /** Ends all sessions of the member except `except`. */
  | {
      readonly kind: "session.end_others";
      readonly memberId: string;
      readonly except: string;
      readonly at: number;
    }
  /**
   * Refused `exists` for a known id or credential, `limit` if the member has `max` passkeys, `missing` without the
   * member, or if `sessionId` is given and is no longer a session of the member.
   */
  | {
      readonly kind: "passkey.create";
      readonly passkey: Passkey;
      readonly sessionId?: string;
      readonly max: number;
    }
  /** Refused `missing` without the passkey, or if its counter is no longer `before`. */
  | {
      readonly kind: "passkey.use";
      readonly passkeyId: string;
      readonly before: number;
      readonly counter: number;
      readonly at: number;
    }
  /** Refused `missing` if the member has no such passkey. */
  | {
      readonly kind: "passkey.remove";
      readonly passkeyId: string;
      readonly memberId: string;
      readonly at: number;
    }
  /** Removes all passkeys of the member. */
  | { readonly kind: "passkey.remove_all"; readonly memberId: string; readonly at: number }
  /** Replaces the member's link. Refused `missing` without the member. */
  | { readonly kind: "reset.offer"; readonly link: ResetLink; readonly at: number }
  /** Removes the link. Refused `missing` if there is none or if it has expired at `at`. */
  | { readonly kind: "reset.take"; readonly linkId: string; readonly at: number }
  /** Removes the setup link. Refused `missing` if there is none or if it has expired at `at`. */
  | { readonly kind: "setup.take"; readonly linkId: string; readonly at: number }
  /** Marks a challenge as used until `expiresAt`. Refused `exists` if it was used before. */
  | { readonly kind: "challenge.spend"; readonly challenge: string; readonly expiresAt: number }
  /**
   * Removes at most `limit` rows of each kind: sessions that have expired or were last seen before `seenBefore`; expired
   * links and challenges; members of deleted accounts.
   */
  | {
      readonly kind: "purge";
      readonly at: number;
      readonly seenBefore: number;
      readonly limit: number;
    };

/** The use of a session. `at` is in milliseconds. */
export interface SessionUse {
  readonly sessionId: string;
  readonly at: number;
}

/** A member and the number of their passkeys. */
export interface ListedMember extends Member {
  readonly passkeys: number;
}

/** Why a change of a member was refused. */
export type MemberRefusal = "missing" | "exists" | "limit" | "last";

/**
 * Stores members, their sessions, passkeys and links, in the same database as the store and the tokens. Every adapter
 * must guarantee (`memberStoreContract`):
 *
 * - `commit` applies all of its changes or none, in order, and resolves only when they are durable. It resolves with the
 *   first refusal, if there is one.
 * - A read sees every commit of this process that had resolved when the read was called.
 * - Of two commits that take the same link, or spend the same challenge, one is refused.
 */
export interface MemberStore {
  byId(id: string): Eventual<ListedMember | undefined>;
  /** `email` is normalized. */
  byEmail(email: string): Eventual<ListedMember | undefined>;
  /** The members of an account, or the operators, oldest first. */
  list(accountId: string | undefined): Eventual<readonly ListedMember[]>;
  /** True if any member has a password. */
  any(): Eventual<boolean>;
  session(id: string): Eventual<Session | undefined>;
  /** Most recently seen first. */
  sessions(memberId: string): Eventual<readonly Session[]>;
  passkey(credentialId: string): Eventual<Passkey | undefined>;
  /** Oldest first. */
  passkeys(memberId: string): Eventual<readonly Passkey[]>;
  resetLink(id: string): Eventual<ResetLink | undefined>;
  commit(changes: readonly MemberChange[], actor: Actor): Promise<Result<undefined, MemberRefusal>>;
}

/** Commits changes as one actor, as `MemberStore.commit` does. */
export type CommitMembers = (changes: readonly MemberChange[]) => ReturnType<MemberStore["commit"]>;
