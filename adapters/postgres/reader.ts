import { OWN_SCHEMA } from "../../lib/base/postgres-schema.ts";
import { failureOf, postgresDialect, translate } from "../../lib/sql/postgres.ts";
import {
  type SqlRow,
  type Statement,
  StoreUnavailable,
  UnsuitableDatabase,
} from "../../lib/sql/sql.ts";
import { findVersionsTable } from "../../lib/sql/versions-table.ts";
import { OTHERS } from "./connection.ts";
import { commit } from "./lanes.ts";
import { KnownLocks } from "./locks.ts";
import { type PostgresOptions, serversOf } from "./options.ts";
import { Pool } from "./pool.ts";

/** Reads a PostgreSQL database as of one instant, on a connection of its own. One call at a time. */
export interface PostgresReader {
  /** The name of the table with the versions. */
  readonly versionsTable: string;
  query(text: string): Promise<readonly SqlRow[]>;
  /** Reads the rows of a query, at most `atOnce` at a time. */
  pages(text: string, atOnce: number): AsyncGenerator<readonly SqlRow[], void, undefined>;
  /**
   * Ends the reading, writes in one transaction, and takes the right to write from the owners of the tables: a process that
   * had lost its connections does not write either when it is back. Returns false, and changes nothing, if another process
   * has the database open. Rejects with `StoreUnavailable` if it is not known whether the database has applied it.
   */
  writeLast(statements: readonly Statement[]): Promise<boolean>;
  close(): Promise<void>;
}

/** The first rows of a query may need a sort of a large table. A server that cannot be reached is given up within seconds. */
const PATIENCE_MS = 3_600_000;

/** A caller that writes what it reads may pause between two pages for longer than a request may. */
const BEGIN = `SET statement_timeout = 0; SET idle_in_transaction_session_timeout = 0;
  BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY; ${findVersionsTable(postgresDialect)}`;

const REVOKE = `DO $$
  DECLARE one record;
  BEGIN
    FOR one IN SELECT oid::regclass AS name, pg_get_userbyid(relowner) AS owner FROM pg_class
      WHERE relnamespace = ${OWN_SCHEMA} AND relkind = 'r'
    LOOP EXECUTE format('REVOKE INSERT, UPDATE, DELETE ON %s FROM %I', one.name, one.owner); END LOOP;
  END
$$`;

/**
 * Begins to read a database. The server keeps removed rows until the reader is closed. An `exclusive` reader makes all writers
 * wait, those of other processes too; others block no writer. Rejects with `StoreUnavailable`, `UnsuitableDatabase`.
 */
export async function readPostgres(
  options: PostgresOptions,
  { exclusive = false }: { readonly exclusive?: boolean } = {},
): Promise<PostgresReader> {
  const { access, primary, deadlines } = serversOf(options);
  const connection = await primary.connect();
  // Its connection finds out whether a server that takes long can still be reached.
  const pool = new Pool(primary, { most: 1, deadlines, patienceMs: PATIENCE_MS });
  const close = async (): Promise<void> => {
    await Promise.all([pool.close(), connection.close()]);
  };
  const run = async (text: string): Promise<readonly SqlRow[]> => {
    try {
      return await connection.run(text, [], PATIENCE_MS);
    } catch (error) {
      throw failureOf(error);
    }
  };
  let versionsTable: string;
  try {
    if (exclusive) {
      const { writers } = await new KnownLocks().on(connection);
      await connection.run(`SELECT pg_advisory_lock(${writers.join(", ")})`, []);
    }
    // The first query fixes the instant.
    const [found] = (await connection.runAll(BEGIN)).flatMap(({ rows }) => rows);
    if (found === undefined) {
      throw new UnsuitableDatabase(`The database ${access.database} has no tables of Petstore.`);
    }
    versionsTable = String(found["name"]);
  } catch (error) {
    await close();
    throw failureOf(error);
  }
  return {
    versionsTable,
    query: run,
    pages: async function* (text, atOnce) {
      await run(`DECLARE page NO SCROLL CURSOR FOR ${text}`);
      for (;;) {
        const rows = await run(`FETCH FORWARD ${atOnce} FROM page`);
        yield rows;
        if (rows.length < atOnce) break;
      }
      await run("CLOSE page");
    },
    writeLast: async (statements) => {
      await run("COMMIT");
      await run("BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE");
      if ((await run(OTHERS)).length > 0) {
        await run("ROLLBACK");
        return false;
      }
      for (const { text, values } of statements) await connection.run(translate(text), values);
      await run(REVOKE);
      try {
        await commit(connection);
      } catch (cause) {
        connection.drop();
        throw new StoreUnavailable("The database did not confirm a write.", { cause });
      }
      return true;
    },
    close,
  };
}
