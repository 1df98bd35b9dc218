import { systemClock } from "../../base/clock.ts";
import { lazyStream } from "../../publishing/archive/byte-source.ts";
import { MAX_CELLS, MAX_COLUMNS, MAX_ROWS, MAX_SHEETS, MAX_UNPACKED_BYTES } from "../limits.ts";
import { TableRefused, type Table, type TableRow, type TableSource } from "../table.ts";
import { joined } from "../../base/parts.ts";
import { allOf } from "./bytes.ts";
import { inBatches } from "./csv.ts";
import {
  filledCells,
  headerOf,
  SAMPLE_ROWS,
  tableRow,
  type Header,
  type RawRow,
} from "./header.ts";
import { cellText } from "./texts.ts";
import { partBytes, zipOf, zipParts, type ZipPart } from "./zip.ts";

/** A row of a sheet. */
export interface SheetRow {
  /** The row's number, from 1. */
  readonly line: number;
  /** The values as text; a date is written as in ISO 8601. */
  readonly cells: readonly string[];
}

/** Reads workbooks in the format of Excel (.xlsx). */
export interface Workbooks {
  /**
   * Reads the rows of a sheet, whose index counts from 0, while the archive arrives. The parts of the archive are not
   * compressed, their number, sizes, cells and columns are bounded, and the sheets are last. Throws if the archive is
   * no workbook.
   */
  rows(archive: ReadableStream<Uint8Array>, sheet: number): AsyncIterator<SheetRow>;
}

const FOUND = "an Excel workbook";

