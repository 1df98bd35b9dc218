import type { Migration, Schema } from "../../sql/migrate.ts";
import { number, present, text } from "../../sql/rows.ts";
import type { SqlRow } from "../../sql/sql.ts";
import type { QueuedMail } from "../mail-store.ts";

/** Replaces the account's id in rows of mails about no account. */
export const NO_ACCOUNT = "";

// Released migrations are never edited: add another one.
const migrations: readonly Migration[] = [
  () => [
    // `sealed` and `next_at` are null once a mail has ended; `ended_at` and `outcome` are null until then.
    `CREATE TABLE mail_queue (
      id TEXT PRIMARY KEY,
      kind TEXT NOT NULL,
      account_id TEXT NOT NULL,
      sealed TEXT,
      created_at BIGINT NOT NULL,
      expires_at BIGINT NOT NULL,
      attempts INTEGER NOT NULL,
      next_at BIGINT,
      outcome TEXT,
      ended_at BIGINT
    )`,
    "CREATE INDEX mail_queue_by_next ON mail_queue (next_at, id)",
    "CREATE INDEX mail_queue_by_end ON mail_queue (ended_at)",
  ],
];

/** The tables of `sqlMailStore`. */
export const mailSchema: Schema = { component: "mail", migrations };

// The casts hold because only this folder writes these tables.

/** The columns of a mail that waits. */
export const mailColumns =
  "id, kind, account_id, sealed, created_at, expires_at, attempts, next_at";

export function mailOf(row: SqlRow): QueuedMail {
  const accountId = text(row, "account_id");
  return {
    id: text(row, "id"),
    kind: text(row, "kind"),
    ...present({ accountId: accountId === NO_ACCOUNT ? undefined : accountId }),
    sealed: text(row, "sealed"),
    createdAt: number(row, "created_at"),
    expiresAt: number(row, "expires_at"),
    attempts: number(row, "attempts"),
    nextAt: number(row, "next_at"),
  };
}
