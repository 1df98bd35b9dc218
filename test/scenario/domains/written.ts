import { Database } from "bun:sqlite";

/** What a program has written down, read and touched behind its back. */
export interface Written {
  /** How far the order of a name is; `active` when there is none and a certificate is kept, `none` without one. */
  step(name: string): string;
  /** How many certificates are kept for a name. */
  certificates(name: string): number;
  /** Its timeline, a line each: what to look at when something else came of it than was meant. */
  timeline(name: string): readonly string[];
  /** Sealed keys of the accounts with CAs. */
  accountKeys(): readonly string[];
  /** Until `allowAll`: such a change is refused, in these words. */
  refuse(change: Change, words: string): void;
  allowAll(): void;
}

const CHANGES = {
  certificate: "BEFORE INSERT ON domain_certificates",
  live: `BEFORE UPDATE ON domains WHEN json_extract(new.facts, '$.liveSince') IS NOT NULL
    AND json_extract(old.facts, '$.liveSince') IS NULL`,
} as const;

/** What can be refused: a certificate that is put to use, and a domain that becomes live. */
export type Change = keyof typeof CHANGES;

const STEP =
  "SELECT json_extract(facts, '$.state.step') AS value FROM domain_orders WHERE name = ?";
const CERTIFICATES = `SELECT COUNT(*) AS value FROM domain_certificates
  WHERE domain_id IN (SELECT id FROM domains WHERE name = ?)`;
const TIMELINE = `SELECT at || ' ' || kind || ' ' || COALESCE(code, '') || ' ' || COALESCE(message, '') AS value
  FROM domain_timeline WHERE domain_id IN (SELECT id FROM domains WHERE name = ?) ORDER BY seq`;
const ACCOUNT_KEYS = "SELECT sealed_key AS value FROM authority_accounts";

/** Over the database of a program that runs, or did. */
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
