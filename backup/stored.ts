import { isoTime, readTime } from "../lib/base/clock.ts";
import { Failure } from "../settings/failure.ts";
import type { BackupKeys } from "./keys.ts";
import type { ReadAs } from "./model/document.ts";
import { FORMAT, readIndex, type BackupIndex } from "./model/manifest.ts";
import { BackupDamaged, notAsWritten, type Objects } from "./ports.ts";
import { measure, measuring, sha256Of, textOf } from "./streams.ts";

const INDEX = ".json";
const LIST = ".blobs";
const CONTAINER = ".age";
const BACKUPS = "backups/";
const BLOBS = "blobs/";
const MAX_INDEX_BYTES = 4_096;

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

/** Names the list of the sealed blobs that a backup needs. The names reveal nothing about the contents. */
function listObject(id: string): string {
  return BACKUPS + id + LIST;
}

/** Matches the objects of backups: the place may have other files, which are not ours to remove. */
const OURS =
  /^(?:backups\/(\d{8}T\d{9}Z)\.(?:age|blobs|json)|blobs\/([\da-f]{2}\/[\da-f]{62})\.age)$/;

/** Returns whether a text can be the ID of a backup, and so a part of a path. */
export function isId(text: string): boolean {
  return OURS.test(indexObject(text));
}

/**
 * Returns the ID of a backup made at `at`, such as `20261123T040000000Z`. It is later than `newest`, even if the clock was set
 * back, so that the order of the IDs is that of the backups.
 */
export function nextId(at: number, newest = ""): string {
  const written = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)(\d{3})Z$/;
  const before = readTime(newest.replace(written, "$1-$2-$3T$4:$5:$6.$7Z")) ?? -Infinity;
  return isoTime(Math.max(at, before + 1)).replaceAll(/[-:.]/g, "");
}

/** Returns the sizes of the sealed blobs by the names of their objects. */
export async function storedBlobs(objects: Objects): Promise<ReadonlyMap<string, number>> {
  const stored = new Map<string, number>();
  for await (const { name, bytes } of objects.list(BLOBS)) {
    if (OURS.test(name)) stored.set(name, bytes);
  }
  return stored;
}

/**
 * Writes the index of a backup and, before it, the list of the blobs that it needs. Both are signed: a changed name would make
 * retention remove a blob that is needed.
 */
export async function writeIndex(
  objects: Objects,
  about: Pick<BackupIndex, "id" | "madeAt" | "petstore" | "sealed">,
  blobs: readonly string[],
  keys: BackupKeys,
): Promise<void> {
  const list = Buffer.from(blobs.map((name) => `${name}\n`).join(""));
  const listed = { bytes: list.length, sha256: sha256Of(list) };
  await objects.put(listObject(about.id), new Blob([list]).stream(), async (readBack) => {
    if ((await measure(await readBack())).sha256 !== listed.sha256) throw notAsWritten();
  });
  const index = { ...about, format: FORMAT, installation: keys.installation, blobs: listed };
  const text = JSON.stringify({ ...index, signature: keys.sign(textToSign(index)) });
  await objects.put(indexObject(about.id), new Blob([text]).stream(), async (readBack) => {
    if ((await textOf(await readBack(), MAX_INDEX_BYTES)) !== text) throw notAsWritten();
  });
}

function textToSign({
  format,
  installation,
  id,
  madeAt,
  petstore,
  sealed,
  blobs,
}: BackupIndex): string {
  const contents = [sealed, blobs].flatMap(({ bytes, sha256 }) => [bytes, sha256]);
  return JSON.stringify(["index", format, installation, id, madeAt, petstore, ...contents]);
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
  return index.id === id && keys.isSigned(textToSign(index), signature) ? index : "damaged";
}

const NAME_BYTES = 65;

