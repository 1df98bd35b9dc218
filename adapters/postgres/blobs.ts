import { systemClock, type Clock } from "../../lib/base/clock.ts";
import { aClock, aText, checkOptions, type Expectation, optional } from "../../lib/base/options.ts";
import type { Blobs } from "../../lib/publishing/blobs.ts";
import { migrate } from "../../lib/sql/migrate.ts";
import { postgresDialect } from "../../lib/sql/postgres.ts";
import type { Sql } from "../../lib/sql/sql.ts";
import { aByteCount, cachedBlobs } from "../files/cached-blobs.ts";
import { blobSchema, postgresOrigin } from "./origin.ts";

export { blobSchema };

/** Options of a store of blobs in PostgreSQL. */
export interface PostgresBlobsOptions {
  /** A database that `postgresSql` has opened. */
  readonly sql: Sql;
  /** A directory for copies of the blobs that were used last. Created if absent; its parent must exist. */
  readonly cachePath: string;
  /** Bytes of the copies, without the one in use. Default: 2 GiB. */
  readonly cacheBytes?: number;
  /** Default: the database's. */
  readonly clock?: Clock;
}

const aPostgresDatabase: Expectation = {
  what: "a PostgreSQL database, such as postgresSql() opens",
  holds: (value) =>
    typeof value === "object" &&
    value !== null &&
    "dialect" in value &&
    value.dialect === postgresDialect,
};

/**
 * Blobs in a PostgreSQL database, with copies on the local disk. The time of the last put is a column, so on any
 * machine a collector deletes no blob that was put again meanwhile. Contents are compared with their digest when they
 * arrive, and when a copy of an earlier process is used first. Several processes may share the database, each with a
 * cache of its own. Upgrades its tables. Rejects with `StoreUnavailable`, `NewerSchema`, or with a `TypeError` for
 * invalid options.
 */
export async function postgresBlobs(options: PostgresBlobsOptions): Promise<Blobs> {
  checkOptions("postgresBlobs", options, {
    sql: aPostgresDatabase,
    cachePath: aText,
    cacheBytes: optional(aByteCount),
    clock: optional(aClock),
  });
  const { sql, clock = sql.clock ?? systemClock } = options;
  await migrate(sql, [blobSchema], clock.now());
  return cachedBlobs(postgresOrigin(sql, clock), { ...options, clock });
}
