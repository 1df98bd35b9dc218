import { crc32, deflateRawSync } from "node:zlib";

/** An entry of an archive, as the programs of shelters and those of attackers write it. */
export interface ZipEntry {
  readonly name: string | Uint8Array;
  readonly content: Uint8Array | string;
  /** Default: deflated. */
  readonly stored?: boolean;
  /** The sizes and the checksum follow the content. */
  readonly descriptor?: boolean;
  /** Marks the name as UTF-8. Default: true. */
  readonly utf8?: boolean;
  readonly encrypted?: boolean;
  readonly zip64?: boolean;
  /** What the directory says instead of the truth. */
  readonly lies?: {
    readonly method?: number;
    readonly crc?: number;
    readonly size?: number;
    readonly packed?: number;
    readonly offset?: number;
  };
}

/** Writes a zip archive (APPNOTE 4.3), independently of the code under test. */
export function zipOfEntries(
  entries: readonly ZipEntry[],
  { comment = "", zip64 = false }: { readonly comment?: string; readonly zip64?: boolean } = {},
): Uint8Array {
  const parts: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const entry of entries) {
    const { stored = false, descriptor = false, utf8 = true, encrypted = false, lies = {} } = entry;
    const content = Buffer.from(entry.content as Uint8Array);
    const name = Buffer.from(entry.name as Uint8Array);
    const data = stored ? content : deflateRawSync(content);
    const flags = (utf8 ? 0x800 : 0) | (descriptor ? 8 : 0) | (encrypted ? 1 : 0);
    const method = lies.method ?? (stored ? 0 : 8);
    const crc = lies.crc ?? crc32(content);
    const [size, packed] = [lies.size ?? content.length, lies.packed ?? data.length];
    const local = Buffer.alloc(30);
    local.writeUInt32LE(0x04034b50, 0);
    local.writeUInt16LE(20, 4);
    local.writeUInt16LE(flags, 6);
    local.writeUInt16LE(method, 8);
    if (!descriptor) {
      local.writeUInt32LE(crc, 14);
      local.writeUInt32LE(packed, 18);
      local.writeUInt32LE(size, 22);
    }
    local.writeUInt16LE(name.length, 26);
    const tail = descriptor ? Buffer.alloc(16) : Buffer.alloc(0);
    if (descriptor) {
      tail.writeUInt32LE(0x08074b50, 0);
      tail.writeUInt32LE(crc, 4);
      tail.writeUInt32LE(packed, 8);
      tail.writeUInt32LE(size, 12);
    }
    const extra = Buffer.alloc(entry.zip64 === true ? 28 : 0);
    const at = lies.offset ?? offset;
    if (entry.zip64 === true) {
      extra.writeUInt16LE(1, 0);
      extra.writeUInt16LE(24, 2);
      extra.writeBigUInt64LE(BigInt(size), 4);
      extra.writeBigUInt64LE(BigInt(packed), 12);
      extra.writeBigUInt64LE(BigInt(at), 20);
    }
    const central = Buffer.alloc(46);
    central.writeUInt32LE(0x02014b50, 0);
    central.writeUInt16LE(20, 4);
    central.writeUInt16LE(20, 6);
    central.writeUInt16LE(flags, 8);
    central.writeUInt16LE(method, 10);
    central.writeUInt32LE(crc, 16);
    const short = (value: number): number => (entry.zip64 === true ? 0xffffffff : value);
    central.writeUInt32LE(short(packed), 20);
    central.writeUInt32LE(short(size), 24);
    central.writeUInt16LE(name.length, 28);
    central.writeUInt16LE(extra.length, 30);
    central.writeUInt32LE(short(at), 42);
    directory.push(central, name, extra);
    parts.push(local, name, data, tail);
    offset += 30 + name.length + data.length + tail.length;
  }
  const listed = Buffer.concat(directory);
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(zip64 ? 0xffff : entries.length, 8);
  end.writeUInt16LE(zip64 ? 0xffff : entries.length, 10);
  end.writeUInt32LE(zip64 ? 0xffffffff : listed.length, 12);
  end.writeUInt32LE(zip64 ? 0xffffffff : offset, 16);
  end.writeUInt16LE(comment.length, 20);
  const long = Buffer.alloc(zip64 ? 76 : 0);
  if (zip64) {
    long.writeUInt32LE(0x06064b50, 0);
    long.writeBigUInt64LE(44n, 4);
    long.writeBigUInt64LE(BigInt(entries.length), 24);
    long.writeBigUInt64LE(BigInt(entries.length), 32);
    long.writeBigUInt64LE(BigInt(listed.length), 40);
    long.writeBigUInt64LE(BigInt(offset), 48);
    long.writeUInt32LE(0x07064b50, 56);
    long.writeBigUInt64LE(BigInt(offset + listed.length), 64);
    long.writeUInt32LE(1, 72);
  }
  return Buffer.concat([...parts, listed, long, end, Buffer.from(comment)]);
}

/** Returns stored bytes over bytes in memory. */
export function storedBytes(bytes: Uint8Array) {
  return {
    size: bytes.length,
    async *open(start: number, end: number): AsyncGenerator<Uint8Array> {
      for (let at = start; at < end; at += 65_536)
        yield bytes.subarray(at, Math.min(end, at + 65_536));
    },
  };
}
