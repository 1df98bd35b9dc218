import { number, text } from "../../sql/rows.ts";
import { OPERATORS } from "../../management/storage/rows.ts";
import type { Role } from "../../management/model/principal.ts";
import type { SqlRow } from "../../sql/sql.ts";
import type { ListedMember } from "../member-store.ts";
import type { Passkey } from "../model/passkey.ts";
import type { ResetLink } from "../model/reset-link.ts";
import type { Session } from "../model/session.ts";

// Rows enter the types here. The casts hold because only this folder writes these tables.

export const memberColumns =
  "id, email, name, role, account_id, password, created_at, last_seen_at";

/** A member as it is listed; of a row that counts no passkeys there are none. */
export function memberOf(row: SqlRow): ListedMember {
  const accountId = text(row, "account_id");
  return {
    id: text(row, "id"),
    email: text(row, "email"),
    name: text(row, "name"),
    role: text(row, "role") as Role,
    ...(accountId === OPERATORS ? {} : { accountId }),
    ...(row["password"] === null ? {} : { password: text(row, "password") }),
    createdAt: number(row, "created_at"),
    ...(row["last_seen_at"] === null ? {} : { lastSeenAt: number(row, "last_seen_at") }),
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
    ...(row["last_used_at"] === null ? {} : { lastUsedAt: number(row, "last_used_at") }),
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
