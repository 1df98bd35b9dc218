import { aText, checkOptions, having, oneOf, optional } from "../base/options.ts";
import { belonging, command, host, type Actor } from "../model/actor.ts";

/** The roles from most to fewest permissions. Within an account, each role includes those after it. */
export const roles = ["operator", "owner", "staff", "viewer"] as const;
/** A role: of operators, or in an account. */
export type Role = (typeof roles)[number];

/** The roles in an account. */
export const accountRoles = ["owner", "staff", "viewer"] as const;
/** A role in an account. */
export type AccountRole = (typeof accountRoles)[number];

/** A caller of the management API. */
export interface Principal {
  readonly role: Role;
  /** Undefined for an operator, who manages all accounts. */
  readonly accountId: string | undefined;
  /** The name shown as the actor. */
  readonly name: string;
  /** The name of the bucket that counts its requests. */
  readonly counter: string;
  /** Absent if the caller is a token or the host. */
  readonly member?: SignedInMember;
  /** Who makes the caller's changes. Default: the member, or else the host. */
  readonly actor?: Actor;
}

/** A member and their session. */
export interface SignedInMember {
  /** `mem_…` */
  readonly id: string;
  readonly email: string;
  /** May be empty. */
  readonly name: string;
  /** The language that the member chose (BCP 47). */
  readonly language?: string;
  readonly sessionId: string;
}

/** A caller with access to the data directory or its socket. Not rate-limited. */
export const local: Principal = {
  role: "operator",
  accountId: undefined,
  name: "local",
  counter: "local",
  actor: command,
};

/** Returns true for a principal of a program, which has a counter; users of the host have none. */
export function isPrincipal(given: unknown): given is Principal {
  return typeof given === "object" && given !== null && "counter" in given;
}

/** Returns the principal. Throws a TypeError if a JavaScript caller gave it a wrong shape, such as an unknown role. */
export function checkedPrincipal(principal: Principal): Principal {
  checkOptions("The principal of a request", principal, {
    role: oneOf(roles),
    accountId: optional(aText),
    name: { ...aText, secret: true },
    counter: { ...aText, secret: true },
    member: optional(having("a signed-in member", "id", "sessionId")),
    actor: optional(having("an actor", "kind")),
  });
  const { role, accountId } = principal;
  if ((role === "operator") !== (accountId === undefined)) {
    throw new TypeError(
      "The principal of a request: an operator has no accountId, and every other role needs one.",
    );
  }
  return principal;
}

/** Returns who makes the changes of a caller. */
export function actorOf({ accountId, actor, member }: Principal): Actor {
  if (actor !== undefined) return actor;
  return member === undefined ? host : { kind: "member", id: member.id, ...belonging(accountId) };
}

/** Returns true if `role` has the permissions of `needed`. */
export function includes(role: Role, needed: Role): boolean {
  return roles.indexOf(role) <= roles.indexOf(needed);
}

/** A caller's own view of itself. */
export interface MeView {
  readonly role: Role;
  readonly accountId?: string;
  readonly name: string;
  /** Absent for a token. */
  readonly member?: Omit<SignedInMember, "sessionId">;
  readonly sessionId?: string;
}

export function viewOfCaller({ role, accountId, name, member }: Principal): MeView {
  const caller = { role, ...(accountId === undefined ? {} : { accountId }), name };
  if (member === undefined) return caller;
  const { sessionId, ...shown } = member;
  return { ...caller, member: shown, sessionId };
}
