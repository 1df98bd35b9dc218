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

type DateValue = { getTime(): number; toISOString(): string };
type Value = string | number | boolean | null | DateValue;

function textOf(value: Value): string {
  if (value === null) return "";
  return typeof value === "object" ? dateText(value) : String(value);
}

/** Writes a date as in ISO 8601, without the time of day if it is midnight. */
function dateText(date: DateValue): string {
  if (Number.isNaN(date.getTime())) return "";
  const [day = "", time = ""] = date.toISOString().split("T");
  const minutes = time.slice(0, 5);
  // Serial numbers below 1 are times of day.
  if (day < "1900-01-01") return minutes;
  return time.startsWith("00:00:00") ? day : `${day}T${minutes}`;
}
