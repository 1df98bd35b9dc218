import { cutOff, skip, type ByteSource } from "./byte-source.ts";
import { nextHeader, type EntryHeader } from "./entry-header.ts";
import { MAX_TRAILING_BYTES } from "./limits.ts";
import { invalid } from "./refused.ts";
import { BLOCK, padding } from "./tar-format.ts";

/** Something in the archive. */
export interface TarEntry extends EntryHeader {
  /** Its content, until the next entry is asked for; what was not read of it is skipped then. */
  content(): ReadableStream<Uint8Array>;
}

/** The entries of a tar in their order: ustar, GNU and pax. Refuses what is not whole, or not a tar. */
export async function* readTar(source: ByteSource): AsyncGenerator<TarEntry> {
  let first = true;
  for (;;) {
    const header = await nextHeader(source, first);
    if (header === undefined) break;
    first = false;
    const left = { bytes: header.size };
    const part = async (): Promise<Uint8Array | undefined> => {
      if (left.bytes === 0) return undefined;
      const bytes = await source.some(left.bytes);
      if (bytes === undefined) throw cutOff();
      left.bytes -= bytes.length;
      return bytes;
    };
    yield { ...header, content: () => streamOf(part) };
    await skip(source, left.bytes + padding(header.size));
  }
  await expectZeros(source);
}

/** After the first block of zeros there is a second, and then nothing but the filling of a tape's record. */
async function expectZeros(source: ByteSource): Promise<void> {
  let count = 0;
  for (;;) {
    const part = await source.some(MAX_TRAILING_BYTES);
    if (part === undefined) break;
    count += part.length;
    if (count > MAX_TRAILING_BYTES || part.some((byte) => byte !== 0)) {
      throw invalid("The archive goes on after its end.");
    }
  }
  if (count < BLOCK) throw cutOff();
}

function streamOf(part: () => Promise<Uint8Array | undefined>): ReadableStream<Uint8Array> {
  return new ReadableStream<Uint8Array>(
    {
      pull: async (controller) => {
        const bytes = await part();
        if (bytes === undefined) controller.close();
        else controller.enqueue(bytes);
      },
    },
    { highWaterMark: 0 },
  );
}