/** What other archives are, by a part that they have. */
const OTHERS: readonly (readonly [RegExp, string])[] = [
  [/^xl\/workbook\.bin$/, "a binary Excel workbook (.xlsb)"],
  [/^word\//, "a Word document"],
  [/^ppt\//, "a PowerPoint document"],
  [/^content\.xml$/, "an OpenDocument file"],
  [/\.iwa$/, "a Numbers document"],
];

/** Opens the first sheet of a workbook that has rows as a table. */
export async function workbookTable(
  source: TableSource,
  gzip: boolean,
  workbooks: Workbooks | undefined,
): Promise<Table> {
  const parts = zipParts(await allOf(source), "a zip archive");
  if (!parts.some(({ name }) => name === "xl/workbook.xml")) {
    const other = OTHERS.find(([sign]) => parts.some(({ name }) => sign.test(name)));
    throw new TableRefused({ code: "not_a_table", found: other?.[1] ?? "a zip archive" });
  }
  if (workbooks === undefined) throw new TableRefused({ code: "not_a_table", found: FOUND });
  const checked = await checkedParts(parts);
  const names = await sheetNames(checked);
  for (const [index, name] of names.slice(0, MAX_SHEETS).entries()) {
    const rows = (): AsyncGenerator<readonly RawRow[]> => sheetRows(checked, workbooks, index);
    const header = headerOf(await firstOf(rows()));
    if (header.line === 0) continue;
    const { line, titles, columns } = header;
    const otherSheets = names.filter((other) => other !== name);
    return {
      columns,
      facts: { format: "xlsx", gzip, headerLine: line, titles, sheet: name, otherSheets },
      rows: () => rowsBelow(rows(), header),
    };
  }
  throw new TableRefused({ code: "empty" });
}

async function firstOf(batches: AsyncIterable<readonly RawRow[]>): Promise<readonly RawRow[]> {
  const first: RawRow[] = [];
  for await (const batch of batches) {
    first.push(...batch);
    if (first.filter(({ cells }) => filledCells(cells) > 0).length >= SAMPLE_ROWS) break;
  }
  return first;
}

async function* rowsBelow(
  batches: AsyncIterable<readonly RawRow[]>,
  { line, columns }: Header,
): AsyncGenerator<readonly TableRow[]> {
  for await (const batch of batches) {
    const below = batch.filter((row) => row.line > line);
    yield* inBatches(below.flatMap((row) => tableRow(row, columns.length)));
  }
}

/** A part whose size was measured. */
interface CheckedPart extends ZipPart {
  readonly size: number;
}

/** Unpacks the XML parts once, and refuses a workbook that exceeds a bound. Leaves out pictures and the like. */
async function checkedParts(parts: readonly ZipPart[]): Promise<readonly CheckedPart[]> {
  const checked: CheckedPart[] = [];
  const counts = { bytes: 0, rows: 0, cells: 0 };
  for (const part of parts) {
    if (!/\.(?:xml|rels)$/i.test(part.name)) continue;
    const before = counts.bytes;
    // Measured together: a part may be listed many times.
    for await (const text of textsOf(part, MAX_UNPACKED_BYTES - before)) {
      counts.bytes += text.added;
      if (!isSheet(part)) continue;
      counts.rows += countOf(text.text, /<(?:\w+:)?row[\s/>]/g);
      counts.cells += countOf(text.text, /<(?:\w+:)?c[\s/>]/g);
      if (counts.rows > MAX_ROWS) {
        throw new TableRefused({ code: "too_many_rows", most: MAX_ROWS });
      }
      if (counts.cells > MAX_CELLS) {
        throw new TableRefused({ code: "too_many_cells", most: MAX_CELLS });
      }
      checkReferences(text.text);
    }
    checked.push({ ...part, size: counts.bytes - before });
  }
  return checked.toSorted((a, b) => Number(isSheet(a)) - Number(isSheet(b)));
}

function isSheet({ name }: ZipPart): boolean {
  return /^xl\/worksheets\/[^/]+\.xml$/i.test(name);
}

/** The longest tag that two pieces may share. */
const SHARED = 200;

/** Yields the text of a part in pieces. A piece begins at the last tag of the one before it, so that no tag is cut. */
async function* textsOf(
  part: ZipPart,
  most: number,
): AsyncGenerator<{ readonly text: string; readonly added: number }> {
  // One character per byte: all that is counted is ASCII.
  const decoder = new TextDecoder("latin1");
  let rest = "";
  for await (const bytes of partBytes(part, FOUND, most)) {
    const text = rest + decoder.decode(bytes);
    const tag = text.lastIndexOf("<");
    const cut = tag === -1 || text.length - tag > SHARED ? text.length : tag;
    rest = text.slice(cut);
    yield { text: text.slice(0, cut), added: bytes.length };
  }
  yield { text: rest, added: 0 };
}

function countOf(text: string, pattern: RegExp): number {
  let count = 0;
  while (pattern.exec(text) !== null) count++;
  return count;
}

/** Refuses a cell that is too far to the right: a sheet's memory depends on the last column of each row. */
function checkReferences(text: string): void {
  for (const [, cell = ""] of text.matchAll(/<(?:\w+:)?c\s([^<]*)/g)) {
    for (const [, letters = "", line = "", end] of cell.matchAll(REFERENCE)) {
      // Anything else, such as an escaped character, hides the column.
      if (end === undefined) throw new TableRefused({ code: "damaged", found: FOUND });
      if (columnOf(letters) <= MAX_COLUMNS) continue;
      throw new TableRefused({ code: "too_many_columns", most: MAX_COLUMNS, line: Number(line) });
    }
  }
}

/** A reference such as `AB12`. */
const REFERENCE = /(?:^|\s)r\s*=\s*["'](?:([A-Za-z]{1,3})(\d{1,7})(["']))?/g;

function columnOf(letters: string): number {
  let column = 0;
  for (const letter of letters.toUpperCase()) {
    column = column * 26 + letter.charCodeAt(0) - 64;
  }
  return column;
}

/** Returns the names of the sheets in their order. */
async function sheetNames(parts: readonly CheckedPart[]): Promise<readonly string[]> {
  const part = parts.find(({ name }) => name === "xl/workbook.xml");
  if (part === undefined) return [];
  const decoder = new TextDecoder();
  let text = "";
  for await (const bytes of partBytes(part, FOUND, 1_048_576)) {
    text += decoder.decode(bytes, { stream: true });
  }
  const names = text.matchAll(/<(?:\w+:)?sheet\s[^<>]*?\bname\s*=\s*(?:"([^"]*)"|'([^']*)')/g);
  return Array.from(names, ([, double, single]) => plainText(double ?? single ?? ""));
}

const ENTITIES: Readonly<Record<string, string>> = {
  amp: "&",
  lt: "<",
  gt: ">",
  quot: '"',
  apos: "'",
};

function plainText(xml: string): string {
  return xml.slice(0, 200).replaceAll(/&(\w+);/g, (whole, name: string) => ENTITIES[name] ?? whole);
}

/** Rows that are handed over together. */
const BATCH_ROWS = 200;
/** More than the promises between the rows of a sheet and those who read them. */
const TURNS = 50;
/** The unpacked bytes that are handed over together. */
const PIECE = 512 * 1_024;

/** Reads the rows of a sheet. Unpacks only as much as is asked for. */
async function* sheetRows(
  parts: readonly CheckedPart[],
  workbooks: Workbooks,
  sheet: number,
): AsyncGenerator<readonly RawRow[]> {
  const written = parts.map((part) => ({
    ...part,
    bytes: () => partBytes(part, FOUND, MAX_UNPACKED_BYTES),
  }));
  const gate = gatedStream(atLeast(zipOf(written), PIECE));
  const rows = workbooks.rows(gate.stream, sheet);
  let batch: RawRow[] = [];
  try {
    for (;;) {
      const next = await gate.until(rows.next()).catch((error: unknown) => {
        if (error instanceof TableRefused) throw error;
        throw new TableRefused({ code: "damaged", found: FOUND });
      });
      if (next.done === true) break;
      const { line, cells } = next.value;
      const texts = cells.map((cell) => cellText(cell.replaceAll(/\r\n?/g, "\n")));
      batch.push({ line, cells: texts, nul: texts.some((text) => text.includes("\0")) });
      if (batch.length < BATCH_ROWS) continue;
      yield batch;
      batch = [];
    }
    yield batch;
  } finally {
    gate.end();
    await rows.return?.().catch(() => undefined);
  }
}

/** Joins pieces until they have `least` bytes. */
async function* atLeast(
  pieces: AsyncIterable<Uint8Array>,
  least: number,
): AsyncGenerator<Uint8Array, undefined> {
  let parts: Uint8Array[] = [];
  let length = 0;
  for await (const piece of pieces) {
    parts.push(piece);
    length += piece.length;
    if (length < least) continue;
    yield joined(parts);
    parts = [];
    length = 0;
  }
  if (length > 0) yield joined(parts);
  return undefined;
}

/** A stream that gives its next piece only while something waits for what the stream leads to. */
interface GatedStream {
  readonly stream: ReadableStream<Uint8Array>;
  until<Value>(awaited: Promise<Value>): Promise<Value>;
  end(): void;
}

function gatedStream(pieces: AsyncGenerator<Uint8Array, undefined>): GatedStream {
  let open: (() => void) | undefined;
  let ended = false;
  const stream = lazyStream(
    async () => {
      if (!ended) await new Promise<void>((resolve) => (open = resolve));
      const piece = ended ? undefined : await pieces.next();
      return piece?.value;
    },
    async () => {
      await pieces.return(undefined);
    },
  );
  return {
    stream,
    until: async (awaited) => {
      const state = { settled: false };
      const settle = (): void => {
        state.settled = true;
      };
      awaited.then(settle, settle);
      for (;;) {
        // A row that was read already arrives within these turns, and no timer is waited for.
        for (let turn = 0; turn < TURNS && !state.settled; turn++) await Promise.resolve();
        if (state.settled) return await awaited;
        await systemClock.sleep(0);
        if (state.settled) return await awaited;
        open?.();
        open = undefined;
      }
    },
    end: () => {
      ended = true;
      open?.();
    },
  };
}
