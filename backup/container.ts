import { byteSource } from "../lib/publishing/archive/byte-source.ts";
import { readTar, type TarEntry } from "../lib/publishing/archive/read-tar.ts";
import { tar, type FileToPack } from "../lib/publishing/archive/write-tar.ts";
import { StoreUnavailable } from "../lib/sql/sql.ts";
import { Failure } from "../settings/failure.ts";
import type { BackupKeys } from "./keys.ts";
import { readManifest, readSeal, type Manifest, type ManifestSeal } from "./model/manifest.ts";
import { BackupDamaged } from "./ports.ts";
import { measuring, sha256Of, textOf, type Measured } from "./streams.ts";

const MANIFEST = "manifest.json";
const SIGNATURE = "manifest.signature";
const BLOBS = "blobs/";
const MAX_SIGNATURE_BYTES = 1_024;

/** Opens what a manifest describes. */
export interface Contained {
  readonly file: (name: string) => Promise<ReadableStream<Uint8Array>>;
  readonly blob: (sha256: string) => Promise<ReadableStream<Uint8Array>>;
}

/** Packs a backup into a tar: the signature of the manifest, the manifest, the files, and the blobs if they are inside. */
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
  const content = Buffer.from(JSON.stringify(manifest));
  const { format } = manifest;
  const { installation } = keys;
  const seal = { format, installation, bytes: content.length, sha256: sha256Of(content) };
  const signature = Buffer.from(
    JSON.stringify({ ...seal, signature: keys.sign(textToSign(seal)) }),
  );
  yield { path: SIGNATURE, size: signature.length, content: signature };
  yield { path: MANIFEST, size: content.length, content };
  for (const { name, bytes } of manifest.files) {
    yield { path: name, size: bytes, content: await file(name) };
  }
  if (!manifest.blobsInside) return;
  for (const { sha256, bytes } of manifest.blobs) {
    yield { path: BLOBS + sha256, size: bytes, content: await blob(sha256) };
  }
}

function textToSign({ format, installation, bytes, sha256 }: ManifestSeal): string {
  return JSON.stringify(["manifest", format, installation, bytes, sha256]);
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
    const signature = await textOf((await next(SIGNATURE)).content(), MAX_SIGNATURE_BYTES);
    const { bytes, sha256 } = verified(signature ?? "", keys);
    const { stream, end } = measuring((await next(MANIFEST, bytes)).content());
    const text = await textOf(stream, bytes);
    if (text === undefined || end().sha256 !== sha256) {
      throw new BackupDamaged("its manifest differs from its signature");
    }
    const manifest = readManifest(text);
    if (typeof manifest === "string") throw new BackupDamaged("its manifest cannot be read");
    await receiver.begin(manifest);
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

/** Reads the signature of a manifest. Anyone who knows the recipient can seal a manifest of any size. */
function verified(text: string, keys: BackupKeys): ManifestSeal {
  const read = readSeal(text);
  if (read === "newer") throw newerFormat();
  if (read === "damaged") throw new BackupDamaged(`${SIGNATURE} cannot be read`);
  if (read.installation !== keys.installation) {
    throw new Failure(
      "configuration",
      "The encryption key is not the one of this backup: no API key would work. Use your copy of the right one.",
    );
  }
  if (!keys.isSigned(textToSign(read), read.signature)) {
    throw new BackupDamaged("its manifest was not signed with this encryption key");
  }
  return read;
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
