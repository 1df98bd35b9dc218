import { MAX_ROW_LENGTH } from "../limits.ts";
import { TableRefused } from "../table.ts";
import { lineBreaks } from "./encoding.ts";
import type { RawRow } from "./header.ts";
import { cellText } from "./texts.ts";

const LF = 10;
const CR = 13;
const QUOTE = 34;
/** Characters that may stand between a delimiter and a quote, and after the last quote. Ctrl-Z ended files on DOS. */
const BLANK = new Set([0x20, 0x09, 0xa0, 0xfeff, 0x1a]);

/** The end of a row that the text does not contain yet. */
const MORE = Symbol("more");

/**
 * Parses CSV as programs write it, and not only as RFC 4180 has it: with CR, LF or CRLF, blanks around quotes, and
 * quotes inside a field that has none around it. Refuses a quote that is not closed. Takes the text in pieces.
 */
export class CsvRows {
  readonly #delimiterCode: number;
  #text = "";
  #at = 0;
  #line = 1;
  #final = false;
  /** Parses again only when the text is this long, so that a long row costs no more than a multiple of its length. */
  #enough = 0;
  #nul = false;

  constructor(delimiter: string) {
    this.#delimiterCode = delimiter.charCodeAt(0);
  }

  /** Adds a piece of text and returns the rows that it completes. */
  push(piece: string): readonly RawRow[] {
    this.#text = this.#text.slice(this.#at) + piece;
    this.#at = 0;
    if (this.#text.length < this.#enough) return [];
    return this.#rows();
  }

  /** Returns the last rows. */
  end(): readonly RawRow[] {
    this.#final = true;
    return this.#rows();
  }

  #rows(): readonly RawRow[] {
    this.#nul = this.#text.includes("\0");
    const rows: RawRow[] = [];
    while (this.#at < this.#text.length) {
      const start = this.#at;
      const row = this.#row();
      if (row === MORE) {
        this.#at = start;
        break;
      }
      rows.push(row);
    }
    const left = this.#text.length - this.#at;
    if (left > MAX_ROW_LENGTH) this.#tooLong();
    this.#enough = left * 2;
    return rows;
  }

  #tooLong(): never {
    const line = this.#line;
    throw new TableRefused({ code: "row_too_long", most: MAX_ROW_LENGTH, line });
  }

  #row(): RawRow | typeof MORE {
    const text = this.#text;
    const start = this.#at;
    const cells: string[] = [];
    let breaks = 0;
    for (;;) {
      const cell = this.#cell(breaks);
      if (cell === MORE) return MORE;
      if (cell.breaks > 0) breaks += cell.breaks;
      cells.push(cellText(cell.text));
      const code = text.charCodeAt(this.#at);
      if (code === this.#delimiterCode) {
        this.#at++;
        continue;
      }
      // A break in two pieces: LF may follow.
      if (code === CR && this.#at + 1 === text.length && !this.#final) return MORE;
      if (this.#at >= text.length && !this.#final) return MORE;
      const nul = this.#nul && text.slice(start, this.#at).includes("\0");
      const row = { line: this.#line, cells, nul };
      if (this.#at < text.length) {
        this.#at += code === CR && text.charCodeAt(this.#at + 1) === LF ? 2 : 1;
        breaks++;
      }
      this.#line += breaks;
      return row;
    }
  }

  /** Reads a cell up to its delimiter or line break. `before`: the line breaks of the row before this cell. */
  #cell(before: number): { readonly text: string; readonly breaks: number } | typeof MORE {
    const text = this.#text;
    const start = this.#at;
    let at = this.#pastBlanks(start);
    if (at >= text.length && !this.#final) return MORE;
    if (text.charCodeAt(at) !== QUOTE) {
      this.#at = this.#cellEnd(at);
      return { text: text.slice(start, this.#at), breaks: 0 };
    }
    const opened = at;
    let value = "";
    for (at++; ; at += 2) {
      const quote = text.indexOf('"', at);
      if (quote === -1 || (quote + 1 === text.length && !this.#final)) {
        if (!this.#final && text.length - opened <= MAX_ROW_LENGTH) return MORE;
        if (quote === -1) this.#unclosed(opened, before);
      }
      value += text.slice(at, quote);
      at = quote;
      if (text.charCodeAt(at + 1) !== QUOTE) break;
      value += '"';
    }
    const end = this.#pastBlanks(at + 1);
    if (end >= text.length && !this.#final) return MORE;
    const breaks = lineBreaks(value);
    if (this.#endsCell(end)) {
      this.#at = end;
      return { text: breaks === 0 ? value : value.replaceAll(/\r\n?/g, "\n"), breaks };
    }
    // The quotes are part of the text, unless the text after them is on another line.
    if (breaks > 0) this.#unclosed(opened, before);
    this.#at = this.#cellEnd(end);
    return { text: text.slice(start, this.#at), breaks: 0 };
  }

  #unclosed(opened: number, before: number): never {
    const text = this.#text.slice(opened, opened + 60);
    const line = this.#line + before;
    throw new TableRefused({
      code: "unclosed_quote",
      line,
      text: text.split(/[\r\n]/, 1)[0] ?? "",
    });
  }

  #pastBlanks(from: number): number {
    let at = from;
    for (; ; at++) {
      const code = this.#text.charCodeAt(at);
      if (code === this.#delimiterCode || !BLANK.has(code)) return at;
    }
  }

  #endsCell(at: number): boolean {
    const code = this.#text.charCodeAt(at);
    return at >= this.#text.length || code === this.#delimiterCode || code === LF || code === CR;
  }

  #cellEnd(from: number): number {
    let at = from;
    while (!this.#endsCell(at)) at++;
    return at;
  }
}

/** Parses the rows of a text up to `most`. The last row is left out if the text may go on after it. */
export function firstRows(
  text: string,
  delimiter: string,
  whole: boolean,
  most: number,
): readonly RawRow[] {
  const parser = new CsvRows(delimiter);
  const rows: RawRow[] = [];
  try {
    rows.push(...parser.push(text));
    if (whole) rows.push(...parser.end());
  } catch (error) {
    // Reported when the rows are read.
    if (!(error instanceof TableRefused)) throw error;
  }
  return rows.slice(0, most);
}
