import type { Dialect, Sql } from "./sql.ts";
import { number } from "./rows.ts";
import { NewerSchema } from "./store.ts";

/** The statements that lead from one version of a schema to the next. */
export type Migration = (dialect: Dialect) => readonly string[];

/**
 * Brings the tables of `component` to the version that `migrations` lead to: the first one makes version 1.
 * Each is one transaction. Two processes may do this at the same time. Throws `NewerSchema` if the database is ahead.
 */
export async function migrate(
  sql: Sql,
  component: string,
  migrations: readonly Migration[],
  at: number,
): Promise<void> {
  await sql.batch([{ text: VERSIONS_TABLE, values: [] }], () => true);
  for (;;) {
    const version = await currentVersion(sql, component);
    if (version > migrations.length) throw newer(component, version, migrations.length);
    const migration = migrations[version];
    if (migration === undefined) return;
    // Refused when another process is first: then look again.
    await sql.batch(
      [
        { text: TAKE_VERSION, values: [component, version + 1, at] },
        ...migration(sql.dialect).map((text) => ({ text, values: [] })),
      ],
      (rows, index) => index > 0 || rows.length > 0,
    );
  }
}

const VERSIONS_TABLE = `CREATE TABLE IF NOT EXISTS schema_migrations (
  component TEXT NOT NULL,
  version INTEGER NOT NULL,
  applied_at BIGINT NOT NULL,
  PRIMARY KEY (component, version)
)`;

const TAKE_VERSION = `INSERT INTO schema_migrations (component, version, applied_at) VALUES (?, ?, ?)
  ON CONFLICT (component, version) DO NOTHING RETURNING version`;

async function currentVersion(sql: Sql, component: string): Promise<number> {
  const rows = await sql.query({
    text: "SELECT COALESCE(MAX(version), 0) AS version FROM schema_migrations WHERE component = ?",
    values: [component],
  });
  return rows[0] === undefined ? 0 : number(rows[0], "version");
}

function newer(component: string, found: number, known: number): NewerSchema {
  return new NewerSchema(
    `The database holds version ${found} of the schema "${component}", and this program knows ${known} at most: ` +
      "a newer program wrote it. Start that one, or restore a backup made before the upgrade.",
  );
}