/** Reads the names of the blobs that a backup needs. They are only known to be right at the end. Throws `BackupDamaged`. */
export async function* blobsOf(
  objects: Objects,
  { id, blobs }: BackupIndex,
): AsyncGenerator<string, void, undefined> {
  const damaged = (): BackupDamaged => new BackupDamaged(`${listObject(id)} cannot be used`);
  const stream = await objects.get(listObject(id));
  if (stream === undefined) throw damaged();
  const { stream: passed, end } = measuring(stream);
  const reader = passed.getReader();
  try {
    let rest = "";
    for (let next = await reader.read(); !next.done; next = await reader.read()) {
      const lines = (rest + Buffer.from(next.value).toString("latin1")).split("\n");
      rest = lines.pop() ?? "";
      if (rest.length >= NAME_BYTES) throw damaged();
      yield* lines;
    }
  } finally {
    await reader.cancel();
  }
  if (end().sha256 !== blobs.sha256) throw damaged();
}

/** Lists the IDs of the backups among the objects, newest first. */
export async function backupIds(objects: Objects): Promise<readonly string[]> {
  const ids: string[] = [];
  for await (const { name } of objects.list(BACKUPS)) {
    const [, id] = OURS.exec(name) ?? [];
    if (id !== undefined && name === indexObject(id)) ids.push(id);
  }
  return ids.toSorted().toReversed();
}

/** Reads the indexes of all backups among the objects, newest first. Fails if one cannot be used. */
export async function listBackups(
  objects: Objects,
  keys: BackupKeys,
): Promise<readonly BackupIndex[]> {
  const found: BackupIndex[] = [];
  for (const id of await backupIds(objects)) {
    const index = await indexOf(objects, id, keys);
    if (index === "damaged") throw damagedAt(objects.place, id, indexObject(id));
    if (typeof index === "string") throw unsuitable(objects.place, index);
    found.push(index);
  }
  return found;
}

function damagedAt(place: string, id: string, object: string): Failure {
  return new Failure(
    "failed",
    `${place}: ${object} is damaged. Remove the files of this backup, ${BACKUPS}${id}.*.`,
  );
}

function unsuitable(place: string, what: "newer" | "foreign"): Failure {
  return new Failure(
    "configuration",
    what === "newer"
      ? `${place} has backups of a newer version of this program. Use that version.`
      : `${place} has backups of another installation. Each installation needs a place of its own.`,
  );
}

/** Removes what interrupted backups left. Fails before that if a backup cannot be used; returns all of them, newest first. */
export async function sweep(objects: Objects, keys: BackupKeys): Promise<readonly BackupIndex[]> {
  const backups = await listBackups(objects, keys);
  for (const prefix of [BACKUPS, BLOBS]) await objects.sweep(prefix, (name) => OURS.test(name));
  return backups;
}

/**
 * Removes all backups but the newest `keep`, then the blobs and containers that none of them needs. A crash in between leaves no
 * backup that lacks its blobs. Returns the number of backups that were removed.
 */
export async function removeOldBackups(
  objects: Objects,
  keys: BackupKeys,
  keep: number,
): Promise<number> {
  const backups = await listBackups(objects, keys);
  const [kept, old] = [backups.slice(0, keep), backups.slice(keep)];
  const unneeded = new Set((await storedBlobs(objects)).keys());
  for (const index of kept) {
    try {
      for await (const name of blobsOf(objects, index)) unneeded.delete(blobObject(name));
    } catch (error) {
      if (!(error instanceof BackupDamaged)) throw error;
      throw damagedAt(objects.place, index.id, listObject(index.id));
    }
  }
  for (const { id } of old) await objects.delete(indexObject(id));
  const needed = new Set(kept.map(({ id }) => id));
  for await (const { name } of objects.list(BACKUPS)) {
    const [, id] = OURS.exec(name) ?? [];
    if (id !== undefined && !needed.has(id)) await objects.delete(name);
  }
  for (const name of unneeded) await objects.delete(name);
  return old.length;
}
