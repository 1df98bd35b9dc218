/** Everything in a tar is made of blocks of this many bytes (POSIX.1-2017, pax, "ustar Interchange Format"). */
export const BLOCK = 512;

/** A field of a header: where it begins, and how many bytes it has. */
export interface Field {
  readonly at: number;
  readonly length: number;
}

type FieldName =
  | "name"
  | "mode"
  | "uid"
  | "gid"
  | "size"
  | "mtime"
  | "checksum"
  | "type"
  | "magic"
  | "version"
  | "prefix";

/** The fields of a ustar header that mean something to us. */
export const fields: Readonly<Record<FieldName, Field>> = {
  name: { at: 0, length: 100 },
  mode: { at: 100, length: 8 },
  uid: { at: 108, length: 8 },
  gid: { at: 116, length: 8 },
  size: { at: 124, length: 12 },
  mtime: { at: 136, length: 12 },
  checksum: { at: 148, length: 8 },
  type: { at: 156, length: 1 },
  magic: { at: 257, length: 6 },
  version: { at: 263, length: 2 },
  prefix: { at: 345, length: 155 },
};

/** The bytes of a field; a view, not a copy. */
export function fieldOf(block: Uint8Array, { at, length }: Field): Uint8Array {
  return block.subarray(at, at + length);
}

/** How many bytes follow content of `size` up to the end of its last block. */
export function padding(size: number): number {
  return (BLOCK - (size % BLOCK)) % BLOCK;
}

/** Sum of the header's bytes, its own checksum taken for spaces. */
export function checksumOf(block: Uint8Array): number {
  const { at, length } = fields.checksum;
  let sum = length * 0x20;
  for (let index = 0; index < BLOCK; index++) {
    if (index < at || index >= at + length) sum += block[index] ?? 0;
  }
  return sum;
}
