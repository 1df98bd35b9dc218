import { OWN_SCHEMA } from "../../lib/base/postgres-schema.ts";
import { failureOf, postgresDialect } from "../../lib/sql/postgres.ts";
import { ForeignTables, type SqlRow, UnsuitableDatabase } from "../../lib/sql/sql.ts";
import { findVersionsTable } from "../../lib/sql/versions-table.ts";
import type { Connection, PostgresAccess } from "./connection.ts";
import { quoted } from "./schema-name.ts";

/**
 * Describes the schema in which tables are created: whether the role may create some, whether it has our tables, and a few names
 * of its tables except those of extensions. The schema of the option may be missing.
 */
const SCHEMA = `SELECT quote_ident(current_schema()) AS schema, quote_ident(current_user) AS role,
  CASE WHEN to_regnamespace($1) IS NULL THEN 'no' ELSE 'yes' END AS exists,
  CASE WHEN has_database_privilege(current_database(), 'CREATE') THEN 'yes' ELSE 'no' END AS creates_schemas,
  CASE WHEN has_schema_privilege(current_schema(), 'CREATE') THEN 'yes' ELSE 'no' END AS creates,
  (SELECT name FROM (${findVersionsTable(postgresDialect)}) AS found) AS versions,
  (SELECT string_agg(relname, ', ') FROM (
    SELECT relname FROM pg_class
    WHERE relnamespace = ${OWN_SCHEMA} AND relkind IN ('r', 'p') AND NOT EXISTS (
      SELECT 1 FROM pg_depend WHERE objid = pg_class.oid AND deptype = 'e'
    )
    ORDER BY relname LIMIT 3
  ) AS few) AS tables`;

/**
 * Returns whether the schema of the option must be created before its first table. Rejects with `ForeignTables` if its tables are
 * another program's, and with `UnsuitableDatabase` if the tables cannot be created. With `migrates` false, they need not be.
 */
export async function checkSchema(
  connection: Connection,
  { database, schema: wanted }: Pick<PostgresAccess, "database" | "schema">,
  migrates: boolean,
): Promise<boolean> {
  let row: SqlRow | undefined;
  const name = wanted === undefined ? undefined : quoted(wanted);
  try {
    [row] = await connection.run(SCHEMA, [name ?? "public"]);
  } catch (error) {
    throw failureOf(error);
  }
  const {
    schema,
    role,
    exists,
    creates_schemas: createsSchemas,
    creates,
    versions,
    tables,
  } = row ?? {};
  if (name !== undefined && exists === "no") {
    if (migrates && createsSchemas === "yes") return true;
    const remedy = `CREATE SCHEMA ${name} AUTHORIZATION ${role}`;
    throw new UnsuitableDatabase(
      migrates
        ? `The database ${database} has no schema ${name}, and ${role} may not create it. Run as the database's owner: ${remedy}.`
        : `The database ${database} has no schema ${name}. Apply the SQL of \`migrations\` from petstore/migrations.`,
    );
  }
  if (typeof schema !== "string") {
    throw new UnsuitableDatabase(
      name === undefined
        ? `The database ${database} has no schema in the search path of ${role}. Create one: CREATE SCHEMA petstore AUTHORIZATION ${role}.`
        : `${role} may not use the schema ${name} of the database ${database}. Run as its owner: GRANT USAGE${migrates ? ", CREATE" : ""} ON SCHEMA ${name} TO ${role}.`,
    );
  }
  if (typeof tables === "string" && versions === null) {
    throw new ForeignTables(
      `The schema ${schema} of the database ${database} holds tables of another program, such as ${tables}. ` +
        "Give Petstore a schema of its own, by the option for it, or a database.",
      tables.split(", "),
    );
  }
  if (migrates && creates !== "yes") {
    throw new UnsuitableDatabase(
      `${role} may not create tables in the schema ${schema} of the database ${database}. ` +
        `Run as its owner: GRANT CREATE ON SCHEMA ${schema} TO ${role}.`,
    );
  }
  return false;
}
