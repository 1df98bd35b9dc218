import { byteSource } from "../lib/publishing/archive/byte-source.ts";
import { readTar, type TarEntry } from "../lib/publishing/archive/read-tar.ts";
import { tar, type FileToPack } from "../lib/publishing/archive/write-tar.ts";
import { StoreUnavailable } from "../lib/sql/sql.ts";
import { Failure } from "../settings/failure.ts";
import type { BackupKeys } from "./keys.ts";
import { readManifest, type Manifest } from "./model/manifest.ts";
import { BackupDamaged } from "./ports.ts";
import { measuring, textOf, type Measured } from "./streams.ts";

const MANIFEST = "manifest.json";
const SIGNATURE = "manifest.signature";
const BLOBS = "blobs/";
const MAX_MANIFEST_BYTES = 512 * 1_048_576;

/** Opens what a manifest describes. */
export interface Contained {
  readonly file: (name: string) => Promise<ReadableStream<Uint8Array>>;
  readonly blob: (sha256: string) => Promise<ReadableStream<Uint8Array>>;
}

/** Packs a backup into a tar: the manifest, its signature, the files, and the blobs if they are inside. */
export function pack(
  manifest: Manifest,
  keys: BackupKeys,
  contained: Contained,
): ReadableStream<Uint8Array> {
  return tar(entries(manifest, keys, contained));
}

async function* entries(
  manifest: Manifest,
  keys: BackupKeys,
  { file, blob }: Contained,
): AsyncIterable<FileToPack> {
  const text = JSON.stringify(manifest);
  yield small(MANIFEST, text);
  yield small(SIGNATURE, keys.sign(text));
  for (const { name, bytes } of manifest.files) {
    yield { path: name, size: bytes, content: await file(name) };
  }
  if (!manifest.blobsInside) return;
  for (const { sha256, bytes } of manifest.blobs) {
    yield { path: BLOBS + sha256, size: bytes, content: await blob(sha256) };
  }
}

function small(path: string, text: string): FileToPack {
  const content = Buffer.from(text);
  return { path, size: content.length, content };
}

/** Receives what a backup contains. Contents are only known to be right when the reader of the backup has resolved. */
export interface Receiver {
  /** Called before anything else; rejects for a backup that is not wanted. */
  begin(manifest: Manifest): Promise<void>;
  file(name: string, content: ReadableStream<Uint8Array>): Promise<void>;
  blob(sha256: string, content: ReadableStream<Uint8Array>): Promise<void>;
}

/** Reads a tar of `pack`, and compares everything in it with its manifest. Rejects with `BackupDamaged`. */
export async function unpack(
  plain: ReadableStream<Uint8Array>,
  keys: BackupKeys,
  receiver: Receiver,
): Promise<Manifest> {
  const source = byteSource(plain);
  try {
    const inside = readTar(source);
    const next = async (name: string, bytes?: number): Promise<TarEntry> => {
      const { value } = await inside.next();
      if (value?.name !== name || value.kind !== "file")
        throw new BackupDamaged(`it lacks ${name}`);
      if (bytes === undefined || value.size === bytes) return value;
      const than = value.size > bytes ? "larger" : "smaller";
      throw new BackupDamaged(`${name} is ${than} than its manifest says`);
    };
    const text = await textOf((await next(MANIFEST)).content(), MAX_MANIFEST_BYTES);
    const signature = await textOf((await next(SIGNATURE)).content(), 1_024);
    const manifest = text === undefined ? "damaged" : readManifest(text);
    if (manifest === "newer") throw newerFormat();
    if (text === undefined || manifest === "damaged") {
      throw new BackupDamaged("its manifest cannot be read");
    }
    await receiver.begin(manifest);
    if (!keys.isSigned(text, signature ?? "")) {
      throw new BackupDamaged("its manifest was not signed with this encryption key");
    }
    for (const expected of manifest.files) {
      const entry = await next(expected.name, expected.bytes);
      await receive(entry.content(), expected, (passed) => receiver.file(expected.name, passed));
    }
    for (const expected of manifest.blobsInside ? manifest.blobs : []) {
      const entry = await next(BLOBS + expected.sha256, expected.bytes);
      await receive(entry.content(), expected, (passed) => receiver.blob(expected.sha256, passed));
    }
    if (!(await inside.next()).done) throw new BackupDamaged("it continues after its end");
    return manifest;
  } catch (error) {
    await source.cancel(error).catch(() => undefined);
    throw damageOf(error);
  }
}

/** Passes a content to `pass`, which must read all of it. Rejects with `BackupDamaged` if it is not the expected one. */
export async function receive(
  content: ReadableStream<Uint8Array>,
  expected: Measured,
  pass: (content: ReadableStream<Uint8Array>) => Promise<void>,
): Promise<void> {
  const { stream, end } = measuring(content);
  await pass(stream);
  const found = end();
  if (found.bytes !== expected.bytes || found.sha256 !== expected.sha256) {
    throw new BackupDamaged("a content differs from its checksum");
  }
}

/** Failures of files and refusals stay what they are; whatever else ends the reading of a backup is damage. */
export function damageOf(error: unknown): unknown {
  if (error instanceof Failure || error instanceof BackupDamaged) return error;
  if (error instanceof StoreUnavailable) return error;
  const reason = error instanceof Error ? error.message : String(error);
  return new BackupDamaged(reason.replace(/\.$/, ""), { cause: error });
}

export function newerFormat(): Failure {
  return new Failure(
    "configuration",
    "A newer version of this program made this backup. Restore it with that version.",
  );
}
