import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";

import { runBackup, type BackupReport } from "../../backup/job.ts";
import type { Place } from "../../backup/place.ts";
import { readContents } from "../../backup/snapshot.ts";
import { systemClock } from "../../lib/index.ts";
import type { RestoreOptions } from "../../server/backup/restore.ts";
import { jobOf } from "../../server/backup/backups.ts";
import { dataDirectory, type DataDirectory } from "../../server/data/data-directory.ts";
import { sqliteIn } from "../../server/data/database.ts";
import { readEncryptionKey } from "../../settings/values.ts";
import { loadSettings } from "../../settings/load.ts";
import { installation, scratch, type Installation } from "../cli/installation.ts";
import { oncePerRun } from "../helpers/once-per-run.ts";
import type { S3Server } from "../helpers/s3-server.ts";
import { deploy } from "./sites.ts";

/** An installation with an account, a key, animals and a site. */
export interface Shelter extends Installation {
  readonly directory: DataDirectory;
  readonly encryptionKey: Uint8Array;
  readonly account: string;
  /** An API key of Production. */
  readonly key: string;
}

/** Copies an installation that is made once per run: its account and its keys are the same in each copy. */
export async function shelter(animals = 3, photoBytes = 200_000): Promise<Shelter> {
  const [dataDir, made] = await copyOf(animals, photoBytes);
  const here = await installation(dataDir);
  const directory = dataDirectory(dataDir);
  return { ...here, directory, encryptionKey: await keyIn(directory), ...made };
}

/** What a caller cannot read from an installation. */
type Made = Pick<Shelter, "account" | "key">;

/** Copies an installation into a new directory. Without a runner, it is made each time. */
async function copyOf(animals: number, photoBytes: number): Promise<readonly [string, Made]> {
  const name = `shelter-${animals}-${photoBytes}`;
  const prepared = oncePerRun(name, (shared) => prepare(shared, name, animals, photoBytes));
  const { from, ...made }: Made & { readonly from: string } = JSON.parse(await prepared());
  const to = join(await scratch(), "data");
  await copy(from, to);
  return [to, made];
}

async function prepare(
  shared: string | undefined,
  name: string,
  animals: number,
  photoBytes: number,
): Promise<string> {
  const from = join(shared ?? (await scratch()), `${name}-data`);
  if (animals === 0) return JSON.stringify({ from, ...(await furnish(from, photoBytes)) });
  const [without, made] = await copyOf(0, photoBytes);
  await addAnimals(await installation(without), made.account, animals);
  await copy(without, from);
  return JSON.stringify({ from, ...made });
}

async function copy(from: string, to: string): Promise<void> {
  const { exitCode } = Bun.spawnSync(["cp", "-a", from, to]);
  if (exitCode !== 0) throw new Error(`cp ended with ${exitCode}`);
}

/** Creates an account, a key and a site in a new data directory. */
async function furnish(dataDir: string, photoBytes: number): Promise<Made> {
  const here = await installation(dataDir);
  const { id } = await here.json<{ id: string }>(
    "accounts",
    "create",
    "A",
    "--plan",
    "enterprise",
    "--per-minute",
    "10000000",
    "--per-day",
    "10000000",
  );
  const { key } = await here.json<{ key: string }>("keys", "create", "--account", id);
  await here.json("projects", "create", "Site", "--account", id);
  await deploy(here, "Animals", { "photo.bin": noise(photoBytes) });
  return { account: id, key };
}

async function addAnimals(here: Installation, account: string, animals: number): Promise<void> {
  const rows = Array.from({ length: animals }, (_, index) => `Animal ${index},1`);
  await here.feed(
    ["name,categoryId", ...rows].join("\n"),
    "pets",
    "import",
    "-",
    "--format",
    "csv",
    "--account",
    account,
  );
}

/** Bytes that do not compress, the same each time. */
export function noise(length: number, seed = 1): Uint8Array {
  const bytes = new Uint8Array(length);
  let state = seed;
  for (let index = 0; index < length; index++) {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    bytes[index] = state >>> 16;
  }
  return bytes;
}

export async function keyIn({ encryptionKey }: DataDirectory): Promise<Uint8Array> {
  const key = readEncryptionKey(await readFile(encryptionKey, "utf8"));
  if (!key.ok) throw new Error(key.failure);
  return key.value;
}

/** Backs up in this process, as a command does without a server. */
export async function backUp(
  { directory, encryptionKey }: Pick<Shelter, "directory" | "encryptionKey">,
  to: Place,
  flags: Readonly<Record<string, string>> = {},
  rehearse = false,
  environment: Readonly<Record<string, string>> = {},
  now: () => number = Date.now,
): Promise<BackupReport> {
  const { settings } = await loadSettings({ flags, environment });
  const job = await jobOf(to, { settings, directory, encryptionKey, version: "1.2.3", rehearse });
  return runBackup(job, { now }, () => {});
}

/** The environment of AWS for a server of the tests. */
export function environmentOf({ access }: S3Server): Readonly<Record<string, string>> {
  return {
    AWS_ENDPOINT_URL_S3: access.endpoint,
    AWS_REGION: access.region,
    AWS_ACCESS_KEY_ID: access.accessKeyId,
    AWS_SECRET_ACCESS_KEY: access.secretAccessKey,
  };
}

/** A new data directory that only has the key. */
export async function emptyWith(encryptionKey: Uint8Array): Promise<DataDirectory> {
  const path = join(await scratch(), "restored");
  await mkdir(path, { mode: 0o700 });
  const directory = dataDirectory(path);
  await writeFile(directory.encryptionKey, Buffer.from(encryptionKey).toString("base64"), {
    mode: 0o600,
  });
  return directory;
}

/** The files of a directory, with their sizes. */
export async function filesIn(path: string): Promise<readonly string[]> {
  const entries = await readdir(path, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(path.length + 1))
    .toSorted();
}

/** The files in the blob directory that the database references, so without files that are being imported. */
export function neededFilesOf({ database }: DataDirectory): readonly string[] {
  return readContents(database).blobs.map((name) => `${name.slice(0, 2)}/${name.slice(2)}`);
}

/** What a database contains, apart from the revisions of catalogues, which a restore advances. */
export function contentsOf({ database }: DataDirectory): object {
  const { tables, ...rest } = readContents(database);
  const { catalogues, ...others } = tables;
  return { ...rest, tables: others, catalogues: catalogues?.rows };
}

/** What a restore is asked for. */
export function request(from: Place, directory: DataDirectory): RestoreOptions {
  return {
    from,
    s3: undefined,
    blobs: { kind: "directory", path: directory.blobs },
    id: undefined,
    directory,
    settings: sqliteIn(directory).settings,
    encryptionKey: undefined,
    identity: undefined,
    clock: systemClock,
    onProgress: () => {},
  };
}
