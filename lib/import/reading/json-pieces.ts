import { MAX_ROW_LENGTH } from "../limits.ts";
import { TableRefused } from "../table.ts";
import { lineBreaks } from "./encoding.ts";

/** The text of one JSON value, and the line on which it begins. */
export interface JsonPiece {
  readonly line: number;
  readonly text: string;
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const LF = 0x0a;
const CR = 0x0d;
const OPENS_LIST = 0x5b;
const CLOSES_LIST = 0x5d;
const OPENS = new Set([0x7b, OPENS_LIST]);
const CLOSES = new Set([0x7d, CLOSES_LIST]);
const SPACES = new Set([0x20, 0x09, LF, CR]);
/** Between values: white space, commas, record separators (RFC 7464 §2.2), byte order marks and Ctrl-Z. */
const BETWEEN = new Set([...SPACES, 0x2c, 0x1e, 0xfeff, 0x1a]);
/** Inside a value, a bracket opens only after one of these. */
const BEFORE_VALUE = new Set([0x3a, 0x2c, OPENS_LIST]);

/** The end of a value that the text does not contain yet. */
const MORE = -1;

/**
 * Cuts a text into the JSON values that are its rows: one value per line or record, values over several lines, or the
 * items of lists. Takes the text in pieces, and does not check the values. A value that cannot be right ends before the
 * next one, so that only its own row is faulty.
 */
export class JsonPieces {
  #text = "";
  #at = 0;
  #line = 1;
  #final = false;
  /** Searches again only when the text is this long, so that a long value costs no more than a multiple of its length. */
  #enough = 0;
  /** The line of the list around the next value; undefined outside of lists. */
  #list: number | undefined;
  /** Characters to skip before the next value. */
  #skip: number;
  /** Only one list is read. */
  readonly #single: boolean;
  #ended = false;

  /** `from`: where the only list to read begins. */
  constructor(from?: number) {
    this.#skip = from ?? 0;
    this.#single = from !== undefined;
  }

