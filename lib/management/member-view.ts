import type { Role, AccountRole } from "../accounts/principal.ts";
import type { Problem } from "../base/problem.ts";
import type { Result } from "../base/result.ts";

/** A member without the hash of the password. */
export interface MemberView {
  /** `mem_…` */
  readonly id: string;
  readonly email: string;
  /** May be empty. */
  readonly name: string;
  readonly role: Role;
  /** Absent for an operator. */
  readonly accountId?: string;
  readonly createdAt: number;
  /** Accurate to a minute; absent before the first sign-in. */
  readonly lastSeenAt?: number;
  /** Number of passkeys. */
  readonly passkeys: number;
  /** Pending until the member has chosen a password. */
  readonly status: "active" | "pending";
}

/** A link for choosing a password. */
export interface ResetLinkView {
  /** A secret until it is used. */
  readonly url: string;
  readonly expiresAt: number;
}

/** A signed-in browser. */
export interface SessionView {
  readonly id: string;
  /** The session of this request. */
  readonly current: boolean;
  readonly createdAt: number;
  readonly lastSeenAt: number;
  readonly expiresAt: number;
  /** IP address of the sign-in; may be empty. */
  readonly address: string;
  /** May be empty. */
  readonly userAgent: string;
}

export interface PasskeyView {
  readonly id: string;
  readonly name: string;
  readonly createdAt: number;
  readonly lastUsedAt?: number;
}

type Answer<Value> = Promise<Result<Value, Problem>>;

/** A new member, and the link for choosing their password. */
export interface Newcomer {
  readonly member: MemberView;
  readonly link: ResetLinkView;
}

/** The members of an account through the management API; without an account, the operators. */
export interface MembersClient {
  /** Oldest first. */
  list(accountId?: string): Answer<readonly MemberView[]>;
  /** Finds the member of any account with an e-mail address; for operators. */
  find(email: string): Answer<MemberView | undefined>;
  create(input: {
    readonly email: string;
    readonly name?: string;
    /** Both or neither. */
    readonly in?: { readonly accountId: string; readonly role: AccountRole };
  }): Answer<Newcomer>;
  /** Replaces an earlier link. */
  resetLink(memberId: string, accountId?: string): Answer<ResetLinkView>;
  remove(memberId: string, accountId?: string): Answer<undefined>;
}
