import { Failure } from "../settings/failure.ts";
import { damageOf, pack, type Contained } from "./container.ts";
import { readWhole, writeWhole } from "./directory.ts";
import type { BackupKeys } from "./keys.ts";
import { sizeOf, type Manifest } from "./model/manifest.ts";
import { notAsWritten, type Objects, type Sealing } from "./ports.ts";
import type { OnProgress, Step } from "./progress.ts";
import { checkBackup } from "./read.ts";
import { blobObject, containerObject, nextId, storedBlobs, sweep, writeIndex } from "./stored.ts";
import { counting, createCollector, measure, measuring, type Measured } from "./streams.ts";

/** Where a backup is written: one file with everything, or objects among those of earlier backups. */
export interface Destination {
  readonly blobsInside: boolean;
  /** The age recipient. */
  readonly sealedTo: string;
  /** The file that is written, if it is one. */
  readonly file?: string;
  /** Returns whether a blob is already stored, so that it need not be read. */
  isStored(this: void, sha256: string, bytes: number): boolean;
  /** Writes a backup of the instant `at`, and reads it back. */
  write(
    at: number,
    manifest: Manifest,
    contained: Contained,
    onProgress: OnProgress,
  ): Promise<Written>;
}

/** A backup that was written: the digest of its container, and the bytes that were written in all. */
export interface Written extends Measured {
  readonly id: string;
}

interface Seals {
  readonly sealing: Sealing;
  readonly keys: BackupKeys;
}

/** Returns one sealed file, which appears once it was read back and found right. Rejects if it exists. */
export async function toFile(path: string, seals: Seals): Promise<Destination> {
  if ((await readWhole(path)) !== undefined) {
    throw new Failure("usage", `${path} exists. Choose another name, or remove it first.`);
  }
  return {
    blobsInside: true,
    sealedTo: seals.sealing.recipient,
    file: path,
    isStored: () => false,
    write: async (at, manifest, contained, onProgress) => {
      const put: Put = (content, verify) => writeWhole(path, content, verify);
      const sealed = await writeContainer(put, manifest, contained, seals, onProgress);
      return { id: nextId(at), ...sealed };
    },
  };
}

const NAMES_PER_COLLECTION = 5_000;

/** Returns a directory or bucket, where blobs of earlier backups are not written again. Removes what interrupted backups left. */
export async function toObjects(objects: Objects, seals: Seals): Promise<Destination> {
  const { keys, sealing } = seals;
  const [newest] = await sweep(objects, keys);
  const stored = await storedBlobs(objects);
  const collect = createCollector(NAMES_PER_COLLECTION);
  const nameOf = (sha256: string): string => {
    collect(1);
    return keys.blobName(sealing.recipient, sha256);
  };
  const isStored: Destination["isStored"] = (sha256, bytes) =>
    stored.get(blobObject(nameOf(sha256))) === sealing.sealedBytes(bytes);

  const writeBlob = async (sha256: string, plain: ReadableStream<Uint8Array>): Promise<void> => {
    const sealed = measuring(await sealing.seal(plain));
    await objects.put(blobObject(nameOf(sha256)), sealed.stream, async (readBack) => {
      const expected = sealing.opens ? sha256 : sealed.end().sha256;
      try {
        const found = sealing.opens ? await sealing.open(await readBack()) : await readBack();
        if ((await measure(found)).sha256 !== expected) throw notAsWritten();
      } catch (error) {
        throw damageOf(error);
      }
    });
  };

  return {
    blobsInside: false,
    sealedTo: sealing.recipient,
    isStored,
    write: async (at, manifest, contained, onProgress) => {
      const { files, blobs, madeAt, petstore } = manifest;
      const added = blobs.filter(({ sha256, bytes }) => !isStored(sha256, bytes));
      const total = sizeOf({ files, blobs: added });
      let written = 0;
      for (const { sha256, bytes } of added) {
        await writeBlob(sha256, await contained.blob(sha256));
        onProgress("writing bytes", (written += bytes), total);
      }
      const id = nextId(at, newest?.id);
      const put: Put = (content, verify) => objects.put(containerObject(id), content, verify);
      const sealed = await writeContainer(put, manifest, contained, seals, onProgress);
      const names = blobs.map(({ sha256 }) => nameOf(sha256));
      // Last: a backup without its index does not exist.
      await writeIndex(objects, { id, madeAt, petstore, sealed }, names, keys);
      return { id, sha256: sealed.sha256, bytes: sealed.bytes + written };
    },
  };
}

type Put = (
  content: ReadableStream<Uint8Array>,
  verify: (readBack: () => Promise<ReadableStream<Uint8Array>>) => Promise<void>,
) => Promise<void>;

/** Seals and writes a container, and reads it back: opened, if we have the key; its digest, if only another has. */
async function writeContainer(
  put: Put,
  manifest: Manifest,
  contained: Contained,
  { sealing, keys }: Seals,
  onProgress: OnProgress,
): Promise<Measured> {
  const { files, blobs, blobsInside } = manifest;
  const total = sizeOf({ files, blobs: blobsInside ? blobs : [] });
  const counted = (step: Step, stream: ReadableStream<Uint8Array>): ReadableStream<Uint8Array> =>
    counting(stream, (done) => onProgress(step, Math.min(done, total), total));
  const plain = counted("writing bytes", pack(manifest, keys, contained));
  const sealed = measuring(await sealing.seal(plain));
  let written: Measured | undefined;
  await put(sealed.stream, async (readBack) => {
    written = sealed.end();
    const stored = measuring(counted("verifying bytes", await readBack()));
    if (sealing.opens) await checkBackup({ sealed: stored.stream, sealing, keys });
    else await measure(stored.stream);
    if (stored.end().sha256 !== written.sha256) throw notAsWritten();
  });
  if (written === undefined) throw notAsWritten();
  return written;
}
