import { dataDirectory } from "../../../server/data/data-directory.ts";
import { environmentOf } from "../../helpers/process.ts";
import { openLive } from "../../helpers/sqlite.ts";

/** Reads and changes a program's database from outside. */
export interface Written {
  /** The state of a name's order; `active` without an order but with a certificate, `none` without both. */
  step(name: string): Promise<string>;
  /** The number of stored certificates of a name. */
  certificates(name: string): Promise<number>;
  /** Its timeline, one line per event, for failures. */
  timeline(name: string): Promise<readonly string[]>;
  /** The sealed keys of the CA accounts. */
  accountKeys(): Promise<readonly string[]>;
  /** Refuses such a change with this message until `allowAll`. */
  refuse(change: Change, words: string): Promise<void>;
  allowAll(): Promise<void>;
}

/** The changes that can be refused: installing a certificate, and a domain becoming live. */
export type Change = "certificate" | "live";

/** A database, and what its SQL calls the same things. */
interface Access {
  readonly run: (statement: string) => Promise<void>;
  /** Returns the column `value`. */
  readonly values: (query: string) => Promise<readonly string[]>;
  /** Returns a part of the JSON in a column. */
  readonly part: (column: string, ...path: readonly string[]) => string;
  /** Creates a trigger. */
  readonly refusing: (when: string, words: string) => readonly string[];
  readonly allowing: readonly string[];
}

/** Opens the database of a running or ended program. */
export async function writtenIn(dataDir: string): Promise<Written> {
  const { PETSTORE_DATABASE_URL: url } = await environmentOf(dataDir);
  const { run, values, part, refusing, allowing } =
    url === undefined ? inSqlite(dataDirectory(dataDir).database) : inPostgres(url);
  const of = (name: string): string =>
    `domain_id IN (SELECT id FROM domains WHERE name = '${name}')`;
  const live = (row: string): string => part(`${row}.facts`, "liveSince");
  const when: Readonly<Record<Change, string>> = {
    certificate: "BEFORE INSERT ON domain_certificates FOR EACH ROW",
    live: `BEFORE UPDATE ON domains FOR EACH ROW
      WHEN (${live("new")} IS NOT NULL AND ${live("old")} IS NULL)`,
  };
  const certificates = async (name: string): Promise<number> =>
    Number(
      (await values(`SELECT COUNT(*) AS value FROM domain_certificates WHERE ${of(name)}`))[0],
    );
  return {
    certificates,
    step: async (name) => {
      const step = part("facts", "state", "step");
      const [known] = await values(
        `SELECT ${step} AS value FROM domain_orders WHERE name = '${name}'`,
      );
      return known ?? ((await certificates(name)) > 0 ? "active" : "none");
    },
    timeline: (name) =>
      values(`SELECT at || ' ' || kind || ' ' || COALESCE(code, '') || ' ' || COALESCE(message, '')
        AS value FROM domain_timeline WHERE ${of(name)} ORDER BY seq`),
    accountKeys: () => values("SELECT sealed_key AS value FROM authority_accounts"),
    refuse: async (change, words) => {
      for (const statement of refusing(when[change], words)) await run(statement);
    },
    allowAll: async () => {
      for (const statement of allowing) await run(statement);
    },
  };
}

function inSqlite(path: string): Access {
  const open = () => openLive(path);
  return {
    run: async (statement) => {
      using sql = open();
      sql.run(statement);
    },
    values: async (query) => {
      using sql = open();
      return sql
        .query<{ readonly value: string | number }, []>(query)
        .all()
        .map(({ value }) => String(value));
    },
    part: (column, ...path) => `json_extract(${column}, '$.${path.join(".")}')`,
    refusing: (when, words) => [
      `CREATE TRIGGER refuse ${when} BEGIN SELECT RAISE(ABORT, '${words}'); END`,
    ],
    allowing: ["DROP TRIGGER IF EXISTS refuse"],
  };
}

function inPostgres(url: string): Access {
  const values = async (query: string): Promise<readonly string[]> => {
    const sql = new Bun.SQL(url, { max: 1 });
    const rows: readonly { readonly value?: unknown }[] = await sql.unsafe(query);
    await sql.end();
    return rows.map(({ value }) => String(value));
  };
  return {
    run: async (statement) => void (await values(statement)),
    values,
    part: (column, ...path) => `(CAST(${column} AS json) #>> '{${path.join(",")}}')`,
    refusing: (when, words) => [
      `CREATE OR REPLACE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
        RAISE EXCEPTION '${words}'; END $$`,
      `CREATE TRIGGER refuse ${when} EXECUTE FUNCTION refuse()`,
    ],
    allowing: [
      "DROP TRIGGER IF EXISTS refuse ON domain_certificates",
      "DROP TRIGGER IF EXISTS refuse ON domains",
    ],
  };
}
