import { utf8 } from "../../base/digest.ts";
import { randomBase62, type Random } from "../../base/id.ts";
import { problem, type Problem } from "../../base/problem.ts";
import { done, refused, type Result } from "../../base/result.ts";
import { lazyStream } from "../../publishing/archive/byte-source.ts";
import { BlobTooLarge, type Blobs } from "../../publishing/blobs.ts";
import { MAX_ARCHIVE_BYTES, MAX_ARRIVING, MAX_FILE_BYTES, MAX_SPOOL_BYTES } from "../limits.ts";
import { joined, partReader } from "../../base/parts.ts";
import { isZip } from "../reading/kind.ts";
import { tableProblem } from "../table-faults.ts";
import type { StoredBytes } from "../zip/archive.ts";
import type { ImportFiles } from "./model.ts";

/**
 * Keeps the uploaded files of imports as blobs. Each begins with random characters, so that its name is its own: it is
 * deleted as soon as its import no longer needs it, and no other file can have the same blob.
 */
export interface Spool {
  /** Stores a file that arrives. Refused `payload_too_large`, and `limit_reached` if the account has too much already. */
  put(
    content: ReadableStream<Uint8Array>,
    account: SpoolAccount,
  ): Promise<Result<SpooledFile, Problem>>;
  /** Opens a file; undefined if it was deleted. */
  open(file: string | undefined): Promise<StoredBytes | undefined>;
  /** Deletes a file that no import needs. Keeps files that an older version has stored: others may have the same blob. */
  free(file: string | undefined): Promise<void>;
}

/** The account that uploads a file. */
export interface SpoolAccount {
  readonly accountId: string;
  /** The bytes of the files of its open imports. */
  readonly stored: () => number | Promise<number>;
}

/** A file that was stored. */
export interface SpooledFile {
  /** The name of its blob. */
  readonly file: string;
  /** Its size. */
  readonly bytes: number;
}

const MARK = "petstore-upload ";
const RANDOM_CHARACTERS = 47;
const HEAD_BYTES: number = MARK.length + RANDOM_CHARACTERS + 1;

/** What arrives of an account at present. */
interface Arriving {
  files: number;
  bytes: number;
}

const MIB = 1_048_576;
const tooMuch: Problem = problem(
  "limit_reached",
  `The files of all open imports of an account can take ${MAX_SPOOL_BYTES / MIB} MiB together. Run or cancel the others first.`,
);
const tooManyAtOnce: Problem = problem(
  "limit_reached",
  `At most ${MAX_ARRIVING} files of an account can be uploaded at the same time. Wait until one has arrived.`,
);

/** Creates a spool over blobs. */
export function createSpool(blobs: Blobs, random: Random): Spool {
  const arriving = new Map<string, Arriving>();
  const isOwn = async (file: string): Promise<boolean> => {
    const begin: Uint8Array[] = [];
    for await (const part of bytesOf(blobs, file, 0, MARK.length)) begin.push(part);
    return new TextDecoder().decode(joined(begin)) === MARK;
  };
  return {
    put: async (content, { accountId, stored }) => {
      const own = arriving.get(accountId) ?? { files: 0, bytes: 0 };
      if (own.files >= MAX_ARRIVING) return refused(tooManyAtOnce);
      arriving.set(accountId, own);
      own.files++;
      let size = 0;
      let refusal: Problem | undefined;
      try {
        const others = await stored();
        const head = `${MARK}${randomBase62(random, RANDOM_CHARACTERS)}\n`;
        const stream = headed(utf8(head), content, (length, isArchive) => {
          size += length;
          own.bytes += length;
          const most = isArchive ? MAX_ARCHIVE_BYTES : MAX_FILE_BYTES;
          if (size > most) {
            refusal = tableProblem({ code: "too_large", most, unpacked: false });
          } else if (others + own.bytes > MAX_SPOOL_BYTES) refusal = tooMuch;
          return refusal === undefined;
        });
        const { sha256: file } = await blobs.put(stream);
        return done({ file, bytes: size });
      } catch (error) {
        if (refusal === undefined) throw error;
        return refused(refusal);
      } finally {
        own.files--;
        own.bytes -= size;
        if (own.files === 0) arriving.delete(accountId);
      }
    },
    open: async (file) => {
      const size = file === undefined ? undefined : await blobs.size(file);
      if (file === undefined || size === undefined) return undefined;
      const skipped = (await isOwn(file)) ? HEAD_BYTES : 0;
      return {
        size: size - skipped,
        open: (start, end) => bytesOf(blobs, file, start + skipped, end + skipped),
      };
    },
    free: async (file) => {
      if (file !== undefined && (await isOwn(file))) await blobs.delete(file);
    },
  };
}

/** Deletes the files that an import had, and no longer has. */
export async function freeOld(spool: Spool, from: ImportFiles, to: ImportFiles): Promise<void> {
  for (const member of ["file", "photosFile"] as const) {
    if (from[member] !== to[member]) await spool.free(from[member]);
  }
}

/** The bytes from which a file is known as an archive. */
const SIGN_BYTES = 4;

/** Passes on what arrives, in few parts and behind a head. Fails once `allow` refuses its length, and ends the upload. */
function headed(
  head: Uint8Array,
  content: ReadableStream<Uint8Array>,
  allow: (length: number, isArchive: boolean) => boolean,
): ReadableStream<Uint8Array> {
  const reader = content.getReader();
  let [isBegun, sign] = [false, new Uint8Array()];
  const next = partReader({
    read: async () => {
      const piece = await reader.read();
      if (piece.done) return piece;
      if (sign.length < SIGN_BYTES) {
        sign = Uint8Array.from([...sign, ...piece.value.subarray(0, SIGN_BYTES)]);
      }
      if (allow(piece.value.length, isZip(sign))) return piece;
      const reason = new BlobTooLarge("The file is too large.");
      reader.cancel(reason).catch(() => undefined);
      throw reason;
    },
  });
  return lazyStream(
    async () => {
      if (isBegun) return next();
      isBegun = true;
      return head;
    },
    (reason) => reader.cancel(reason),
  );
}

/** Reads a part of a blob; nothing if it does not exist. */
async function* bytesOf(
  blobs: Blobs,
  file: string,
  start: number,
  end: number,
): AsyncGenerator<Uint8Array> {
  const body = await blobs.open(file, { start, end });
  const reader = body === undefined ? undefined : new Response(body).body?.getReader();
  if (reader === undefined) return;
  try {
    for (;;) {
      const { value } = await reader.read();
      if (value === undefined) return;
      yield value;
    }
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}
