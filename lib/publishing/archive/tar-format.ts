/** The block size of a tar in bytes (POSIX.1-2017, pax, "ustar Interchange Format"). */
export const BLOCK = 512;

/** The offset and length of a header field in bytes. */
export interface Field {
  readonly at: number;
  readonly length: number;
}

/** The ustar header fields used here. */
export const fields = {
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
} as const satisfies Readonly<Record<string, Field>>;

/** Returns a view of a field's bytes. */
export function fieldOf(block: Uint8Array, { at, length }: Field): Uint8Array {
  return block.subarray(at, at + length);
}

/** Returns the number of bytes after content of `size` up to the end of its last block. */
export function padding(size: number): number {
  return (BLOCK - (size % BLOCK)) % BLOCK;
}

/** Sums the header's bytes, with spaces in place of the checksum. */
export function checksumOf(block: Uint8Array): number {
  const { at, length } = fields.checksum;
  let sum = length * 0x20;
  for (let index = 0; index < BLOCK; index++) {
    if (index < at || index >= at + length) sum += block[index] ?? 0;
  }
  return sum;
}
