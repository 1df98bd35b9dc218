import { number, text } from "../../sql/rows.ts";
import type { SqlRow } from "../../sql/sql.ts";
import type { Role } from "../model/principal.ts";
import type { ManagementToken } from "../model/token.ts";
import type { SetupLink } from "../token-store.ts";

// Rows enter the types here. The casts hold because only this folder writes these tables.

export const tokenColumns =
  "id, account_id, role, name, hash, created_at, expires_at, revoked_at, last_used_at";

export function tokenOf(row: SqlRow): ManagementToken {
  const accountId = text(row, "account_id");
  const [expiresAt, revokedAt, lastUsedAt] = ["expires_at", "revoked_at", "last_used_at"].map(
    (column) => (row[column] === null ? undefined : number(row, column)),
  );
  return {
    id: text(row, "id"),
    role: text(row, "role") as Role,
    ...(accountId === OPERATORS ? {} : { accountId }),
    name: text(row, "name"),
    hash: text(row, "hash"),
    createdAt: number(row, "created_at"),
    ...(expiresAt === undefined ? {} : { expiresAt }),
    ...(revokedAt === undefined ? {} : { revokedAt }),
    ...(lastUsedAt === undefined ? {} : { lastUsedAt }),
  };
}

/** Stands where rows and events name an account, for what belongs to none. No account has that id. */
export const OPERATORS = "";

export const setupLinkColumns = "id, hash, expires_at";

export function setupLinkOf(row: SqlRow): SetupLink {
  return { id: text(row, "id"), hash: text(row, "hash"), expiresAt: number(row, "expires_at") };
}
