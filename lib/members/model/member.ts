import type { Role } from "../../management/model/principal.ts";

/** Somebody who can sign in: an operator, or one of the people of an account. */
export interface Member {
  /** `mem_` and 12 characters of base 62. */
  readonly id: string;
  /** As `normalEmail` makes it; no two members have the same. */
  readonly email: string;
  /** What they call themselves; may be empty. */
  readonly name: string;
  readonly role: Role;
  /** Absent for an operator. */
  readonly accountId?: string;
  /** What the password was hashed to; absent until they chose one. */
  readonly password?: string;
  readonly createdAt: number;
  /** Accurate to a minute; absent for whoever never signed in. */
  readonly lastSeenAt?: number;
}

/** Members of an account, or operators. */
export const MAX_MEMBERS = 100;
