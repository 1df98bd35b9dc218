import { deflateRawSync } from "node:zlib";

/** An entry of a zip as a stranger would write it: nothing is checked. */
export interface ZipEntry {
  readonly name: string | Uint8Array;
  readonly content?: string | Uint8Array;
  /** Default `deflated`; a number is written as it is, and the content not packed. */
  readonly method?: "stored" | "deflated" | number;
  /** Default 0. */
  readonly flags?: number;
  /** Upper half of the external attributes: the mode on Unix. Default: that of a file. */
  readonly mode?: number;
  /** Said in the directory instead of the true one. */
  readonly size?: number;
}

const LOCAL = 30;
const CENTRAL = 46;
const END = 22;

/** Returns a whole zip of the entries (APPNOTE 6.3), `comment` after its end. Checksums are left at 0. */
export function zipOf(entries: readonly ZipEntry[], comment = ""): Blob {
  const parts: Buffer[] = [];
  const directory: Buffer[] = [];
  let at = 0;
  for (const entry of entries) {
    const { flags = 0, mode = 0o100644, method = "deflated" } = entry;
    const name = Buffer.from(entry.name);
    const content = Buffer.from(entry.content ?? "");
    const packed = method === "deflated" ? deflateRawSync(content) : content;
    const number = method === "deflated" ? 8 : method === "stored" ? 0 : method;
    const size = entry.size ?? content.length;

    const local = Buffer.alloc(LOCAL);
    local.writeUInt32LE(0x04034b50, 0);
    local.writeUInt16LE(number, 8);
    local.writeUInt16LE(name.length, 26);
    // Writers put more here than into the directory: readers have to look.
    local.writeUInt16LE(4, 28);
    parts.push(local, name, Buffer.alloc(4), packed);

    const central = Buffer.alloc(CENTRAL);
    central.writeUInt32LE(0x02014b50, 0);
    central.writeUInt16LE(flags, 8);
    central.writeUInt16LE(number, 10);
    central.writeUInt32LE(packed.length, 20);
    central.writeUInt32LE(size, 24);
    central.writeUInt16LE(name.length, 28);
    central.writeUInt16LE(mode, 40);
    central.writeUInt32LE(at, 42);
    directory.push(central, name);
    at += LOCAL + name.length + 4 + packed.length;
  }
  const length = directory.reduce((sum, part) => sum + part.length, 0);
  const end = Buffer.alloc(END);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(entries.length, 8);
  end.writeUInt16LE(entries.length, 10);
  end.writeUInt32LE(length, 12);
  end.writeUInt32LE(at, 16);
  end.writeUInt16LE(comment.length, 20);
  return new Blob([Buffer.concat([...parts, ...directory, end, Buffer.from(comment)])]);
}
