import { done, refused, type Result } from "../../lib/base/result.ts";

/** A quote is not closed, or appears inside an unquoted field. */
type CsvFault = "unclosed_quote" | "stray_quote";

/** Parses the fields of one row without its line break (RFC 4180 §2). */
export function parseCsvRow(row: string, separator = ","): Result<readonly string[], CsvFault> {
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
