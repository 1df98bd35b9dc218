import { lazyStream } from "./byte-source.ts";
import { MAX_COMPRESSED_BYTES, MAX_RATIO, MAX_UNPACKED_BYTES, RATIO_FREE_BYTES } from "./limits.ts";
import { ArchiveRefused, invalid, quoted, tooLarge } from "./refused.ts";

/** Compressed bytes processed at a time. They unpack to at most 1,032 times as many, which is deflate's bound. */
const SLICE = 4_096;
const MIB = 1_048_576;

/**
 * Unpacks an archive while it arrives, in bounded memory. The stream errors with `ArchiveRefused` when the data is not
 * gzip, is damaged or cut off, or exceeds a limit, and with the archive's own error when that fails. `reached` returns the
 * entry being read, for error messages; undefined before the first.
 */
export function gunzip(
  archive: ReadableStream<Uint8Array>,
  reached: () => string | undefined,
): ReadableStream<Uint8Array> {
  const arrived: Arrived = { bytes: 0, failure: undefined };
  const unpacked = slices(archive, arrived).pipeThrough(decompression()).getReader();
  let size = 0;
  const next = async (): Promise<Uint8Array | undefined> => {
    const { value } = await unpacked.read().catch((error: unknown) => {
      throw reasonOf(arrived, error);
    });
    if (value === undefined) return undefined;
    size += value.length;
    const fault = tooMuch(size, arrived.bytes, reached());
    if (fault === undefined) return value;
    // The limit is the reason for the refusal, even if cancelling fails.
    await unpacked.cancel(fault).catch(() => undefined);
    throw fault;
  };
  return lazyStream(next, (reason) => unpacked.cancel(reason));
}

interface Arrived {
  bytes: number;
  /** The reason if the input failed, rather than the unpacking. */
  failure: { readonly reason: unknown } | undefined;
}

function reasonOf({ failure }: Arrived, error: unknown): unknown {
  if (failure !== undefined) return failure.reason;
  if (error instanceof ArchiveRefused) return error;
  return invalid("The archive cannot be unpacked: it is damaged, or was cut off on its way.");
}

function tooMuch(
  size: number,
  compressed: number,
  entry: string | undefined,
): ArchiveRefused | undefined {
  const archive = entry === undefined ? "The archive" : `With ${quoted(entry)} the archive`;
  if (size > MAX_UNPACKED_BYTES) {
    return tooLarge(`${archive} unpacks to more than ${MAX_UNPACKED_BYTES / MIB} MiB.`);
  }
  if (size > RATIO_FREE_BYTES && size > MAX_RATIO * compressed) {
    return tooLarge(`${archive} unpacks to more than ${MAX_RATIO} times its size.`);
  }
  return undefined;
}

/** The DOM types require an ArrayBuffer behind the input; decompression itself refuses a shared one. */
function decompression(): ReadableWritablePair<Uint8Array, Uint8Array> {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return new DecompressionStream("gzip") as ReadableWritablePair<Uint8Array, Uint8Array>;
}

/** Returns the archive in small, counted slices, after a check of its first bytes. */
function slices(archive: ReadableStream<Uint8Array>, arrived: Arrived): ReadableStream<Uint8Array> {
  const reader = archive.getReader();
  let rest: Uint8Array = new Uint8Array();
  let begun = false;

  const fill = async (atLeast: number): Promise<void> => {
    while (rest.length < atLeast) {
      const next = await reader.read();
      if (next.done) return;
      rest = rest.length === 0 ? next.value : concatBytes(rest, next.value);
    }
  };
  const slice = async (): Promise<Uint8Array | undefined> => {
    await fill(begun ? 1 : LOOK);
    if (!begun) checkBeginning(rest);
    begun = true;
    const part = rest.subarray(0, SLICE);
    rest = rest.subarray(SLICE);
    arrived.bytes += part.length;
    if (arrived.bytes > MAX_COMPRESSED_BYTES) {
      throw tooLarge(`The archive is larger than ${MAX_COMPRESSED_BYTES / MIB} MiB.`);
    }
    return part.length === 0 ? undefined : part;
  };

  const next = async (): Promise<Uint8Array | undefined> => {
    try {
      return await slice();
    } catch (reason) {
      arrived.failure = { reason };
      // Stops the sender. Cancelling a failed stream rejects.
      await reader.cancel(reason).catch(() => undefined);
      throw reason;
    }
  };
  return lazyStream(next, (reason) => reader.cancel(reason));
}

/** Bytes needed to recognize the format: tar's magic ends here. */
const LOOK = 262;

function checkBeginning(bytes: Uint8Array): void {
  const begins = (...sign: readonly number[]): boolean =>
    sign.every((byte, index) => bytes[index] === byte);
  if (begins(0x1f, 0x8b)) return;
  if (bytes.length === 0) throw invalid("Nothing was sent. Send the files as a tar.gz.");
  if (begins(0x50, 0x4b)) throw invalid("This is a zip archive. Send a tar.gz instead.");
  if (new TextDecoder().decode(bytes.subarray(257, 262)) === "ustar") {
    throw invalid("This is a tar that is not compressed. Send it through gzip.");
  }
  throw invalid("This is not a tar.gz file: it has no gzip header.");
}

function concatBytes(first: Uint8Array, second: Uint8Array): Uint8Array {
  const both = new Uint8Array(first.length + second.length);
  both.set(first);
  both.set(second, first.length);
  return both;
}
