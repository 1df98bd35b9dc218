import type { PostgresReader } from "../adapters/postgres/reader.ts";
import { number, text } from "../lib/sql/rows.ts";
import { readVersions } from "../lib/sql/versions-table.ts";
import { blobNamesAt, type Snapshot, versionsIn } from "./snapshot.ts";
import { selectOf, type Table, type Versions } from "./tables.ts";

/** Rows are read in pages of at most about so many bytes, and so many rows. */
const PAGE_BYTES = 1_048_576;
const PAGE_ROWS = 1_000;

/** Reads a PostgreSQL database that other processes write to, as of one instant. Closes the reader. */
export function postgresSnapshot(reader: PostgresReader): Snapshot {
  const ask = async (expression: string, from = ""): Promise<number> => {
    const [row] = await reader.query(`SELECT COALESCE(${expression}, 0) AS found ${from}`);
    return row === undefined ? 0 : number(row, "found");
  };
  /** Returns the bytes of all texts of the row that has most. */
  const longest = ({ name, columns }: Table): Promise<number> => {
    const sizes = columns
      .filter(({ type }) => type === "text")
      .map((column) => `COALESCE(octet_length(${column.name}), 0)`);
    return ask(`MAX(${["0", ...sizes].join(" + ")})`, `FROM ${name}`);
  };
  // No transaction holds a sequence still: each is read once.
  const lastNumbers = new Map<string, Promise<number>>();
  const versions = async (): Promise<Versions> =>
    versionsIn(await reader.query(readVersions(reader.versionsTable)));
  return {
    versionsTable: reader.versionsTable,
    rows: async function* (table) {
      const rows = Math.floor(PAGE_BYTES / Math.max(1, await longest(table)));
      const atOnce = Math.min(PAGE_ROWS, Math.max(1, rows));
      for await (const page of reader.pages(selectOf(table), atOnce)) yield* page;
    },
    count: ({ name }) => ask("COUNT(*)", `FROM ${name}`),
    lastNumber: ({ name, numbered = "" }) => {
      const last =
        lastNumbers.get(name) ??
        ask(
          `pg_sequence_last_value(CAST(pg_get_serial_sequence('${name}', '${numbered}') AS regclass))`,
        );
      lastNumbers.set(name, last);
      return last;
    },
    versions,
    blobs: async function* () {
      for await (const page of reader.pages(blobNamesAt(await versions()), PAGE_ROWS)) {
        for (const row of page) yield text(row, "sha256");
      }
    },
    close: () => reader.close(),
  };
}
