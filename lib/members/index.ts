export { createNotices } from "./create-notices.ts";
export type { MailReader, Notices, NoticesOptions } from "./create-notices.ts";
export type { SwitchedMail } from "./model/mail-switches.ts";
export { createMembers } from "./create-members.ts";
export type { Members, MembersOptions } from "./create-members.ts";
export type {
  ListedMember,
  MemberChange,
  MemberRefusal,
  MemberStore,
  SessionUse,
  SignInMethod,
} from "./member-store.ts";
export type { Member, Passkey, ResetLink, Session } from "./model/member.ts";
export type {
  CreatedPasskey,
  PasskeyJson,
  PasskeyProof,
  Passkeys,
  RelyingParty,
} from "./passkeys.ts";
export type { LeakedPasswords, PasswordBounds, Passwords } from "./passwords.ts";
export { sqlMemberStore } from "./storage/sql-member-store.ts";
export type { SqlMemberStoreOptions } from "./storage/sql-member-store.ts";
export type { MemberView, PasskeyView, ResetLinkView, SessionView } from "./schemas.ts";
export { memberSchema } from "./storage/rows.ts";
