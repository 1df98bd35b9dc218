import { lockOf, postgresDialect } from "../../lib/sql/postgres.ts";
import { MIGRATIONS_LANE, type SqlRow, type Sql } from "../../lib/sql/sql.ts";
import { findVersionsTable, VERSIONS_TABLE } from "../../lib/sql/versions-table.ts";

/** The two numbers of an advisory lock. */
export type LockKey = readonly [number, number];

/**
 * The advisory locks of the tables in one schema. They are names for the whole database, so each schema has its own. Programs of
 * several versions share tables: a number never changes its meaning.
 */
export interface Locks {
  /** All writers hold it together, so that a reader knows who writes. */
  readonly writers: LockKey;
  /** Held while the limits are set up, or counted elsewhere. */
  readonly limits: LockKey;
  /** Held together by all processes that read files of sites as of an earlier instant. */
  readonly readsFiles: LockKey;
  /** Held by the process that makes a backup. */
  readonly backsUp: LockKey;
  /** Held by the transaction that writes batches of the lane. */
  readonly ofLane: (lane: string) => LockKey;
}

/** The ASCII of `pets`. */
const PETSTORE = 0x70_65_74_73;

/** Returns the locks of a schema; without a name, those of the tables of an earlier version, which knew one schema. */
export function locksOf(schema?: string): Locks {
  const first = schema === undefined ? PETSTORE : numberOf(schema);
  const before = schema === undefined ? "" : `${schema}\n`;
  return {
    writers: [first, 1],
    limits: [first, 2],
    readsFiles: [first, 3],
    backsUp: [first, 4],
    // Before the tables exist, nobody knows which version creates them.
    ofLane: (lane) => lockOf(lane === MIGRATIONS_LANE ? lane : `${before}${lane}`),
  };
}

/** Returns a positive number of 31 bits. Schemas with the same number only wait for each other. */
export function numberOf(schema: string): number {
  return lockOf(schema)[0] & 0x7f_ff_ff_ff;
}

const OWN = `SELECT current_schema() AS schema,
  (SELECT name FROM (${findVersionsTable(postgresDialect)}) AS found) AS versions`;

/** Returns the locks of the tables that statements find, and whether these tables exist yet. */
async function find(
  run: (text: string) => Promise<readonly SqlRow[]>,
): Promise<{ readonly locks: Locks; readonly exist: boolean }> {
  const [row] = await run(OWN);
  const { schema, versions } = row ?? {};
  const named = versions === null || versions === VERSIONS_TABLE;
  return { locks: locksOf(named ? String(schema) : undefined), exist: versions !== null };
}

/** Returns the locks of the tables of a database. */
export async function locksIn(sql: Pick<Sql, "query">): Promise<Locks> {
  return (await find(async (text) => sql.query({ text, values: [] }))).locks;
}

/** Knows the locks of the tables, which never change once the tables exist. */
export class KnownLocks {
  #known: Locks | undefined;

  async on(connection: {
    run(text: string, values: []): Promise<readonly SqlRow[]>;
  }): Promise<Locks> {
    if (this.#known !== undefined) return this.#known;
    const { locks, exist } = await find((text) => connection.run(text, []));
    if (exist) this.#known = locks;
    return locks;
  }
}

/** Returns the part of a query that finds who holds or awaits a lock in this database. */
export function fromHolders([first, second]: LockKey): string {
  return `FROM pg_locks WHERE locktype = 'advisory' AND classid = ${first} AND objid = ${second} AND objsubid = 2
    AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`;
}
