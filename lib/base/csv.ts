import { done, refused, type Result } from "./result.ts";

/** The field separators. Spreadsheets write semicolons where numbers have a decimal comma. */
export const csvSeparators = [",", ";", "\t"] as const;
export type CsvSeparator = (typeof csvSeparators)[number];

/** A quote is not closed, or appears inside an unquoted field. */
export type CsvFault = "unclosed_quote" | "stray_quote";

/** Parses the fields of one row without its line break (RFC 4180 §2). */
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

/** Returns the separator of a header row, assuming that no column name contains one; a comma if it finds none. */
export function separatorOf(header: string): CsvSeparator {
  return csvSeparators.find((separator) => header.includes(separator)) ?? ",";
}

/** Formats fields as one row with its line break. */
export function csvRow(fields: readonly (string | number)[], delimiter = ","): string {
  return `${fields.map(csvField).join(delimiter)}\r\n`;
}

function csvField(value: string | number): string {
  const text = String(value);
  return /["\r\n,;\t|]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
