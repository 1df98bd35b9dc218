import { MAX_COLUMNS } from "../limits.ts";
import { TableRefused, type TableRow } from "../table.ts";
import { columnName } from "./texts.ts";

/** A row of text or of a sheet before its columns are known, blank ones included. `nul`: it contains U+0000. */
export interface RawRow {
  readonly line: number;
  readonly cells: readonly string[];
  readonly nul: boolean;
}

/** The rows from which the header is recognized. */
export const SAMPLE_ROWS = 100;
/** How many of them may stand above the header, and how much of these is shown. */
const HEADER_WITHIN = 30;
const MAX_TITLES = 5;
const MAX_TITLE = 200;

/** Where the header of a table is. */
export interface Header {
  /** The header's line; 0 if there are no rows. */
  readonly line: number;
  readonly titles: readonly string[];
  /** The names of the columns. */
  readonly columns: readonly string[];
  /** The rows of the sample below the header. */
  readonly below: readonly RawRow[];
}

/**
 * Finds the header in the first rows: the first row that has at least half as many values as the fullest one near it, and
 * more than one if that has. Rows above it are titles, such as the name of a report.
 */
export function headerOf(sample: readonly RawRow[]): Header {
  const rows = sample.slice(0, SAMPLE_ROWS).filter(({ cells }) => filledCells(cells) > 0);
  const near = rows.slice(0, HEADER_WITHIN);
  const widest = Math.max(0, ...near.map(({ cells }) => valuesIn(cells)));
  const least = Math.min(widest, Math.max(2, widest / 2));
  const index = near.findIndex(({ cells }) => valuesIn(cells) >= least);
  const header = near[index];
  if (header === undefined) return { line: 0, titles: [], columns: [], below: [] };
  const titles = near.slice(0, Math.min(index, MAX_TITLES)).map(titleOf);
  const below = rows.slice(index + 1);
  return { line: header.line, titles, columns: columnsOf(header, below), below };
}

function titleOf({ cells }: RawRow): string {
  return columnName(cells.filter((cell) => cell !== "").join(" ")).slice(0, MAX_TITLE);
}

/** Returns the names of the columns, without those at the end that have neither a name nor values. */
function columnsOf(header: RawRow, below: readonly RawRow[]): readonly string[] {
  const names = header.cells.map(columnName);
  const widths = below.map(({ cells }) => Math.min(filledCells(cells), names.length));
  const used = Math.max(filledCells(names), ...widths);
  if (used > MAX_COLUMNS) {
    throw new TableRefused({ code: "too_many_columns", most: MAX_COLUMNS, line: header.line });
  }
  return names.slice(0, used);
}

/** Returns a row of the table; nothing for a blank one. Fills up short rows, and cuts empty cells beyond the last column. */
export function tableRow({ line, cells, nul }: RawRow, width: number): readonly TableRow[] {
  if (nul) return [{ line, fault: { code: "nul" } }];
  const found = filledCells(cells);
  if (found === 0) return [];
  if (found > width) return [{ line, fault: { code: "field_count", found, expected: width } }];
  if (cells.length === width) return [{ line, cells }];
  return [{ line, cells: Array.from({ length: width }, (_, index) => cells[index] ?? "") }];
}

/** Returns the number of cells without the empty ones at the end. */
export function filledCells(cells: readonly string[]): number {
  let count = cells.length;
  while (count > 0 && cells[count - 1] === "") count--;
  return count;
}

function valuesIn(cells: readonly string[]): number {
  return cells.reduce((count, cell) => (cell === "" ? count : count + 1), 0);
}
