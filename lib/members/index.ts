export { createMembers } from "./create-members.ts";
export type { Members, MembersOptions } from "./create-members.ts";
export type { PasswordBounds } from "./bounded-passwords.ts";
export type { LeakedPasswords } from "./leaked-passwords.ts";
export type {
  ListedMember,
  MemberChange,
  MemberRefusal,
  MemberStore,
  SessionUse,
} from "./member-store.ts";
export type { Member } from "./model/member.ts";
export type { Passkey } from "./model/passkey.ts";
export type { ResetLink } from "./model/reset-link.ts";
export type { Session } from "./model/session.ts";
export type {
  CreatedPasskey,
  PasskeyJson,
  PasskeyProof,
  Passkeys,
  RelyingParty,
} from "./passkeys.ts";
export type { Passwords } from "./passwords.ts";
export { sqlMemberStore } from "./storage/sql-member-store.ts";
export { memberSchema } from "./storage/migrations.ts";
export type { SqlMemberStoreOptions } from "./storage/sql-member-store.ts";
