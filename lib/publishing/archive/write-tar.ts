import { utf8 } from "../../base/digest.ts";
import { lazyStream } from "./byte-source.ts";
import { BLOCK, checksumOf, fields, padding, type Field } from "./tar-format.ts";

/** A file to pack. */
export interface FileToPack {
  /** Relative path with slashes: `animals/7/photo.jpg`. */
  readonly path: string;
  /** The exact size of `content` in bytes. */
  readonly size: number;
  readonly content: Uint8Array | ReadableStream<Uint8Array>;
  /** A program, which everyone may run. */
  readonly executable?: true;
}

/** Packs files as `tar` does, and compresses them. */
export function tarGz(files: AsyncIterable<FileToPack>): ReadableStream<Uint8Array> {
  return tar(files).pipeThrough(gzip());
}

/**
 * Packs files into a tar in the given order, lazily. Omits times and owners, so that the same files always give
 * the same bytes. Errors when a file's size differs from `size` because it changed in the meantime.
 */
export function tar(files: AsyncIterable<FileToPack>): ReadableStream<Uint8Array> {
  const parts = blocks(files);
  const next = async (): Promise<Uint8Array | undefined> => (await parts.next()).value ?? undefined;
  const cancel = async (): Promise<void> => void (await parts.return(undefined));
  return lazyStream(next, cancel);
}

/** The DOM types require an ArrayBuffer behind the input; compression itself refuses a shared one. */
function gzip(): ReadableWritablePair<Uint8Array, Uint8Array> {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return new CompressionStream("gzip") as ReadableWritablePair<Uint8Array, Uint8Array>;
}

async function* blocks(files: AsyncIterable<FileToPack>): AsyncGenerator<Uint8Array, undefined> {
  for await (const file of files) {
    yield* header(file);
    let written = 0;
    for await (const chunk of chunks(file.content)) {
      written += chunk.length;
      if (written > file.size) throw changed(file);
      yield chunk;
    }
    if (written < file.size) throw changed(file);
    yield new Uint8Array(padding(file.size));
  }
  yield new Uint8Array(2 * BLOCK);
  return undefined;
}

async function* chunks(
  content: Uint8Array | ReadableStream<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  if (content instanceof Uint8Array) {
    yield content;
    return;
  }
  const reader = content.getReader();
  try {
    for (let next = await reader.read(); !next.done; next = await reader.read()) yield next.value;
  } finally {
    // Cancelling a failed stream rejects.
    await reader.cancel().catch(() => undefined);
  }
}

function changed({ path }: FileToPack): Error {
  return new Error(`The file ${JSON.stringify(path)} changed while it was read.`);
}

/** The limits of ustar's fields: an ASCII name, and 8 GiB less a byte. */
const PLAIN = /^[\x20-\x7e]{1,100}$/;
const MAX_OCTAL_SIZE = 0o77777777777;

function* header({ path, size, executable }: FileToPack): Generator<Uint8Array> {
  const records: string[] = [];
  if (!PLAIN.test(path)) records.push(paxRecord("path", path));
  if (size > MAX_OCTAL_SIZE) records.push(paxRecord("size", String(size)));
  if (records.length === 0) {
    yield ustar(path, size, "0", executable === true);
    return;
  }
  const extended = utf8(records.join(""));
  yield ustar("pax", extended.length, "x", false);
  yield extended;
  yield new Uint8Array(padding(extended.length));
  // Only readers without pax support use these.
  yield ustar(
    path.replaceAll(/[^\x20-\x7e]/g, "_").slice(-100),
    size % MAX_OCTAL_SIZE,
    "0",
    executable === true,
  );
}

/** `<length> <name>=<value>\n`, where the length includes itself. */
function paxRecord(name: string, value: string): string {
  const rest = utf8(` ${name}=${value}\n`).length;
  let length = rest;
  while (length !== rest + String(length).length) length = rest + String(length).length;
  return `${length} ${name}=${value}\n`;
}

function ustar(name: string, size: number, type: "0" | "x", executable: boolean): Uint8Array {
  const block = new Uint8Array(BLOCK);
  const put = ({ at }: Field, text: string): void => block.set(utf8(text), at);
  const number = (field: Field, value: number): void =>
    put(field, value.toString(8).padStart(field.length - 1, "0"));
  put(fields.name, name);
  number(fields.mode, executable ? 0o755 : 0o644);
  number(fields.uid, 0);
  number(fields.gid, 0);
  number(fields.size, size);
  number(fields.mtime, 0);
  put(fields.type, type);
  put(fields.magic, "ustar");
  put(fields.version, "00");
  // Traditionally six digits, NUL, space.
  put(fields.checksum, `${checksumOf(block).toString(8).padStart(6, "0")}\0 `);
  return block;
}
