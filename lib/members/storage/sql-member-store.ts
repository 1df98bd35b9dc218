import type { Clock } from "../../base/clock.ts";
import { andThen } from "../../base/eventual.ts";
import { done, refused } from "../../base/result.ts";
import { OPERATORS } from "../../storage/changes/store-script.ts";
import { openTables } from "../../sql/migrate.ts";
import { rotationOf } from "../../sql/rotation.ts";
import { readsOf } from "../../sql/rows.ts";
import type { Sql } from "../../sql/sql.ts";
import type { MemberStore } from "../member-store.ts";
import { compile, slicedTables } from "./changes.ts";
import {
  memberColumns,
  memberOf,
  memberSchema,
  passkeyColumns,
  passkeyOf,
  resetLinkColumns,
  resetLinkOf,
  sessionColumns,
  sessionOf,
} from "./rows.ts";

/** Options of a member store in a SQL database. */
export interface SqlMemberStoreOptions {
  /** A database in which `sqlStore` and `sqlTokenStore` have created their tables. The caller closes it. */
  readonly sql: Sql;
  /** Dates the upgrade of the tables. Default: the system's. */
  readonly clock?: Clock;
}

/**
 * Opens the member store in a SQL database and migrates its tables. Rejects with `ForeignTables` or `NewerSchema` if
 * the tables cannot be used, and with a `TypeError` for invalid options.
 */
export async function sqlMemberStore(options: SqlMemberStoreOptions): Promise<MemberStore> {
  const sql = await openTables("sqlMemberStore", options, memberSchema);
  const { all, first } = readsOf(sql);
  const rotation = rotationOf(sql);
  return {
    byId: (id) => first(`${MEMBERS} WHERE id = ?`, [id], memberOf),
    byEmail: (email) => first(`${MEMBERS} WHERE email = ?`, [email], memberOf),
    list: (accountId = OPERATORS) =>
      all(`${MEMBERS} WHERE account_id = ? ORDER BY created_at, id`, [accountId], memberOf),
    any: () => andThen(sql.query({ text: ANY_MEMBER, values: [] }), (rows) => rows.length > 0),
    session: (id) => first(`${SESSIONS} WHERE id = ?`, [id], sessionOf),
    sessions: (memberId) =>
      all(`${SESSIONS} WHERE member_id = ? ORDER BY last_seen_at DESC, id`, [memberId], sessionOf),
    passkey: (credentialId) =>
      first(`${PASSKEYS} WHERE credential_id = ?`, [credentialId], passkeyOf),
    passkeys: (memberId) =>
      all(`${PASSKEYS} WHERE member_id = ? ORDER BY created_at, id`, [memberId], passkeyOf),
    resetLink: (id) => first(RESET_LINK, [id], resetLinkOf),
    commit: async (changes, actor) => {
      const purge = changes.find((change) => change.kind === "purge");
      const slices = await rotation.nextOf(purge === undefined ? [] : slicedTables);
      const written = await compile(changes, actor, slices).run(sql, LANE);
      if (!written.ok) return refused(written.failure.refusal);
      if (written.value.some((rows) => rows.length === purge?.limit)) rotation.again(slices);
      return done(undefined);
    },
  };
}

/** One for all members: a commit counts members of an account or operators with a password. */
const LANE = "members";

const MEMBERS = `SELECT ${memberColumns},
  (SELECT COUNT(*) FROM member_passkeys WHERE member_id = members.id) AS passkeys FROM members`;
const ANY_MEMBER = "SELECT 1 AS found FROM members WHERE password IS NOT NULL LIMIT 1";
const SESSIONS = `SELECT ${sessionColumns} FROM member_sessions`;
const PASSKEYS = `SELECT ${passkeyColumns} FROM member_passkeys`;
const RESET_LINK = `SELECT ${resetLinkColumns} FROM member_reset_links WHERE id = ?`;
