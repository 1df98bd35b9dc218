import type { Migration, Schema } from "../../sql/migrate.ts";

/** The tables of those who can sign in. What was released is never edited: add a migration. */
export const migrations: readonly Migration[] = [
  () => [
    // The account of an operator is the empty text.
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
];

/** The tables of `sqlMemberStore`. */
export const memberSchema: Schema = { component: "members", migrations };
