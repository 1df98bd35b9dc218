import type { Principal, Role } from "./model/principal.ts";

/** Whoever calls, as they are told themselves. */
export interface MeView {
  readonly role: Role;
  readonly accountId?: string;
  readonly name: string;
  /** Who signed in; absent for a token. */
  readonly member?: { readonly id: string; readonly email: string; readonly name: string };
  readonly sessionId?: string;
}

export function viewOfCaller({ role, accountId, name, member }: Principal): MeView {
  return {
    role,
    ...(accountId === undefined ? {} : { accountId }),
    name,
    ...(member === undefined
      ? {}
      : {
          member: { id: member.id, email: member.email, name: member.name },
          sessionId: member.sessionId,
        }),
  };
}
