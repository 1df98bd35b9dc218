import type { SheetRow, Workbooks } from "../lib/import/reading/workbook.ts";

/** Creates the reader of Excel workbooks. */
export function workbooks(): Workbooks {
  return { rows: (archive, sheet) => rowsOf(archive, sheet) };
}

async function* rowsOf(
  archive: ReadableStream<Uint8Array>,
  sheet: number,
): AsyncGenerator<SheetRow, undefined> {
  // Imported with the first workbook: most runs of a server never need it.
  const { streamXlsxRows } = await import("hucre/xlsx");
  for await (const { index, values } of streamXlsxRows(archive, { sheet })) {
    yield { line: index + 1, cells: values.map(textOf) };
  }
  return undefined;
}

function textOf(value: unknown): string {
  if (value === null || value === undefined) return "";
  return value instanceof Date ? dateText(value) : String(value);
}

/** Serial numbers below 1 are times of day. */
const FIRST_DAY = Date.UTC(1900, 0, 1);

/** Writes a date as in ISO 8601, without the time of day if it is midnight. */
function dateText(date: Date): string {
  if (Number.isNaN(date.getTime())) return "";
  const [day = "", time = ""] = date.toISOString().split("T");
  const minutes = time.slice(0, 5);
  if (date.getTime() < FIRST_DAY) return minutes;
  return time.startsWith("00:00:00") ? day : `${day}T${minutes}`;
}
