import type { Migration, Schema } from "../../sql/migrate.ts";
import { number, optionalNumber, present, text } from "../../sql/rows.ts";
import type { SqlRow } from "../../sql/sql.ts";
import { OPERATORS } from "../../storage/changes/store-script.ts";
import type { Role } from "../principal.ts";
import type { ManagementToken, SetupLink } from "../token-store.ts";

// Released migrations are never edited: add another one.
const migrations: readonly Migration[] = [
  () => [
    // `account_id` is empty for an operator's token.
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

// The casts hold because only this folder writes these tables.

export const tokenColumns =
  "id, account_id, role, name, hash, created_at, expires_at, revoked_at, last_used_at";

export function tokenOf(row: SqlRow): ManagementToken {
  const accountId = text(row, "account_id");
  return {
    id: text(row, "id"),
    role: text(row, "role") as Role,
    name: text(row, "name"),
    hash: text(row, "hash"),
    createdAt: number(row, "created_at"),
    ...present({
      accountId: accountId === OPERATORS ? undefined : accountId,
      expiresAt: optionalNumber(row, "expires_at"),
      revokedAt: optionalNumber(row, "revoked_at"),
      lastUsedAt: optionalNumber(row, "last_used_at"),
    }),
  };
}

export const setupLinkColumns = "id, hash, expires_at";

export function setupLinkOf(row: SqlRow): SetupLink {
  return { id: text(row, "id"), hash: text(row, "hash"), expiresAt: number(row, "expires_at") };
}
