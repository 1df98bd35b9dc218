import { join } from "node:path";

import { systemClock } from "../../lib/index.ts";
import { schemas } from "../../server/data/storage.ts";
import { blobPlaceOf } from "../../server/data/blobs.ts";
import type { DataDirectory } from "../../server/data/data-directory.ts";
import {
  migrateInstallation,
  type Migration,
  type MigrationOptions,
} from "../../server/data/migration.ts";
import { exportInstallation } from "../../server/data/transfer.ts";
import { loadSettings } from "../../settings/load.ts";
import type { Settings } from "../../settings/options.ts";
import { emptyWith, keyIn } from "../backup/fixture.ts";
import { scratch } from "../cli/installation.ts";
import type { TestPostgres } from "../helpers/postgres.ts";
import { runProgram, type Finished } from "../helpers/process.ts";

/** The settings of an installation in PostgreSQL, or without `url` in SQLite, with the key of a directory. */
export async function settingsOf(
  url: string | undefined,
  directory: DataDirectory,
): Promise<Settings> {
  const key = Buffer.from(await keyIn(directory)).toString("base64");
  const environment = { PETSTORE_DATABASE_URL: url, PETSTORE_ENCRYPTION_KEY: key };
  return (await loadSettings({ flags: {}, environment })).settings;
}

/** Describes a move between the file in a directory and the PostgreSQL database of the settings. */
export function moving(
  to: "postgres" | "sqlite",
  directory: DataDirectory,
  settings: Settings,
): MigrationOptions {
  const nothing = (): void => {};
  const reports = { onCopy: nothing, onProgress: nothing };
  return { to, directory, settings, version: "1.2.3", clock: systemClock, ...reports };
}

/** Moves an installation between the file in its directory and PostgreSQL. */
export async function move(
  to: "postgres" | "sqlite",
  directory: DataDirectory,
  url: string,
): Promise<Migration> {
  return migrateInstallation(moving(to, directory, await settingsOf(url, directory)));
}

/** Exports from PostgreSQL into a new directory; returns its path. */
export async function exportedFrom(url: string, directory: DataDirectory): Promise<string> {
  const to = join(await scratch(), "export");
  const settings = await settingsOf(url, directory);
  await exportInstallation({
    settings,
    directory,
    blobs: blobPlaceOf(settings, directory),
    to,
    kept: undefined,
    serving: false,
    version: "1.2.3",
    clock: systemClock,
    onProgress: () => {},
  });
  return to;
}

/** Runs a command with PostgreSQL, or without `url` with SQLite. */
export function run(
  directory: DataDirectory,
  url: string | undefined,
  ...args: readonly string[]
): Promise<Finished> {
  const env = url === undefined ? {} : { PETSTORE_DATABASE_URL: url };
  return runProgram([...args, "--data-dir", directory.path], { env });
}

/** Creates a data directory with the key of another one. */
export async function sameKey(directory: DataDirectory): Promise<DataDirectory> {
  return emptyWith(await keyIn(directory));
}

/** The oldest version of programs that may open the newest tables of each component, as the first start of a server marks it. */
export const SINCE: Readonly<Record<string, number>> = Object.fromEntries(
  schemas.map(({ component, migrations, since = migrations.length }) => [
    `${component} ${migrations.length} since`,
    since,
  ]),
);

/** Returns all marks like `SINCE` of a database. */
export async function sinceIn(server: TestPostgres, url: string): Promise<object> {
  const text = "SELECT component, version FROM petstore_migrations WHERE component LIKE '% since'";
  const rows = await server.run(text, new URL(url).pathname.slice(1));
  return Object.fromEntries(rows.map(({ component, version }) => [component, version]));
}
