import { Database } from "bun:sqlite";

import { openSqliteSql } from "../../adapters/sqlite/open.ts";
import { sqlDomainStore } from "../../domains/storage/sql-domain-store.ts";
import { sqlTokenStore } from "../../lib/accounts/storage/sql-token-store.ts";
import type { Clock } from "../../lib/base/clock.ts";
import { sqlAuditStore } from "../../lib/audit/index.ts";
import { sqlEnquiryStore } from "../../lib/enquiries/index.ts";
import { sqlRequestStore } from "../../lib/requests/index.ts";
import { sqlImportStore } from "../../lib/import/index.ts";
import { sqlMailStore } from "../../lib/mail/storage/sql-mail-store.ts";
import { sqlMemberStore } from "../../lib/members/storage/sql-member-store.ts";
import { sqlProjectStore } from "../../lib/publishing/storage/sql-project-store.ts";
import type { Sql } from "../../lib/sql/sql.ts";
import { sqliteSql } from "../../lib/sql/sqlite.ts";
import { sqlStore } from "../../lib/storage/sql-store.ts";
import { sqlWebhookStore } from "../../lib/webhooks/index.ts";
import { manualClock } from "../../testing/clock.ts";

let migrated: Promise<Uint8Array> | undefined;

/**
 * Opens a database in memory that has the tables of all stores. A process makes them once and copies them: the migrations
 * take longer than most tests.
 */
export async function migratedSql(clock: Clock): Promise<Sql> {
  return sqlFrom(await (migrated ??= migrate()), clock);
}

const databases = new WeakMap<Sql, Database>();

/** Opens a copy of a database in memory. */
export function sqlFrom(copied: Uint8Array, clock: Clock): Sql {
  const database = Database.deserialize(copied);
  const sql = openSqliteSql({ path: ":memory:", clock }, () => database);
  databases.set(sql, database);
  return sql;
}

/** Copies a database that this module opened. */
export function copyOf(sql: Sql): Uint8Array {
  const database = databases.get(sql);
  if (database === undefined) throw new Error("the database is not one of these");
  return database.serialize();
}

async function migrate(): Promise<Uint8Array> {
  const database = new Database(":memory:");
  const sql = sqliteSql({ database });
  const clock = manualClock(0);
  for (const open of [
    sqlStore,
    sqlTokenStore,
    sqlMemberStore,
    sqlMailStore,
    sqlProjectStore,
    sqlEnquiryStore,
    sqlWebhookStore,
    sqlAuditStore,
    sqlRequestStore,
    sqlImportStore,
    sqlDomainStore,
  ]) {
    await open({ sql, clock });
  }
  const bytes = database.serialize();
  await sql.close();
  return bytes;
}
