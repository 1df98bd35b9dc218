import { Failure } from "../settings/failure.ts";
import type { BackupKeys } from "./keys.ts";
import { readIndex, type BackupIndex, type ReadAs } from "./model/manifest.ts";
import { planRemoval, type KeptBackup } from "./model/retention.ts";
import { notAsWritten, type Objects } from "./ports.ts";
import { textOf } from "./streams.ts";

const INDEX = ".json";
const CONTAINER = ".age";
const BACKUPS = "backups/";
const BLOBS = "blobs/";
const MAX_INDEX_BYTES = 512 * 1_048_576;

/** Returns the name of a sealed blob among the objects. */
export function blobObject(name: string): string {
  return `${BLOBS}${name.slice(0, 2)}/${name.slice(2)}${CONTAINER}`;
}

export function containerObject(id: string): string {
  return BACKUPS + id + CONTAINER;
}

export function indexObject(id: string): string {
  return BACKUPS + id + INDEX;
}

/** Returns the sizes of the sealed blobs by the names of their objects. */
export async function storedBlobs(objects: Objects): Promise<ReadonlyMap<string, number>> {
  const stored = new Map<string, number>();
  for await (const { name, bytes } of objects.list(BLOBS)) stored.set(name, bytes);
  return stored;
}

/** Writes the index of a backup, signed: a changed name in it would make retention remove a blob that is needed. */
export async function writeIndex(
  objects: Objects,
  id: string,
  index: BackupIndex,
  keys: BackupKeys,
): Promise<void> {
  const text = JSON.stringify({ ...index, signature: keys.sign(textToSign(index)) });
  await objects.put(indexObject(id), new Blob([text]).stream(), async (readBack) => {
    if ((await textOf(await readBack(), MAX_INDEX_BYTES)) !== text) throw notAsWritten();
  });
}

function textToSign({
  format,
  installation,
  madeAt,
  petstore,
  sealed,
  blobs,
}: BackupIndex): string {
  const { bytes, sha256 } = sealed;
  return JSON.stringify(["index", format, installation, madeAt, petstore, bytes, sha256, blobs]);
}

/** What an index turned out to be. One of another installation, `foreign`, cannot be verified. */
export async function indexOf(
  objects: Objects,
  id: string,
  keys: BackupKeys,
): Promise<ReadAs<BackupIndex> | "foreign"> {
  const stream = await objects.get(indexObject(id));
  const text = stream && (await textOf(stream, MAX_INDEX_BYTES));
  const read = text === undefined ? "damaged" : readIndex(text);
  if (read === "damaged" || read === "newer") return read;
  const { signature, ...index } = read;
  if (index.installation !== keys.installation) return "foreign";
  return keys.isSigned(textToSign(index), signature) ? index : "damaged";
}

/** Returns whether a text can be the ID of a backup, and so a part of a path. */
export function isId(text: string): boolean {
  return /^\w+$/.test(text);
}

/** Lists the IDs of the backups among the objects, newest first. */
export async function backupIds(objects: Objects): Promise<readonly string[]> {
  const ids: string[] = [];
  for await (const { name } of objects.list(BACKUPS)) {
    const id = name.slice(BACKUPS.length, -INDEX.length);
    if (name.endsWith(INDEX) && isId(id)) ids.push(id);
  }
  return ids.toSorted().toReversed();
}

/** Reads the indexes of all backups among the objects, newest first. Fails if one cannot be used. */
export async function listBackups(
  objects: Objects,
  keys: BackupKeys,
): Promise<readonly KeptBackup[]> {
  const found: KeptBackup[] = [];
  for (const id of await backupIds(objects)) {
    const index = await indexOf(objects, id, keys);
    if (typeof index === "string") throw unusable(objects.place, id, index);
    found.push({ id, index });
  }
  return found;
}

function unusable(place: string, id: string, what: "damaged" | "newer" | "foreign"): Failure {
  if (what === "damaged") {
    return new Failure(
      "failed",
      `${place}: ${indexObject(id)} is damaged. Remove it with its backup, ${containerObject(id)}.`,
    );
  }
  return new Failure(
    "configuration",
    what === "newer"
      ? `${place} has backups of a newer version of this program. Use that version.`
      : `${place} has backups of another installation. Each installation needs a place of its own.`,
  );
}

/** Removes all backups but the newest `keep`, then the blobs and containers that none of them needs. */
export async function removeOldBackups(
  objects: Objects,
  keys: BackupKeys,
  keep: number,
): Promise<number> {
  const backups = await listBackups(objects, keys);
  const blobs = new Map<string, string>();
  for (const name of (await storedBlobs(objects)).keys()) {
    const [, shelf, rest] = /^blobs\/([\da-f]{2})\/([\da-f]{62})\.age$/.exec(name) ?? [];
    if (shelf !== undefined && rest !== undefined) blobs.set(shelf + rest, name);
  }
  const removal = planRemoval(backups, [...blobs.keys()], keep);
  for (const id of removal.backups) await objects.delete(indexObject(id));
  const kept = new Set(backups.map(({ id }) => id));
  for (const id of removal.backups) kept.delete(id);
  for await (const { name } of objects.list(BACKUPS)) {
    const id = name.slice(BACKUPS.length, -CONTAINER.length);
    if (name.endsWith(CONTAINER) && !kept.has(id)) await objects.delete(name);
  }
  for (const name of removal.blobs) await objects.delete(blobs.get(name) ?? "");
  return removal.backups.length;
}
