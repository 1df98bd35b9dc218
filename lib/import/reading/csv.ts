import { MAX_ROWS } from "../limits.ts";
import {
  delimiters,
  TableRefused,
  type Encoding,
  type Table,
  type TableRow,
  type TableSource,
} from "../table.ts";
import { CsvRows, firstRows } from "./csv-rows.ts";
import { decoded } from "./encoding.ts";
import {
  filledCells,
  headerOf,
  SAMPLE_ROWS,
  tableRow,
  type Header,
  type RawRow,
} from "./header.ts";

/** The most rows that are handed over together. Their reader blocks other requests for as long as it takes them. */
const BATCH_ROWS = 20;

/** The beginning of a text file. */
export interface TextHead {
  readonly text: string;
  readonly encoding: Encoding;
  readonly gzip: boolean;
  /** The text is all of the file. */
  readonly whole: boolean;
}

/** How the rows of a text are separated, and where they begin. */
interface Layout {
  readonly delimiter: string;
  readonly header: Header;
}

/** Opens a text of rows with a delimiter as a table. */
export function csvTable(source: TableSource, head: TextHead): Table {
  const { delimiter, header } = layoutOf(head);
  const { encoding, gzip } = head;
  const { line, titles, columns } = header;
  return {
    columns,
    facts: { format: "csv", encoding, delimiter, gzip, headerLine: line, titles },
    rows: () => rowsBelow(decoded(source, encoding), delimiter, line, columns.length),
  };
}

async function* rowsBelow(
  texts: AsyncIterable<string>,
  delimiter: string,
  headerLine: number,
  width: number,
): AsyncGenerator<readonly TableRow[]> {
  const parser = new CsvRows(delimiter);
  let count = 0;
  const taken = (rows: readonly RawRow[]): readonly TableRow[] => {
    count += rows.length;
    if (count > MAX_ROWS) throw new TableRefused({ code: "too_many_rows", most: MAX_ROWS });
    return rows.flatMap((row) => (row.line <= headerLine ? [] : tableRow(row, width)));
  };
  for await (const text of texts) yield* inBatches(taken(parser.push(text)));
  yield* inBatches(taken(parser.end()));
}

/** Yields rows in batches; nothing if there are none. */
export function* inBatches(rows: readonly TableRow[]): Generator<readonly TableRow[]> {
  for (let at = 0; at < rows.length; at += BATCH_ROWS) yield rows.slice(at, at + BATCH_ROWS);
}

/** The line with which spreadsheets name the delimiter. */
const SEP_LINE = /^[\uFEFF\s]*"?sep=([^\r\n"])"?[\s,;]*(?:\r\n?|\n)/i;

function layoutOf({ text, whole }: TextHead): Layout {
  const sampled = (delimiter: string): readonly RawRow[] =>
    firstRows(text, delimiter, whole, SAMPLE_ROWS);
  const named = SEP_LINE.exec(text)?.[1];
  if (named !== undefined) {
    return { delimiter: named, header: headerOf(sampled(named).slice(1)) };
  }
  const layouts = delimiters.map((delimiter) => ({
    delimiter,
    header: headerOf(sampled(delimiter)),
  }));
  const fitting = layouts.filter(
    ({ header }) => header.columns.length >= 2 && fitOf(header) >= 0.5,
  );
  const best = fitting.toSorted(
    (a, b) =>
      a.header.line - b.header.line ||
      fitOf(b.header) - fitOf(a.header) ||
      b.header.columns.length - a.header.columns.length,
  );
  // A file with one column has no delimiter.
  return best[0] ?? { delimiter: ",", header: headerOf(sampled(",")) };
}

/** Returns which part of the rows below a header has several cells, and not more of them than the header. */
function fitOf({ columns, below }: Header): number {
  if (below.length === 0) return 1;
  const fitting = below.filter(
    ({ cells }) => cells.length > 1 && filledCells(cells) <= columns.length,
  );
  return fitting.length / below.length;
}
