import { BLOCK, checksumOf, fields, padding } from "../../lib/publishing/archive/tar-format.ts";

/** An unchecked entry of a tar, for hostile archives. */
export interface RawEntry {
  readonly name: string | Uint8Array;
  /** Default `0`, a file. */
  readonly type?: string;
  readonly content?: string | Uint8Array;
  /** Default: the size of the content. */
  readonly size?: number;
  /** Bytes that replace parts of the header, by offset. The checksum includes them. */
  readonly patch?: Readonly<Record<number, string | Uint8Array>>;
}

const bytesOf = (text: string | Uint8Array): Uint8Array =>
  typeof text === "string" ? new TextEncoder().encode(text) : text;

/** Header, content, padding. */
export function rawEntry({
  name,
  type = "0",
  content = "",
  size,
  patch = {},
}: RawEntry): Uint8Array {
  const body = bytesOf(content);
  const block = new Uint8Array(BLOCK);
  const put = (at: number, text: string | Uint8Array): void => block.set(bytesOf(text), at);
  put(fields.name.at, bytesOf(name).subarray(0, fields.name.length));
  put(fields.mode.at, "0000644\0");
  put(fields.size.at, `${(size ?? body.length).toString(8).padStart(11, "0")}\0`);
  put(fields.type.at, type);
  put(fields.magic.at, "ustar\u000000");
  for (const [at, text] of Object.entries(patch)) put(Number(at), text);
  put(fields.checksum.at, `${checksumOf(block).toString(8).padStart(6, "0")}\0 `);
  return joined([block, body, new Uint8Array(padding(body.length))]);
}

/** Two blocks of zeros: the end of a tar. */
export const tarEnd: Uint8Array = new Uint8Array(2 * BLOCK);

/** Returns a pax record with its length. */
export function paxRecord(name: string, value: string): string {
  const rest = bytesOf(` ${name}=${value}\n`).length;
  let length = rest;
  while (length !== rest + String(length).length) length = rest + String(length).length;
  return `${length} ${name}=${value}\n`;
}

/** Returns a pax header that precedes an entry. */
export function paxEntry(records: Readonly<Record<string, string>>, type = "x"): Uint8Array {
  const content = Object.entries(records).map(([name, value]) => paxRecord(name, value));
  return rawEntry({ name: "PaxHeader", type, content: content.join("") });
}

export function joined(parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  return new Uint8Array(Buffer.concat(parts));
}

/** Returns a tar.gz of the entries. */
export function tarGzOf(
  entries: readonly (RawEntry | Uint8Array)[],
  level?: 0 | 6,
): Uint8Array<ArrayBuffer> {
  const parts = entries.map((entry) => (entry instanceof Uint8Array ? entry : rawEntry(entry)));
  return gzipped(joined([...parts, tarEnd]), level);
}

export function gzipped(bytes: Uint8Array<ArrayBuffer>, level: 0 | 6 = 6): Uint8Array<ArrayBuffer> {
  return Bun.gzipSync(bytes, { level });
}

/** Splits bytes into chunks of `size`, like a network. */
export function streamOf(bytes: Uint8Array, size = 65_536): ReadableStream<Uint8Array> {
  let at = 0;
  return new ReadableStream<Uint8Array>({
    pull: (controller) => {
      if (at >= bytes.length) {
        controller.close();
        return;
      }
      controller.enqueue(bytes.slice(at, at + size));
      at += size;
    },
  });
}
