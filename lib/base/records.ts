/** A row of a file, in bytes, or its fault. */
export type RawRecord =
  | { readonly line: number; readonly bytes: Uint8Array }
  | { readonly line: number; readonly fault: RecordFault };

/** A quote is not closed, or closed inside a field; or the row is longer than `MAX_ROW_BYTES`. */
export type RecordFault = "open_quote" | "too_long";

export interface RecordOptions {
  /** Line breaks between quotes belong to the row (RFC 4180 §2.6). */
  readonly quotes: boolean;
  /** Receives the number of bytes read so far. */
  readonly onBytes?: (total: number) => void;
}

/** The longest row, in bytes. Bounds the memory. */
export const MAX_ROW_BYTES: number = 64 * 1024;

/**
 * Splits a stream into rows and yields the rows of each chunk. Lines count from 1. A fault affects one row: after an
 * unclosed quote, the next line starts a new row.
 */
export async function* records(
  source: AsyncIterable<Uint8Array>,
  { quotes, onBytes }: RecordOptions,
): AsyncGenerator<readonly RawRecord[]> {
  let rest: Uint8Array = new Uint8Array();
  let line = 1;
  let skipping = false;
  let total = 0;
  const cut = (bytes: Uint8Array, final: boolean): RawRecord[] => {
    const found: RawRecord[] = [];
    let from = 0;
    while (from < bytes.length) {
      if (skipping) {
        const newline = bytes.indexOf(LF, from);
        if (newline === -1) {
          from = bytes.length;
          break;
        }
        skipping = false;
        from = newline + 1;
        line++;
        continue;
      }
      const { end, torn, open } = rowEnd(bytes, from, quotes);
      const ends = end !== -1 || final;
      const length = (end === -1 ? bytes.length : end) - from;
      if (!ends && !torn && length <= MAX_ROW_BYTES) break;
      const newline = bytes.indexOf(LF, from);
      if (torn || length > MAX_ROW_BYTES || (open && newline !== -1)) {
        // The row ends with its first line; the lines that seemed to be inside its quotes are parsed again.
        const fits = newline !== -1 && newline - from <= MAX_ROW_BYTES;
        found.push({ line, fault: fits ? "open_quote" : "too_long" });
        skipping = !fits;
        if (fits) {
          from = newline + 1;
          line++;
        }
        continue;
      }
      const stop = end === -1 ? bytes.length : end;
      found.push({ line, bytes: bytes.subarray(from, bytes[stop - 1] === CR ? stop - 1 : stop) });
      line += lineBreaks(bytes, from, stop) + 1;
      from = stop + 1;
    }
    rest = bytes.slice(from);
    return found;
  };
  for await (const chunk of source) {
    total += chunk.length;
    onBytes?.(total);
    yield cut(rest.length === 0 ? chunk : concatBytes(rest, chunk), false);
  }
  yield cut(rest, true);
}

const LF = 10;
const CR = 13;
const QUOTE = 34;
/** Comma, semicolon and tab: a quote after any of them opens a field. */
const SEPARATORS: ReadonlySet<number | undefined> = new Set([44, 59, 9]);

interface RowEnd {
  /** The offset of the line break that ends the row; -1 if it is not in these bytes. */
  readonly end: number;
  /** A quote opened on an earlier line closes inside a field. */
  readonly torn: boolean;
  /** The bytes end between quotes. */
  readonly open: boolean;
}

function rowEnd(bytes: Uint8Array, from: number, quotes: boolean): RowEnd {
  if (!quotes) return { end: bytes.indexOf(LF, from), torn: false, open: false };
  let quoted = false;
  let fieldStart = true;
  let broken = false;
  for (let at = from; at < bytes.length; at++) {
    const byte = bytes[at];
    if (quoted) {
      if (byte === LF) broken = true;
      if (byte !== QUOTE) continue;
      const next = bytes[at + 1];
      if (next === QUOTE) at++;
      else {
        quoted = false;
        const closes = next === undefined || SEPARATORS.has(next) || next === LF || next === CR;
        if (broken && !closes) return { end: -1, torn: true, open: false };
      }
      continue;
    }
    if (byte === LF) return { end: at, torn: false, open: false };
    quoted = byte === QUOTE && fieldStart;
    fieldStart = SEPARATORS.has(byte);
  }
  return { end: -1, torn: false, open: quoted };
}

function lineBreaks(bytes: Uint8Array, from: number, to: number): number {
  let count = 0;
  for (let at = bytes.indexOf(LF, from); at !== -1 && at < to; at = bytes.indexOf(LF, at + 1)) {
    count++;
  }
  return count;
}

export function concatBytes(first: Uint8Array, second: Uint8Array): Uint8Array {
  const both = new Uint8Array(first.length + second.length);
  both.set(first);
  both.set(second, first.length);
  return both;
}
