const MIB = 1_048_576;

/** The largest file that can be uploaded. */
export const MAX_FILE_BYTES: number = 64 * MIB;
/** The largest file after unpacking: a text compressed with gzip, or all parts of a workbook. */
export const MAX_UNPACKED_BYTES: number = 256 * MIB;
/** The most rows of a table, blank rows included. */
export const MAX_ROWS = 1_000_000;
/** The most columns of a table. */
export const MAX_COLUMNS = 500;
/** The most cells of a workbook, empty ones included. */
export const MAX_CELLS = 20_000_000;
/** The most parts of a workbook, such as sheets and pictures. */
export const MAX_PARTS = 2_000;
/** The most sheets of a workbook that are searched for rows. */
export const MAX_SHEETS = 50;
/** The longest row of a text file, in UTF-16 code units. Long enough for a picture written as text. */
export const MAX_ROW_LENGTH: number = 40 * MIB;
/** The longest name of a column that is kept, in UTF-16 code units. */
export const MAX_COLUMN_NAME = 200;
/** The bytes at the beginning of a file from which its format is recognized. */
export const HEAD_BYTES: number = 256 * 1_024;
/** The largest archive of photos that can be uploaded, with the table or beside it. */
export const MAX_ARCHIVE_BYTES: number = 1_024 * MIB;
/** The most files of such an archive, and their bytes after unpacking. */
export const MAX_ARCHIVE_FILES = 20_000;
export const MAX_ARCHIVE_UNPACKED_BYTES: number = 2_048 * MIB;
/** The most bytes that the files of an account's open imports take together, and those that arrive. */
export const MAX_SPOOL_BYTES: number = 1_536 * MIB;
/** The most files of an account that arrive at the same time. */
export const MAX_ARRIVING = 4;
