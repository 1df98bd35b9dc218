const MIB = 1_048_576;

/** Files and directories together, those that are left out too. */
export const MAX_ENTRIES = 5_000;
export const MAX_FILE_BYTES: number = 25 * MIB;
/** All files together. */
export const MAX_TOTAL_BYTES: number = 250 * MIB;
/** The same compressed, names and padding included: what does not compress grows by a little. */
export const MAX_COMPRESSED_BYTES: number = 270 * MIB;
/** Everything that is unpacked, headers and padding included. */
export const MAX_UNPACKED_BYTES: number = 300 * MIB;
/** How many times its size an archive may have unpacked, once that is more than `RATIO_FREE_BYTES`. */
export const MAX_RATIO = 100;
/** Small honest text compresses beyond any ratio. */
export const RATIO_FREE_BYTES: number = MIB;
/** A header that only says something of the entry that follows: a long name, what pax adds. */
export const MAX_EXTENSION_BYTES: number = 64 * 1_024;
/** So many of those may precede one entry. */
export const MAX_EXTENSIONS = 8;
/** Zeros after the end of the archive: tar fills up to the size of a tape's record. */
export const MAX_TRAILING_BYTES: number = MIB;
