import type { Role } from "./model/principal.ts";

/** Somebody who can sign in, as others may see them. */
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
  /** Accurate to a minute; absent for whoever never signed in. */
  readonly lastSeenAt?: number;
  /** How many. */
  readonly passkeys: number;
  /** Pending until they chose a password. */
  readonly status: "active" | "pending";
}

/** The way to a new password. */
export interface ResetLinkView {
  /** A secret until it is used. */
  readonly url: string;
  readonly expiresAt: number;
}

/** A browser that somebody signed in with. */
export interface SessionView {
  readonly id: string;
  /** The one that asks. */
  readonly current: boolean;
  readonly createdAt: number;
  readonly lastSeenAt: number;
  readonly expiresAt: number;
  /** IP address that it was made from; may be empty. */
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