  /** Adds a piece of text and returns the values that it completes. */
  push(piece: string): readonly JsonPiece[] {
    if (this.#ended) return [];
    this.#text = this.#text.slice(this.#at) + piece;
    this.#at = 0;
    return this.#text.length < this.#enough ? [] : this.#pieces();
  }

  /** Returns the last values. Refuses a text that ends inside a value or list. */
  end(): readonly JsonPiece[] {
    if (this.#ended) return [];
    this.#final = true;
    const pieces = this.#pieces();
    if (this.#list !== undefined) this.#cut(this.#list, "list");
    return pieces;
  }

  #cut(line: number, what: "list" | "object"): never {
    const message = `The ${what} that begins on line ${line} does not end.`;
    throw new TableRefused({ code: "not_json", line, message });
  }

  #pieces(): readonly JsonPiece[] {
    const pieces: JsonPiece[] = [];
    this.#enough = 0;
    if (this.#text.length < this.#skip) return [];
    if (this.#skip > 0) this.#advance(this.#skip);
    this.#skip = 0;
    while (!this.#ended) {
      const next = this.#after(BETWEEN, this.#at);
      // A line break may be in two pieces.
      const torn = next === this.#text.length && this.#text.charCodeAt(next - 1) === CR;
      this.#advance(torn && !this.#final && next > this.#at ? next - 1 : next);
      if (next === this.#text.length) break;
      const code = this.#text.charCodeAt(this.#at);
      if (this.#list !== undefined && code === CLOSES_LIST) {
        this.#list = undefined;
        this.#advance(this.#at + 1);
        this.#ended = this.#single;
        continue;
      }
      if (this.#list === undefined && code === OPENS_LIST) {
        this.#list = this.#line;
        this.#advance(this.#at + 1);
        continue;
      }
      const end = OPENS.has(code) ? this.#valueEnd() : this.#wordEnd();
      if (end === MORE) {
        this.#enough = (this.#text.length - this.#at) * 2;
        break;
      }
      pieces.push({ line: this.#line, text: this.#text.slice(this.#at, end) });
      this.#advance(end);
    }
    return pieces;
  }

  #advance(to: number): void {
    if (to > this.#at) this.#line += lineBreaks(this.#text.slice(this.#at, to));
    this.#at = to;
  }

  #after(codes: ReadonlySet<number>, from: number): number {
    let at = from;
    while (codes.has(this.#text.charCodeAt(at))) at++;
    return at;
  }

  /** Returns the end of a value in brackets. */
  #valueEnd(): number {
    const text = this.#text;
    let depth = 0;
    let before = 0;
    /** The last line break after the last character that is not white space. */
    let lineEnd = 0;
    for (let at = this.#at; at < text.length; at++) {
      const code = text.charCodeAt(at);
      if (SPACES.has(code)) {
        if (lineEnd === 0 && (code === LF || code === CR)) lineEnd = at;
        continue;
      }
      if (code === QUOTE) {
        const end = this.#stringEnd(at);
        if (end === MORE) return this.#unfinished();
        if (text.charCodeAt(end) !== QUOTE) return end;
        at = end;
      } else if (OPENS.has(code)) {
        // Another value begins although this one has not ended.
        if (depth > 0 && !BEFORE_VALUE.has(before)) return lineEnd === 0 ? at : lineEnd;
        depth++;
      } else if (CLOSES.has(code)) {
        depth--;
        if (depth === 0) return at + 1;
      }
      before = code;
      lineEnd = 0;
    }
    return this.#unfinished();
  }

  #unfinished(): number {
    const length = this.#text.length - this.#at;
    if (length > MAX_ROW_LENGTH) {
      throw new TableRefused({ code: "row_too_long", most: MAX_ROW_LENGTH, line: this.#line });
    }
    return this.#final ? this.#cut(this.#line, "object") : MORE;
  }

  /** Returns where a string ends: its quote, or a line break, which it cannot contain. */
  #stringEnd(start: number): number {
    const text = this.#text;
    for (let at = start + 1; at < text.length; at++) {
      const code = text.charCodeAt(at);
      if (code === QUOTE || code === LF || code === CR) return at;
      if (code === BACKSLASH) at++;
    }
    return MORE;
  }

  /** Returns the end of anything else: of its line or, inside a list, the next comma or bracket. */
  #wordEnd(): number {
    const ends = this.#list === undefined ? /[\r\n]/g : /[\r\n,\]]/g;
    ends.lastIndex = this.#at;
    const found = ends.exec(this.#text);
    if (found !== null) return found.index;
    if (this.#final) return this.#text.length;
    return this.#unfinished();
  }
}

/** A member of an object. */
export interface OuterMember {
  readonly name: string;
  /** Where the member's list of objects begins; undefined if it has something else. */
  readonly list: number | undefined;
}

/**
 * Returns the members of the object at the beginning of a text, as far as the text goes, and where the object ends;
 * undefined if the text begins with something else.
 */
export function outerMembers(
  text: string,
): { readonly members: readonly OuterMember[]; readonly end: number | undefined } | undefined {
  // oxlint-disable-next-line no-control-regex -- record separators (RFC 7464 §2.2)
  const start = /^[\uFEFF\u001E\s]*\{/.exec(text)?.[0].length;
  if (start === undefined) return undefined;
  const members: OuterMember[] = [];
  let depth = 1;
  let name: string | undefined;
  const tokens = /"(?:[^"\\\r\n]|\\.)*"|[{}[\]:,]/g;
  tokens.lastIndex = start;
  for (let token = tokens.exec(text); token !== null; token = tokens.exec(text)) {
    const [sign] = token;
    if (sign === "{" || sign === "[") {
      if (depth === 1 && name !== undefined) {
        const list = sign === "[" && /^\[\s*\{/.test(text.slice(token.index, token.index + 1_000));
        members.push({ name, list: list ? token.index : undefined });
        name = undefined;
      }
      depth++;
    } else if (sign === "}" || sign === "]") {
      depth--;
      if (depth === 0) return { members: plain(members, name), end: token.index + 1 };
    } else if (depth === 1 && sign === ",") {
      members.splice(0, members.length, ...plain(members, name));
      name = undefined;
    } else if (depth === 1 && sign !== ":" && name === undefined) {
      name = sign.slice(1, -1);
    }
    if (members.length > MAX_OUTER_MEMBERS) break;
  }
  return { members, end: undefined };
}

/** The most members of an outermost object that are looked at. */
const MAX_OUTER_MEMBERS = 1_000;

function plain(members: readonly OuterMember[], name: string | undefined): readonly OuterMember[] {
  return name === undefined ? members : [...members, { name, list: undefined }];
}
