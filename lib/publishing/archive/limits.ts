const MIB = 1_048_576;

/** Files and directories together, including those left out. */
export const MAX_ENTRIES = 5_000;
/** The largest file of a site. */
export const MAX_FILE_BYTES: number = 25 * MIB;
/** All files together. */
export const MAX_TOTAL_BYTES: number = 250 * MIB;
/** The compressed archive, including names and padding. Incompressible files grow slightly. */
export const MAX_COMPRESSED_BYTES: number = 270 * MIB;
/** The unpacked archive, including headers and padding. */
export const MAX_UNPACKED_BYTES: number = 300 * MIB;
/** The largest compression ratio of archives that unpack to more than `RATIO_FREE_BYTES`. */
export const MAX_RATIO = 100;
/** Archives up to this size may exceed the ratio, because small harmless ones do. */
export const RATIO_FREE_BYTES: number = MIB;
/** An extension header: a long name or pax records. */
export const MAX_EXTENSION_BYTES: number = 64 * 1_024;
/** Extension headers per entry. */
export const MAX_EXTENSIONS = 8;
/** Zeros after the end of the archive. tar pads its last record with them. */
export const MAX_TRAILING_BYTES: number = MIB;
