import { Database } from "bun:sqlite";

/** Reads and changes a program's database from outside. */
export interface Written {
  /** The state of a name's order; `active` without an order but with a certificate, `none` without both. */
  step(name: string): string;
  /** The number of stored certificates of a name. */
  certificates(name: string): number;
  /** Its timeline, one line per event, for failures. */
  timeline(name: string): readonly string[];
  /** The sealed keys of the CA accounts. */
  accountKeys(): readonly string[];
  /** Refuses such a change with this message until `allowAll`. */
  refuse(change: Change, words: string): void;
  allowAll(): void;
}

const CHANGES = {
  certificate: "BEFORE INSERT ON domain_certificates",
  live: `BEFORE UPDATE ON domains WHEN json_extract(new.facts, '$.liveSince') IS NOT NULL
    AND json_extract(old.facts, '$.liveSince') IS NULL`,
} as const;

/** The changes that can be refused: installing a certificate, and a domain becoming live. */
export type Change = keyof typeof CHANGES;

const STEP =
  "SELECT json_extract(facts, '$.state.step') AS value FROM domain_orders WHERE name = ?";
const CERTIFICATES = `SELECT COUNT(*) AS value FROM domain_certificates
  WHERE domain_id IN (SELECT id FROM domains WHERE name = ?)`;
const TIMELINE = `SELECT at || ' ' || kind || ' ' || COALESCE(code, '') || ' ' || COALESCE(message, '') AS value
  FROM domain_timeline WHERE domain_id IN (SELECT id FROM domains WHERE name = ?) ORDER BY seq`;
const ACCOUNT_KEYS = "SELECT sealed_key AS value FROM authority_accounts";

/** Opens the database of a running or ended program. */
export function writtenIn(database: string): Written {
  const open = (): Database => {
    const sql = new Database(database);
    sql.run("PRAGMA busy_timeout = 5000");
    return sql;
  };
  const run = (statement: string): void => {
    using sql = open();
    sql.run(statement);
  };
  const values = (query: string, ...bound: readonly string[]): readonly string[] => {
    using sql = open();
    const rows = sql.query<{ readonly value: string | number }, string[]>(query).all(...bound);
    return rows.map(({ value }) => String(value));
  };
  const certificates = (name: string): number => Number(values(CERTIFICATES, name)[0]);
  return {
    certificates,
    step: (name) => values(STEP, name)[0] ?? (certificates(name) > 0 ? "active" : "none"),
    timeline: (name) => values(TIMELINE, name),
    accountKeys: () => values(ACCOUNT_KEYS),
    refuse: (change, words) =>
      run(`CREATE TRIGGER refuse ${CHANGES[change]} BEGIN SELECT RAISE(ABORT, '${words}'); END`),
    allowAll: () => run("DROP TRIGGER IF EXISTS refuse"),
  };
}
