import { done, refused, type Result } from "../lib/base/result.ts";

/** The fields of one row (RFC 4180 §2); line breaks were taken off. */
export function parseCsvRow(row: string): Result<readonly string[], string> {
  const fields: string[] = [];
  for (let at = 0; ;) {
    if (row[at] !== '"') {
      const comma = row.indexOf(",", at);
      const field = comma === -1 ? row.slice(at) : row.slice(at, comma);
      if (field.includes('"')) return refused(STRAY);
      fields.push(field);
      if (comma === -1) return done(fields);
      at = comma + 1;
      continue;
    }
    let field = "";
    for (at++; ; at += 2) {
      const quote = row.indexOf('"', at);
      if (quote === -1) return refused("a quote is never closed");
      field += row.slice(at, quote);
      at = quote;
      if (row[at + 1] !== '"') break;
      field += '"';
    }
    fields.push(field);
    at++;
    if (at === row.length) return done(fields);
    if (row[at] !== ",") return refused(STRAY);
    at++;
  }
}

const STRAY =
  'a quote stands in the midst of a field; write the field in quotes, and "" for each in it';

/** Fields as one row, with its line break. */
export function csvRow(fields: readonly (string | number)[]): string {
  return `${fields.map(csvField).join(",")}\r\n`;
}

function csvField(value: string | number): string {
  const text = String(value);
  return /["\r\n,]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
