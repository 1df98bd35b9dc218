import type { Clock } from "../../base/clock.ts";
import { andThen } from "../../base/eventual.ts";
import { openTables } from "../../sql/migrate.ts";
import { IN_SLICE, none, rotationOf, type Slice } from "../../sql/rotation.ts";
import { number, optionalNumber, readsOf, text } from "../../sql/rows.ts";
import { Script } from "../../sql/script.ts";
import type { Sql, SqlRow } from "../../sql/sql.ts";
import { done, refused } from "../../base/result.ts";
import type { MailChange, MailStore, MailStoreRefusal } from "../mail-store.ts";
import { mailColumns, mailOf, mailSchema, NO_ACCOUNT } from "./rows.ts";

/** Options of a mail store in a SQL database. */
export interface SqlMailStoreOptions {
  /** A database in which `sqlStore` has created its tables. The caller closes it. */
  readonly sql: Sql;
  /** Dates the upgrade of the tables. Default: the system's. */
  readonly clock?: Clock;
}

/**
 * Opens the mail store in a SQL database and migrates its tables. Rejects with `ForeignTables` or `NewerSchema` if the
 * tables cannot be used, and with a `TypeError` for invalid options.
 */
export async function sqlMailStore(options: SqlMailStoreOptions): Promise<MailStore> {
  const sql = await openTables("sqlMailStore", options, mailSchema);
  const { all } = readsOf(sql);
  const rotation = rotationOf(sql);
  return {
    due: (at, limit) => all(DUE, [at, at, limit], mailOf),
    state: () =>
      andThen(sql.query({ text: STATE, values: [] }), ([row = {}]) => {
        const oldestAt = optionalNumber(row, "oldest");
        return { waiting: number(row, "waiting"), ...(oldestAt === undefined ? {} : { oldestAt }) };
      }),
    commit: async (changes) => {
      const purging = changes.find((change) => change.kind === "purge");
      const slices = await rotation.nextOf(purging === undefined ? [] : [TABLE]);
      const expired =
        purging === undefined ? [] : await all(EXPIRED, [purging.at, purging.limit], idOf);
      const script: MailScript = new Script();
      for (const change of changes) add(script, change, { slice: slices.get(TABLE), expired });
      const written = await script.run(sql, LANE);
      if (!written.ok) return refused(written.failure.refusal);
      if (written.value.some((rows) => rows.length === purging?.limit)) rotation.again(slices);
      return done(undefined);
    },
  };
}

/** One for all mails: adding one counts those that wait. */
const LANE = "mail";
const TABLE = "mail_queue";

type MailScript = Script<MailStoreRefusal>;

const DUE = `SELECT ${mailColumns} FROM mail_queue
  WHERE next_at <= ? AND expires_at > ? ORDER BY next_at, id LIMIT ?`;
const STATE = `SELECT COUNT(*) AS waiting, MIN(created_at) AS oldest FROM mail_queue
  WHERE next_at IS NOT NULL`;

const IS_NEW = "SELECT 1 AS new WHERE NOT EXISTS (SELECT 1 FROM mail_queue WHERE id = ?)";
// Yields a row if there is room for one more mail.
const HAS_ROOM = `SELECT 1 AS room WHERE ? > (
  SELECT COUNT(*) FROM mail_queue WHERE next_at IS NOT NULL
)`;
const INSERT = `INSERT INTO mail_queue (${mailColumns}) VALUES (?, ?, ?, ?, ?, ?, ?, ?)`;
const CLAIM = `UPDATE mail_queue SET attempts = attempts + 1, next_at = ?
  WHERE id = ? AND attempts = ? AND next_at IS NOT NULL RETURNING id`;
const RETRY = `UPDATE mail_queue SET next_at = ?
  WHERE id = ? AND attempts = ? AND next_at IS NOT NULL RETURNING id`;
const ENDED = "sealed = NULL, next_at = NULL, outcome = ?, ended_at = ?";
const END = `UPDATE mail_queue SET ${ENDED}
  WHERE id = ? AND attempts = ? AND next_at IS NOT NULL RETURNING id`;
// Few rows wait, and an index has them.
const EXPIRED = `SELECT id FROM mail_queue
  WHERE next_at IS NOT NULL AND expires_at <= ? ORDER BY next_at, id LIMIT ?`;
const EXPIRE = `UPDATE mail_queue SET ${ENDED}
  WHERE id = ? AND next_at IS NOT NULL AND expires_at <= ?`;
const PURGE_ENDED = `DELETE FROM mail_queue WHERE id IN (
  SELECT id FROM mail_queue WHERE ended_at < ? ORDER BY ended_at LIMIT ?
) RETURNING id`;
const PURGE_ORPHANS = `DELETE FROM mail_queue WHERE id IN (
  SELECT id FROM mail_queue WHERE ${IN_SLICE} AND account_id <> '${NO_ACCOUNT}'
    AND ${none("accounts WHERE accounts.id = mail_queue.account_id")} LIMIT ?
) RETURNING id`;

const idOf = (row: SqlRow): string => text(row, "id");

/** The rows that a purge looks at: a slice of the table, and the mails that have expired. */
interface Purged {
  readonly slice: Slice | undefined;
  readonly expired: readonly string[];
}

function add(script: MailScript, change: MailChange, { slice, expired }: Purged): void {
  switch (change.kind) {
    case "mail.add": {
      const { mail, max } = change;
      const { id, kind, accountId = NO_ACCOUNT, sealed } = mail;
      const { createdAt, expiresAt, attempts, nextAt } = mail;
      script.demand(IS_NEW, [id], "exists");
      script.demand(HAS_ROOM, [max], "full");
      const values = [id, kind, accountId, sealed, createdAt, expiresAt, attempts, nextAt];
      script.add(INSERT, values);
      break;
    }
    case "mail.claim":
      script.demand(CLAIM, [change.until, change.id, change.attempts], "gone");
      break;
    case "mail.retry":
      script.demand(RETRY, [change.nextAt, change.id, change.attempts], "gone");
      break;
    case "mail.end": {
      const { id, attempts, end, at } = change;
      script.demand(END, [end, at, id, attempts], "gone");
      break;
    }
    case "purge": {
      const { at, endedBefore, limit } = change;
      const { after = "", through = "" } = slice ?? {};
      for (const id of expired) script.add(EXPIRE, ["expired", at, id, at]);
      script.add(PURGE_ENDED, [endedBefore, limit]);
      script.add(PURGE_ORPHANS, [after, through, limit]);
    }
  }
}
