import { failureOf } from "../../lib/sql/postgres.ts";
import type { Sql } from "../../lib/sql/sql.ts";
import type { Connection } from "./connection.ts";
import { fromHolders, KnownLocks, type Locks, locksIn } from "./locks.ts";
import { type PostgresOptions, serversOf } from "./options.ts";

/** Locks of one database, which end with the connection that holds them. */
export interface PostgresClaim {
  /** Returns whether they were held without interruption. */
  holds(): Promise<boolean>;
  release(): Promise<void>;
}

/** Else a server that does not hear of a lost machine would keep its locks for hours. */
const SETTINGS = `SET tcp_keepalives_idle = 15; SET tcp_keepalives_interval = 5;
  SET tcp_keepalives_count = 3`;

const claimsOf = ({ readsFiles }: Locks): string => `SELECT 1 AS held ${fromHolders(readsFiles)}`;

/**
 * Makes all processes keep the files of sites until it is released. With `alone`, returns undefined if another process has
 * such a claim. Rejects with `StoreUnavailable`, `UnsuitableDatabase`.
 */
export async function claimPostgres(
  options: PostgresOptions,
  { alone }: { readonly alone: boolean },
): Promise<PostgresClaim | undefined> {
  const connection: Connection = await serversOf(options).primary.connect();
  let locks: Locks;
  try {
    await connection.runAll(SETTINGS);
    locks = await new KnownLocks().on(connection);
    const backup = `SELECT 1 AS taken WHERE pg_try_advisory_lock(${locks.backsUp.join(", ")})`;
    if (alone && (await connection.run(backup, [])).length === 0) {
      await connection.close();
      return undefined;
    }
    await connection.run(`SELECT pg_advisory_lock_shared(${locks.readsFiles.join(", ")})`, []);
  } catch (error) {
    await connection.close();
    throw failureOf(error);
  }
  return {
    holds: () =>
      // A driver that has reconnected has another process of the server.
      connection.run(`${claimsOf(locks)} AND pid = pg_backend_pid()`, []).then(
        (rows) => rows.length > 0,
        () => false,
      ),
    release: () => connection.close(),
  };
}

/** Returns whether any process has a claim on the database. */
export async function isClaimed(sql: Pick<Sql, "query">): Promise<boolean> {
  const claims = claimsOf(await locksIn(sql));
  return (await sql.query({ text: `${claims} LIMIT 1`, values: [] })).length > 0;
}
