import { Buffer } from "node:buffer";

import type { Expectation } from "../../lib/base/options.ts";

/** The longest name in PostgreSQL, in bytes. It would cut a longer one. */
const LONGEST_NAME = 63;

/** In a search path, this name stands for the schema that is named like the role, even in quotes. */
const ROLE = "$user";

/** Expects the name of a schema. PostgreSQL reserves those that begin with `pg_`. */
export const aSchemaName: Expectation = {
  what: `the name of a PostgreSQL schema: 1 to ${LONGEST_NAME} bytes, neither information_schema nor ${ROLE}, and not beginning with pg_`,
  holds: (value) =>
    typeof value === "string" &&
    value !== "" &&
    !value.includes("\0") &&
    value.isWellFormed() &&
    Buffer.byteLength(value) <= LONGEST_NAME &&
    !value.startsWith("pg_") &&
    value !== ROLE &&
    value !== "information_schema",
};

/** Returns a name as an identifier. */
export function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}
