import { TableRefused, type Encoding, type TableSource } from "../table.ts";

/** The most lines that a question about the encoding shows, and the longest text of one. */
const MAX_SAMPLES = 5;
const MAX_SAMPLE = 120;
/** The longest line that is searched for bytes that are not UTF-8. */
const MAX_LINE = 64 * 1_024;

/** Zero bytes in this part of the pairs mean UTF-16: its delimiters and line breaks have one each. */
const ZEROS_OF_UTF_16 = 0.1;
const LEAST_ZEROS = 3;

/** The encoding that the beginning of a file shows. */
export interface Shown {
  readonly encoding: Encoding | undefined;
  /** It is named by a byte order mark. */
  readonly marked: boolean;
}

/** Returns the encoding that a byte order mark or zero bytes show; undefined if neither does. Refuses UTF-32. */
export function shownEncoding(head: Uint8Array): Shown {
  const begins = (...bytes: readonly number[]): boolean =>
    bytes.every((byte, index) => head[index] === byte);
  if (begins(0xff, 0xfe, 0, 0) || begins(0, 0, 0xfe, 0xff)) {
    throw new TableRefused({ code: "not_a_table", found: "a text in UTF-32" });
  }
  if (begins(0xef, 0xbb, 0xbf)) return { encoding: "utf-8", marked: true };
  if (begins(0xff, 0xfe)) return { encoding: "utf-16le", marked: true };
  if (begins(0xfe, 0xff)) return { encoding: "utf-16be", marked: true };
  return { encoding: byZeros(head), marked: false };
}

function byZeros(head: Uint8Array): Encoding | undefined {
  const length = Math.min(head.length, 4_096) & ~1;
  let [even, odd] = [0, 0];
  for (let at = 0; at < length; at += 2) {
    if (head[at] === 0) even++;
    if (head[at + 1] === 0) odd++;
  }
  const least = Math.max(LEAST_ZEROS, (length / 2) * ZEROS_OF_UTF_16);
  if (even === 0 && odd >= least) return "utf-16le";
  if (odd === 0 && even >= least) return "utf-16be";
  return undefined;
}

/** Decodes a file. Refuses bytes that its encoding cannot have. The text may begin with a byte order mark. */
export async function* decoded(source: TableSource, encoding: Encoding): AsyncGenerator<string> {
  const decoder = decoderOf(encoding);
  let [lines, length] = [1, 0];
  const text = (bytes?: Uint8Array): string => {
    try {
      return bytes === undefined ? decoder.decode() : decoder.decode(bytes, { stream: true });
    } catch {
      throw new TableRefused({ code: "not_decodable", encoding, line: lines });
    }
  };
  for await (const piece of source.open()) {
    length += piece.length;
    const part = text(piece);
    lines += lineBreaks(part);
    if (part !== "") yield part;
  }
  // Not every decoder refuses half a character at the end.
  if (encoding.startsWith("utf-16") && length % 2 === 1) {
    throw new TableRefused({ code: "not_decodable", encoding, line: lines });
  }
  const rest = text();
  if (rest !== "") yield rest;
}

/** Counts LF, and CR without it. A pair that two pieces share is counted twice. */
export function lineBreaks(text: string): number {
  let count = 0;
  for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", at + 1)) count++;
  for (let at = text.indexOf("\r"); at !== -1; at = text.indexOf("\r", at + 1)) {
    if (text.charCodeAt(at + 1) !== LF) count++;
  }
  return count;
}

/** Decodes the beginning of a file, without the character that it may cut. */
export function decodedHead(bytes: Uint8Array, encoding: Encoding, whole: boolean): string {
  const decoder = new TextDecoder(encoding, { ignoreBOM: true });
  return decoder.decode(bytes, { stream: !whole });
}

function decoderOf(encoding: Encoding): TextDecoder {
  return new TextDecoder(encoding, { fatal: true, ignoreBOM: true });
}

/** Asks for the encoding if a file without a mark is not UTF-8. */
export async function checkUtf8(source: TableSource): Promise<void> {
  const decoder = decoderOf("utf-8");
  try {
    for await (const piece of source.open()) decoder.decode(piece, { stream: true });
    decoder.decode();
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    const samples = await foreignLines(source);
    throw new TableRefused({ code: "encoding", suggested: "windows-1252", samples });
  }
}

const LF = 10;
const CR = 13;

/** Returns the first lines with bytes that are not UTF-8, decoded as Windows-1252. */
async function foreignLines(
  source: TableSource,
): Promise<readonly { readonly line: number; readonly text: string }[]> {
  const samples: { line: number; text: string }[] = [];
  let line = 1;
  let parts: number[] = [];
  let last = 0;
  const end = (): void => {
    const bytes = Uint8Array.from(parts);
    parts = [];
    if (isUtf8(bytes)) return;
    const text = new TextDecoder("windows-1252").decode(bytes).trim();
    samples.push({ line, text: text.slice(0, MAX_SAMPLE) });
  };
  for await (const piece of source.open()) {
    for (const byte of piece) {
      if (byte === LF && last === CR) {
        last = byte;
        continue;
      }
      last = byte;
      if (byte !== LF && byte !== CR) {
        if (parts.length < MAX_LINE) parts.push(byte);
        continue;
      }
      end();
      if (samples.length >= MAX_SAMPLES) return samples;
      line++;
    }
  }
  end();
  return samples.slice(0, MAX_SAMPLES);
}

function isUtf8(bytes: Uint8Array): boolean {
  try {
    decoderOf("utf-8").decode(bytes);
    return true;
  } catch {
    return false;
  }
}
