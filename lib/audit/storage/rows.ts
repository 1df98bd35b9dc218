import type { Migration, Schema } from "../../sql/migrate.ts";
import { number, optionalNumber, optionalText, present, text } from "../../sql/rows.ts";
import type { SqlRow, SqlValue } from "../../sql/sql.ts";
import { canonicalJson, type AuditRow } from "../model.ts";

/** Replaces the account's ID in rows of the operators. */
const OPERATORS = "";

// Released migrations are never edited: add another one.
const migrations: readonly Migration[] = [
  () => [
    // `seq` has no gaps, so the chain assigns it, and not the database.
    `CREATE TABLE audit_log (
      seq BIGINT PRIMARY KEY,
      event_seq BIGINT NOT NULL,
      at BIGINT NOT NULL,
      type TEXT NOT NULL,
      account_id TEXT NOT NULL,
      catalogue_id BIGINT,
      actor TEXT,
      channel TEXT,
      address TEXT,
      subject TEXT,
      details TEXT,
      hash TEXT NOT NULL
    )`,
    "CREATE INDEX audit_log_by_account ON audit_log (account_id, at, seq)",
    "CREATE INDEX audit_log_by_account_and_actor ON audit_log (account_id, actor, at, seq)",
    "CREATE INDEX audit_log_by_account_and_type ON audit_log (account_id, type, at, seq)",
    "CREATE INDEX audit_log_by_account_and_subject ON audit_log (account_id, subject, at, seq)",
    "CREATE INDEX audit_log_by_time ON audit_log (at, seq)",
    "CREATE INDEX audit_log_by_actor ON audit_log (actor, at, seq)",
    "CREATE INDEX audit_log_by_type ON audit_log (type, at, seq)",
    // At most one row: the end of the chain, and the place before its oldest row.
    `CREATE TABLE audit_chain (
      id INTEGER PRIMARY KEY,
      seq BIGINT NOT NULL,
      event_seq BIGINT NOT NULL,
      hash TEXT NOT NULL,
      checkpoint_seq BIGINT NOT NULL,
      checkpoint_hash TEXT NOT NULL,
      checkpoint_at BIGINT
    )`,
  ],
];

/** The tables of `sqlAuditStore`. */
export const auditSchema: Schema = { component: "audit", migrations };

export const auditColumns =
  "seq, event_seq, at, type, account_id, catalogue_id, actor, channel, address, subject, details, hash";

/** Returns the values of the columns. */
export function auditValues({ fields, values, ...row }: AuditRow): readonly SqlValue[] {
  const { seq, event, at, type, account = OPERATORS, catalogue = null, hash } = row;
  const { actor = null, channel = null, address = null, subject = null } = row;
  const details =
    fields === undefined && values === undefined ? null : canonicalJson({ fields, values });
  return [
    ...[seq, event, at, type, account, catalogue],
    ...[actor, channel, address, subject, details, hash],
  ];
}

export function auditRowOf(row: SqlRow): AuditRow {
  const account = text(row, "account_id");
  const details = optionalText(row, "details");
  return {
    seq: number(row, "seq"),
    event: number(row, "event_seq"),
    at: number(row, "at"),
    type: text(row, "type"),
    ...present({
      account: account === OPERATORS ? undefined : account,
      catalogue: optionalNumber(row, "catalogue_id"),
      actor: optionalText(row, "actor"),
      channel: optionalText(row, "channel"),
      address: optionalText(row, "address"),
      subject: optionalText(row, "subject"),
    }),
    ...(details === undefined ? {} : detailsIn(details)),
    hash: text(row, "hash"),
  };
}

/** Reads details. A text that was changed in the database may be anything: then the row has it as its only field. */
function detailsIn(details: string): Pick<AuditRow, "fields" | "values"> {
  try {
    const read: unknown = JSON.parse(details);
    // Anything else than what was written gives the row another hash.
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion
    if (canonicalJson(read) === details) return read as Pick<AuditRow, "fields" | "values">;
  } catch {
    // No JSON.
  }
  return { fields: [details] };
}
