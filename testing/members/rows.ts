import { system } from "../../lib/model/actor.ts";
import type { TokenStore } from "../../lib/accounts/token-store.ts";
import type { Eventual } from "../../lib/base/eventual.ts";
import type { MemberChange, MemberStore } from "../../lib/members/member-store.ts";
import type { Member, Passkey, Session } from "../../lib/members/model/member.ts";
import type { Store } from "../../lib/storage/store.ts";
import type { ContractCase } from "../contract-case.ts";
import { START } from "../shelter.ts";

/** An empty member store, and the other stores over the same database. */
export interface MemberStoreUnderTest {
  readonly store: Store;
  readonly tokens: TokenStore;
  readonly members: MemberStore;
  /** Called after the case. */
  close?(): Eventual<void>;
}

/** Creates a case whose store has two accounts, `acc_one` and `acc_two`. */
export type MemberStoreCase = (
  name: string,
  body: (made: MemberStoreUnderTest) => Promise<void>,
) => ContractCase;

export function aMember(id: string, more: Partial<Member> = {}): Member {
  return {
    id,
    email: `${id}@example.org`,
    name: `Member ${id}`,
    role: "operator",
    password: `hash of ${id}`,
    createdAt: START,
    ...more,
  };
}

export function aSession(id: string, memberId: string, more: Partial<Session> = {}): Session {
  return {
    id,
    memberId,
    hash: `hash ${id}`,
    createdAt: START,
    lastSeenAt: START,
    expiresAt: START + 1_000,
    address: "192.0.2.1",
    userAgent: "Netscape",
    ...more,
  };
}

export function aPasskey(id: string, memberId: string, more: Partial<Passkey> = {}): Passkey {
  return {
    id,
    memberId,
    credentialId: `credential ${id}`,
    publicKey: "key",
    counter: 0,
    transports: ["usb", "nfc"],
    name: `Passkey ${id}`,
    createdAt: START,
    ...more,
  };
}

export const create = (member: Member, max = 100): MemberChange => ({
  kind: "member.create",
  member,
  max,
  at: member.createdAt,
});
type Opening = Extract<MemberChange, { readonly kind: "session.create" }>;
type Adding = Extract<MemberChange, { readonly kind: "passkey.create" }>;

export const open = (session: Session, max = 50): Opening => ({
  kind: "session.create",
  session,
  max,
});
export const add = (passkey: Passkey, max = 20): Adding => ({
  kind: "passkey.create",
  passkey,
  max,
});
export const remove = (memberId: string): MemberChange => ({
  kind: "member.remove",
  memberId,
  at: START,
});

export const refusal = async (members: MemberStore, ...changes: readonly MemberChange[]) => {
  const committed = await members.commit(changes, system);
  return committed.ok ? "done" : committed.failure;
};
export const subjects = async ({ store }: MemberStoreUnderTest) =>
  (await store.feed.after(0, 100))
    .filter(({ topic }) => topic === "member")
    .map(({ subject }) => subject);
