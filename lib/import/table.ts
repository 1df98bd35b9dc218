/** The formats of a file that can be imported. The content decides, not the name of the file. */
export const tableFormats = ["csv", "xlsx", "json"] as const;
/** The format of a file that can be imported: `csv` with any delimiter, a workbook, or JSON in one of its arrangements. */
export type TableFormat = (typeof tableFormats)[number];

/** The encodings of text files that can be read, as named in `--encoding`. */
export const encodings = ["utf-8", "utf-16le", "utf-16be", "windows-1252"] as const;
/** The encoding of a text file. */
export type Encoding = (typeof encodings)[number];

/** The delimiters of fields that are recognized. */
export const delimiters: readonly string[] = [",", ";", "\t", "|"];

/**
 * The value of a cell: text without white space, no-break spaces and invisible characters around it; empty if the row
 * has no value. Only JSON has numbers and booleans. Line breaks inside a text are LF.
 */
export type Cell = string | number | boolean;

/**
 * A row of a table, with one cell per column, or the reason why the row cannot be read. `line` is the line on which the
 * row begins, from 1; in a workbook, the number of the row.
 */
export type TableRow =
  | { readonly line: number; readonly cells: readonly Cell[] }
  | { readonly line: number; readonly fault: RowFault };

/** The reason why one row cannot be read, while the others can. */
export type RowFault =
  /** A character U+0000. */
  | { readonly code: "nul" }
  /** The row has values beyond the last column. */
  | { readonly code: "field_count"; readonly found: number; readonly expected: number }
  /** The row has more text than a row may have. */
  | { readonly code: "too_long"; readonly most: number }
  /** A sentence about "The line" or "The object". */
  | { readonly code: "not_json"; readonly message: string }
  | { readonly code: "not_an_object" };

/** What the reading found out about a file, to be shown. */
export interface TableFacts {
  readonly format: TableFormat;
  /** Undefined for a workbook. */
  readonly encoding?: Encoding;
  /** Only for CSV: one of `delimiters`, or the one that a line `sep=` names. */
  readonly delimiter?: string;
  /** The file was compressed with gzip. */
  readonly gzip: boolean;
  /** The line of the header; undefined for JSON. */
  readonly headerLine?: number;
  /** Texts above the header, which are not part of the table; at most 5. */
  readonly titles: readonly string[];
  /** The sheet that was read, and the names of the other sheets. */
  readonly sheet?: string;
  readonly otherSheets?: readonly string[];
  /** The member of a JSON object that contains the rows, such as "animals". */
  readonly member?: string;
}

/** A file as a table. */
export interface Table {
  /**
   * The names of the columns, in the order of the file, without white space around them and invisible characters. A
   * name can occur twice and can be empty. A member of a nested JSON object is named with its path: `breeds.primary`.
   */
  readonly columns: readonly string[];
  readonly facts: TableFacts;
  /**
   * Reads the rows, in batches, from the beginning each time. Blank rows are left out. Throws `TableRefused` if the
   * whole file has to be refused because of something in the middle of it.
   */
  rows(): AsyncIterable<readonly TableRow[]>;
}

/** The reason why a whole file is refused, or what has to be asked before it can be read. */
export type TableFault =
  | { readonly code: "empty" }
  /** The file is larger than `most` bytes, before or after unpacking. */
  | { readonly code: "too_large"; readonly most: number; readonly unpacked: boolean }
  /** The text is not UTF-8. Asks whether it is `suggested`, in which the samples are decoded. */
  | {
      readonly code: "encoding";
      readonly suggested: Encoding;
      readonly samples: readonly { readonly line: number; readonly text: string }[];
    }
  /** The text is not in the encoding that was named, or that its first bytes name. */
  | { readonly code: "not_decodable"; readonly encoding: string; readonly line: number }
  /** A file of another kind, such as "a PDF document". */
  | { readonly code: "not_a_table"; readonly found: string }
  /** A file of a kind that is known, and cannot be read to its end. */
  | { readonly code: "damaged"; readonly found: string }
  /** An archive has more than `most` files. */
  | { readonly code: "too_many_files"; readonly most: number }
  /** A file of an archive has a password, an unusual compression, or unpacks to far more than its size. */
  | {
      readonly code: "unusable_archive";
      readonly reason: "password" | "compression" | "ratio";
      readonly name: string;
    }
  /** An archive has no table, or several: `names`, at most 5. */
  | { readonly code: "no_single_table"; readonly names: readonly string[] }
  /** The quote that opens on `line` is not closed, or text follows its end on a later line. */
  | { readonly code: "unclosed_quote"; readonly line: number; readonly text: string }
  | { readonly code: "too_many_rows"; readonly most: number }
  | { readonly code: "too_many_columns"; readonly most: number; readonly line: number }
  | { readonly code: "too_many_cells"; readonly most: number }
  /** A row without an end within the longest length that a row may have. */
  | { readonly code: "row_too_long"; readonly most: number; readonly line: number }
  /** JSON that is no list of objects. `members`: those of the object that have lists, at most 10. */
  | { readonly code: "no_list"; readonly members: readonly string[] }
  /** JSON that ends early, or has something else between its objects. */
  | { readonly code: "not_json"; readonly line: number; readonly message: string };

/** Thrown while the rows of a table are read. */
export class TableRefused extends Error {
  override readonly name = "TableRefused";
  readonly fault: TableFault;

  constructor(fault: TableFault) {
    super(fault.code);
    this.fault = fault;
  }
}

/** A file to be read. */
export interface TableSource {
  /** Reads the bytes of the file from its beginning; called once for each pass over the file. */
  open(): AsyncIterable<Uint8Array>;
}

/** How to read a file, where the person said so. */
export interface ReadingOptions {
  /** The encoding of a text without a byte order mark. Default: UTF-8 or UTF-16, as recognized. */
  readonly encoding?: Encoding;
}
