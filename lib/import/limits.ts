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
