import { Database } from "bun:sqlite";
import { copyFile } from "node:fs/promises";
import { join } from "node:path";

import { scratch } from "../cli/installation.ts";

/** Creates the files that a process leaves when it is killed in its first transaction: some pages, and a rollback journal. */
export async function createHalf(path: string): Promise<void> {
  const copied = join(await scratch(), "half.db");
  using database = new Database(copied);
  // Writes pages to the file before the end of the transaction.
  database.exec("PRAGMA cache_size = 1; BEGIN; CREATE TABLE filler (bytes BLOB)");
  database.exec("INSERT INTO filler VALUES (zeroblob(1000000))");
  await copyFile(copied, path);
  await copyFile(`${copied}-journal`, `${path}-journal`);
}
