import { number, optionalNumber, optionalText, text } from "../../sql/rows.ts";
import type { SqlRow } from "../../sql/sql.ts";
import type { ImportDetails, ImportState, StoredImport } from "./model.ts";

/** The columns of an import. */
export const importColumns =
  "id, account_id, catalogue_id, state, file, photos_file, spool_bytes, details, version, created_at, touched_at";

// The casts hold because only this folder writes the table.

/** Reads an import. */
export function importOf(row: SqlRow): StoredImport {
  return {
    id: text(row, "id"),
    accountId: text(row, "account_id"),
    catalogueId: number(row, "catalogue_id"),
    state: text(row, "state") as ImportState,
    file: optionalText(row, "file"),
    ...optionalMembers(row),
    details: JSON.parse(text(row, "details")) as ImportDetails,
    version: number(row, "version"),
    createdAt: number(row, "created_at"),
    touchedAt: number(row, "touched_at"),
  };
}

function optionalMembers(row: SqlRow): Pick<StoredImport, "photosFile" | "spoolBytes"> {
  const photosFile = optionalText(row, "photos_file");
  const spoolBytes = optionalNumber(row, "spool_bytes");
  return {
    ...(photosFile !== undefined && { photosFile }),
    ...(spoolBytes !== undefined && { spoolBytes }),
  };
}
