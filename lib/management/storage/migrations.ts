import type { Migration, Schema } from "../../sql/migrate.ts";

/** The tables of the management API. What was released is never edited: add a migration. */
export const migrations: readonly Migration[] = [
  () => [
    // The account of an operator's token is the empty text.
    `CREATE TABLE management_tokens (
      id TEXT PRIMARY KEY,
      account_id TEXT NOT NULL,
      role TEXT NOT NULL,
      name TEXT NOT NULL,
      hash TEXT NOT NULL,
      created_at BIGINT NOT NULL,
      expires_at BIGINT,
      revoked_at BIGINT,
      last_used_at BIGINT
    )`,
    "CREATE INDEX management_tokens_by_account ON management_tokens (account_id, created_at, id)",
    `CREATE TABLE setup_links (
      id TEXT PRIMARY KEY,
      hash TEXT NOT NULL,
      expires_at BIGINT NOT NULL
    )`,
  ],
];

/** The tables of `sqlTokenStore`. */
export const tokenSchema: Schema = { component: "management", migrations };
