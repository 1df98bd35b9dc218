/** From the most to the least; each may do what those after it may, within its account. */
export const roles = ["operator", "owner", "staff", "viewer"] as const;
export type Role = (typeof roles)[number];

/** What whoever belongs to an account can be. */
export const accountRoles = ["owner", "staff", "viewer"] as const;
export type AccountRole = (typeof accountRoles)[number];

/** Whoever calls the management API. */
export interface Principal {
  readonly role: Role;
  /** The account it belongs to; undefined for an operator, who stands over all. */
  readonly accountId: string | undefined;
  /** What is written where something says who did it. */
  readonly name: string;
  /** What its requests are counted by. */
  readonly counter: string;
  /** Who signed in; absent where a token or the host speaks. */
  readonly member?: SignedInMember;
}

/** A person, and the session that speaks for them. */
export interface SignedInMember {
  /** `mem_…` */
  readonly id: string;
  readonly email: string;
  /** As they call themselves; may be empty. */
  readonly name: string;
  readonly sessionId: string;
}

/** Whoever holds the data directory or its socket. Not counted. */
export const local: Principal = {
  role: "operator",
  accountId: undefined,
  name: "local",
  counter: "local",
};

/** True when `role` may do what `needed` may. */
export function includes(role: Role, needed: Role): boolean {
  return roles.indexOf(role) <= roles.indexOf(needed);
}
