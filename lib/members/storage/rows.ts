import { OPERATORS } from "../../storage/changes/store-script.ts";
import type { Role } from "../../accounts/principal.ts";
import type { Migration, Schema } from "../../sql/migrate.ts";
import { number, optionalNumber, optionalText, present, text } from "../../sql/rows.ts";
import type { SqlRow } from "../../sql/sql.ts";
import type { ListedMember } from "../member-store.ts";
import type { Passkey, ResetLink, Session } from "../model/member.ts";

// Released migrations are never edited: add another one.
const migrations: readonly Migration[] = [
  () => [
    // `account_id` is empty for an operator.
    `CREATE TABLE members (
      id TEXT PRIMARY KEY,
      email TEXT NOT NULL UNIQUE,
      name TEXT NOT NULL,
      role TEXT NOT NULL,
      account_id TEXT NOT NULL,
      password TEXT,
      created_at BIGINT NOT NULL,
      last_seen_at BIGINT
    )`,
    "CREATE INDEX members_by_account ON members (account_id, created_at, id)",
    `CREATE TABLE member_sessions (
      id TEXT PRIMARY KEY,
      member_id TEXT NOT NULL,
      hash TEXT NOT NULL,
      created_at BIGINT NOT NULL,
      last_seen_at BIGINT NOT NULL,
      expires_at BIGINT NOT NULL,
      address TEXT NOT NULL,
      user_agent TEXT NOT NULL
    )`,
    "CREATE INDEX member_sessions_by_member ON member_sessions (member_id, last_seen_at, id)",
    `CREATE TABLE member_passkeys (
      id TEXT PRIMARY KEY,
      member_id TEXT NOT NULL,
      credential_id TEXT NOT NULL UNIQUE,
      public_key TEXT NOT NULL,
      counter BIGINT NOT NULL,
      transports TEXT NOT NULL,
      name TEXT NOT NULL,
      created_at BIGINT NOT NULL,
      last_used_at BIGINT
    )`,
    "CREATE INDEX member_passkeys_by_member ON member_passkeys (member_id, created_at, id)",
    `CREATE TABLE member_reset_links (
      id TEXT PRIMARY KEY,
      member_id TEXT NOT NULL UNIQUE,
      hash TEXT NOT NULL,
      expires_at BIGINT NOT NULL
    )`,
    `CREATE TABLE member_challenges (
      challenge TEXT PRIMARY KEY,
      expires_at BIGINT NOT NULL
    )`,
  ],
  // Earlier versions neither read nor write the column.
  () => ["ALTER TABLE members ADD COLUMN language TEXT"],
  // Kinds of mails, each followed by a space, after a space. Earlier versions neither read nor write the column.
  () => ["ALTER TABLE members ADD COLUMN mails_off TEXT"],
];

/** The tables of `sqlMemberStore`. */
export const memberSchema: Schema = { component: "members", migrations };

// The casts hold because only this folder writes these tables.

export const memberColumns =
  "id, email, name, role, account_id, password, created_at, last_seen_at, language, mails_off";

/** Converts a row to a member. Without the column `passkeys`, their number is 0. */
export function memberOf(row: SqlRow): ListedMember {
  const accountId = text(row, "account_id");
  const mailsOff = (optionalText(row, "mails_off") ?? "").split(" ").filter(Boolean);
  return {
    id: text(row, "id"),
    email: text(row, "email"),
    name: text(row, "name"),
    role: text(row, "role") as Role,
    createdAt: number(row, "created_at"),
    ...present({
      accountId: accountId === OPERATORS ? undefined : accountId,
      password: optionalText(row, "password"),
      lastSeenAt: optionalNumber(row, "last_seen_at"),
      language: optionalText(row, "language"),
      mailsOff: mailsOff.length === 0 ? undefined : mailsOff,
    }),
    passkeys: row["passkeys"] === undefined ? 0 : number(row, "passkeys"),
  };
}

export const sessionColumns =
  "id, member_id, hash, created_at, last_seen_at, expires_at, address, user_agent";

export function sessionOf(row: SqlRow): Session {
  return {
    id: text(row, "id"),
    memberId: text(row, "member_id"),
    hash: text(row, "hash"),
    createdAt: number(row, "created_at"),
    lastSeenAt: number(row, "last_seen_at"),
    expiresAt: number(row, "expires_at"),
    address: text(row, "address"),
    userAgent: text(row, "user_agent"),
  };
}

export const passkeyColumns =
  "id, member_id, credential_id, public_key, counter, transports, name, created_at, last_used_at";

export function passkeyOf(row: SqlRow): Passkey {
  const transports = text(row, "transports");
  return {
    id: text(row, "id"),
    memberId: text(row, "member_id"),
    credentialId: text(row, "credential_id"),
    publicKey: text(row, "public_key"),
    counter: number(row, "counter"),
    transports: transports === "" ? [] : transports.split(" "),
    name: text(row, "name"),
    createdAt: number(row, "created_at"),
    ...present({ lastUsedAt: optionalNumber(row, "last_used_at") }),
  };
}

export const resetLinkColumns = "id, member_id, hash, expires_at";

export function resetLinkOf(row: SqlRow): ResetLink {
  return {
    id: text(row, "id"),
    memberId: text(row, "member_id"),
    hash: text(row, "hash"),
    expiresAt: number(row, "expires_at"),
  };
}
