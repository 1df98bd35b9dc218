import { aClock, checkOptions, optional, someSql } from "../../base/options.ts";
import { systemClock, type Clock } from "../../base/clock.ts";
import { andThen, type Eventual } from "../../base/eventual.ts";
import { OPERATORS } from "../../management/storage/rows.ts";
import { migrate } from "../../sql/migrate.ts";
import type { Sql, SqlRow, SqlValue } from "../../sql/sql.ts";
import type { MemberStore } from "../member-store.ts";
import { compile } from "./changes.ts";
import { memberSchema } from "./migrations.ts";
import {
  memberColumns,
  memberOf,
  passkeyColumns,
  passkeyOf,
  resetLinkColumns,
  resetLinkOf,
  sessionColumns,
  sessionOf,
} from "./rows.ts";

export interface SqlMemberStoreOptions {
  /** Of a database in which `sqlStore` and `sqlTokenStore` made their tables. Stays open: it is the caller's. */
  readonly sql: Sql;
  readonly clock?: Clock;
}

/** Members in a SQL database, whose tables it first brings up to date. Throws `NewerSchema`. */
export async function sqlMemberStore(options: SqlMemberStoreOptions): Promise<MemberStore> {
  checkOptions("sqlMemberStore", options, { sql: someSql, clock: optional(aClock) });
  const { sql, clock = systemClock } = options;
  await migrate(sql, [memberSchema], clock.now());

  const all = <Item>(
    text: string,
    value: SqlValue,
    read: (row: SqlRow) => Item,
  ): Eventual<readonly Item[]> =>
    andThen(sql.query({ text, values: [value] }), (rows) => rows.map(read));
  const one = <Item>(
    text: string,
    value: SqlValue,
    read: (row: SqlRow) => Item,
  ): Eventual<Item | undefined> => andThen(all(text, value, read), ([first]) => first);

  return {
    byId: (id) => one(`${MEMBERS} WHERE id = ?`, id, memberOf),
    byEmail: (email) => one(`${MEMBERS} WHERE email = ?`, email, memberOf),
    list: (accountId = OPERATORS) =>
      all(`${MEMBERS} WHERE account_id = ? ORDER BY created_at, id`, accountId, memberOf),
    any: () => andThen(sql.query({ text: ANYBODY, values: [] }), (rows) => rows.length > 0),
    session: (id) => one(`${SESSIONS} WHERE id = ?`, id, sessionOf),
    sessions: (memberId) =>
      all(`${SESSIONS} WHERE member_id = ? ORDER BY last_seen_at DESC, id`, memberId, sessionOf),
    passkey: (credentialId) => one(`${PASSKEYS} WHERE credential_id = ?`, credentialId, passkeyOf),
    passkeys: (memberId) =>
      all(`${PASSKEYS} WHERE member_id = ? ORDER BY created_at, id`, memberId, passkeyOf),
    resetLink: (id) => one(RESET_LINK, id, resetLinkOf),
    commit: (changes) => compile(changes).write(sql),
  };
}

const MEMBERS = `SELECT ${memberColumns},
  (SELECT COUNT(*) FROM member_passkeys WHERE member_id = members.id) AS passkeys FROM members`;
const ANYBODY = "SELECT 1 AS found FROM members WHERE password IS NOT NULL LIMIT 1";
const SESSIONS = `SELECT ${sessionColumns} FROM member_sessions`;
const PASSKEYS = `SELECT ${passkeyColumns} FROM member_passkeys`;
const RESET_LINK = `SELECT ${resetLinkColumns} FROM member_reset_links WHERE id = ?`;
