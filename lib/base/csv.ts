import { done, refused, type Result } from "./result.ts";

/** What fields can be told apart by: a spreadsheet takes a semicolon where the comma stands in numbers. */
export const csvSeparators = [",", ";", "\t"] as const;
export type CsvSeparator = (typeof csvSeparators)[number];

/** A quote is never closed, or stands in the midst of a field. */
export type CsvFault = "unclosed_quote" | "stray_quote";

/** The fields of one row (RFC 4180 §2); line breaks were taken off. */
export function parseCsvRow(
  row: string,
  separator: CsvSeparator = ",",
): Result<readonly string[], CsvFault> {
  const fields: string[] = [];
  for (let at = 0; ;) {
    if (row[at] !== '"') {
      const end = row.indexOf(separator, at);
      const field = end === -1 ? row.slice(at) : row.slice(at, end);
      if (field.includes('"')) return refused("stray_quote");
      fields.push(field);
      if (end === -1) return done(fields);
      at = end + 1;
      continue;
    }
    let field = "";
    for (at++; ; at += 2) {
      const quote = row.indexOf('"', at);
      if (quote === -1) return refused("unclosed_quote");
      field += row.slice(at, quote);
      at = quote;
      if (row[at + 1] !== '"') break;
      field += '"';
    }
    fields.push(field);
    at++;
    if (at === row.length) return done(fields);
    if (row[at] !== separator) return refused("stray_quote");
    at++;
  }
}

/** What a row of names, none of which holds one of them, is separated by. */
export function separatorOf(header: string): CsvSeparator {
  return csvSeparators.find((separator) => header.includes(separator)) ?? ",";
}

/** Fields as one row, with its line break. */
export function csvRow(fields: readonly (string | number)[]): string {
  return `${fields.map(csvField).join(",")}\r\n`;
}

function csvField(value: string | number): string {
  const text = String(value);
  return /["\r\n,;\t]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
